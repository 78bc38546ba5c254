# a run never lowers a privacy parameter: the key is refused, and the reachable l is told
sed 's/l: 2/l: 20/; $a relax: true' $FIXTURES/jobs/study.yaml > s.yaml
kith study check s.yaml
sed '/relax/d' s.yaml > t.yaml
kith anonymize t.yaml -i $FIXTURES/jobs/people.csv -o r.csv; echo "exit $?"; ls
