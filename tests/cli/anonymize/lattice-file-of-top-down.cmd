(grep -v utility $FIXTURES/jobs/suppression.yaml; echo "algorithm: top-down") > s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv --lattice l.tsv
