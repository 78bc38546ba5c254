(cat $FIXTURES/study/suppression.yaml; echo 'algorithm: flash') > chosen.yaml
kith study check chosen.yaml
