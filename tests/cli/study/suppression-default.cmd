kith study check $FIXTURES/study/suppression.yaml
