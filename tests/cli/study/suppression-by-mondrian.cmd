(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: mondrian") > s.yaml
kith study check s.yaml
