s=$FIXTURES/joint.yaml d=$FIXTURES/joint.csv
kith simulate $s -i $d -o run --sites 3 --seed 1 --in-process --baseline |
  sed -E '/^(classes|loss|sites alone|secure|traffic)/s/[0-9][0-9.,]*( [kM]?B)?/N/g; s/^secure.*/secure calls …/'
ls run run/site1
kith verify $s run/release.csv --data $d --quiet; echo $?
echo "# once more: refused, then overwritten with other sites"
kith simulate $s -i $d -o run --sites 2 --in-process; echo $?
kith simulate $s -i $d -o run --sites 2 --in-process --force --quiet; echo $?
ls run
echo "# a study without a partition whose columns are split; standard input; JSON"
kith simulate $s -i - -o columns --split columns:age,disease/sex,zip --in-process --json < $d > out.json
grep -E '"(command|records|name|partition|sites|parties)":' out.json
head -1 columns/release.csv
