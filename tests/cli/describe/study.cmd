kith describe $FIXTURES/study/roles.csv $FIXTURES/study/roles.yaml
