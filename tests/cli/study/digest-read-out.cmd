kith study digest $FIXTURES/study/cardio.yaml --read-out
