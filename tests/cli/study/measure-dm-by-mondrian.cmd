(sed "s/suppression: 0.15/measure: dm/" $FIXTURES/jobs/suppression.yaml; echo "algorithm: mondrian") > s.yaml
kith study check s.yaml
