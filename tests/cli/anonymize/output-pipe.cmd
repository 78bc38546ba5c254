mkfifo pipe
cat pipe > copy.csv &
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o pipe --seed 1 --quiet
wait
wc -l < copy.csv
ls
