(cat $FIXTURES/study/suppression.yaml; echo '  measure: dm') > anyway.yaml
kith study check anyway.yaml
