kith study digest $FIXTURES/study/cardio.yaml --json
