sed 's/0.05/0/' $FIXTURES/study/suppression.yaml > nothing.yaml
kith study check nothing.yaml
