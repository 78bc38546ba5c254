cp -r $FIXTURES/jobs/. .
trap 'cmp study.yaml $FIXTURES/jobs/study.yaml; test ! -e new.csv' EXIT
kith anonymize study.yaml -i people.csv -o new.csv --summary study.yaml --force
