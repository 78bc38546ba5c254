(cat $FIXTURES/study/suppression.yaml; echo "  measure: entropy") > s.yaml
kith study check s.yaml
