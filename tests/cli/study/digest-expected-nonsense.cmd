kith study digest $FIXTURES/study/cardio.yaml --expect 'apple pie'
