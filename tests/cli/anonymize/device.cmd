kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o /dev/full --quiet; echo "exit $?"
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o /dev/null --quiet; echo "exit $?"
ls /dev/null.meta.json /dev/full.meta.json 2>/dev/null
mkfifo pipe; cat pipe > copy.csv & kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o pipe --seed 1 --quiet; wait
wc -l < copy.csv; ls
