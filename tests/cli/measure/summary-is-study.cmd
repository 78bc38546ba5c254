cp -r $FIXTURES/jobs/. .
trap 'cmp study.yaml $FIXTURES/jobs/study.yaml' EXIT
kith measure study.yaml people.csv people.csv --summary study.yaml --force
