cp -r $FIXTURES/jobs/. .
trap 'cmp people.csv $FIXTURES/jobs/people.csv; test ! -e new.csv' EXIT
kith anonymize study.yaml -i people.csv -o new.csv --summary ./people.csv --force
