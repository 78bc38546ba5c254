# a study without a partition whose columns are split; standard input; JSON
kith simulate $FIXTURES/joint.yaml -i - -o columns --split columns:age,disease/sex,zip --in-process --json < $FIXTURES/joint.csv > out.json
grep -E '"(command|records|name|partition|sites|parties)":' out.json
head -1 columns/release.csv
