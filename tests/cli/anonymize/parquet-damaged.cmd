printf 'PAR1 and then nothing' >d.parquet
trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i d.parquet -o r.parquet
