kith study check $FIXTURES/study/search.yaml
