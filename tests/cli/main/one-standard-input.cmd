# A study and data that are both to come from standard input: told at once, before either is read.
cp $FIXTURES/jobs/study.yaml s.yaml
cp $FIXTURES/jobs/people.csv d.csv
while read -r command; do
  kith $command < s.yaml && status=0 || status=$?
  echo "$command: $status"
done 2>&1 <<'END'
anonymize - -i - -o r.csv
verify - -
verify - d.csv --data -
measure - - d.csv
measure - d.csv -
study check - -
study check - d.csv -
try - -i -
describe - -
simulate - -i - --sites 2 -o run
compare - -i - --sites 2
estimate - -i - --sites 2
party - --as a --key k -i - -o run
hierarchy check - - --column a
END
