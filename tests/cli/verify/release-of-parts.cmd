kith generate hospital -n 600 --seed 1 -o patients.csv >/dev/null
kith anonymize patients.study.yaml -i patients.csv -o whole.csv --seed 1 >/dev/null
mkdir release
head -n 201 whole.csv >release/part-00000.csv
{ head -n 1 whole.csv; tail -n +202 whole.csv; } | gzip >release/part-00001.csv.gz
kith verify patients.study.yaml release/ --data patients.csv
