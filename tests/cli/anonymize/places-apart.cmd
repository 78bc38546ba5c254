# with --force nothing that the run reads, or writes elsewhere, may be overwritten
cp -r $FIXTURES/jobs/. .
kith anonymize study.yaml -i people.csv -o ./study.yaml --force; echo "exit $?"
kith anonymize study.yaml -i people.csv -o new.csv --mapping ./new.csv; echo "exit $?"
kith anonymize study.yaml -i people.csv -o new.csv --mapping ./new.csv.meta.json --force; echo "exit $?"
for place in study.yaml ./people.csv new.csv; do
  kith anonymize study.yaml -i people.csv -o new.csv --summary $place --force; echo "exit $?"
done
kith verify study.yaml people.csv --summary ./people.csv --force; echo "exit $?"
kith measure study.yaml people.csv people.csv --summary study.yaml --force; echo "exit $?"
cmp study.yaml $FIXTURES/jobs/study.yaml && cmp people.csv $FIXTURES/jobs/people.csv && test ! -e new.csv && echo untouched
