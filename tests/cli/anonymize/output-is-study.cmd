# with --force nothing that the run reads, or writes elsewhere, may be overwritten
cp -r $FIXTURES/jobs/. .
trap 'cmp study.yaml $FIXTURES/jobs/study.yaml; cmp people.csv $FIXTURES/jobs/people.csv; test ! -e new.csv' EXIT
kith anonymize study.yaml -i people.csv -o ./study.yaml --force
