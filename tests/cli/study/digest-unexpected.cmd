digest=$(kith study digest $FIXTURES/study/cardio.yaml)
kith study digest $FIXTURES/study/cardio.yaml --expect "${digest:0:8}0000${digest:12}"
