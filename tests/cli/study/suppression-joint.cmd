(cat $FIXTURES/study/suppression.yaml; echo "partition: horizontal") > s.yaml
kith study check s.yaml
