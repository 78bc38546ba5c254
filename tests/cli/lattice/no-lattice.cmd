for algorithm in weave top-down; do
  (grep -v utility $FIXTURES/jobs/suppression.yaml; echo "algorithm: $algorithm") > s.yaml
  kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv --lattice l.tsv; echo "exit $?"
done
