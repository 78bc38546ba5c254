cp -r $FIXTURES/jobs/. .
trap 'cmp people.csv $FIXTURES/jobs/people.csv' EXIT
kith verify study.yaml people.csv --summary ./people.csv --force
