(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: weave") > s.yaml
kith study check s.yaml
