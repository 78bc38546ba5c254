export KITH_DUCKDB=/nowhere/libduckdb.so
trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.parquet
