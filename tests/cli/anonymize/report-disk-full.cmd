# The release is there, and its summary is told, though the report could not be written.
kith generate hospital -n 200 -o p.csv -q --seed 1
trap 'ls -A' EXIT
kith anonymize p.study.yaml -i p.csv -o r.csv --seed 1 --report /dev/full --force
