cp -r $FIXTURES/jobs/. .
trap 'test ! -e new.csv' EXIT
kith anonymize study.yaml -i people.csv -o new.csv --mapping ./new.csv.meta.json --force
