kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --seed 1 -q
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o p.parquet --seed 1 -q
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o j.ndjson --seed 1 -q
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o 'duckdb:d.db?table=t' --seed 1 -q
kith verify $FIXTURES/jobs/study.yaml p.parquet --data $FIXTURES/jobs/people.csv -q
kith verify $FIXTURES/jobs/study.yaml 'duckdb:d.db?table=t' --data $FIXTURES/jobs/people.csv -q
head -n 2 j.ndjson; ls -A
kith describe p.parquet
