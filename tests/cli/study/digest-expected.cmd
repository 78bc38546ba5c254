digest=$(kith study digest $FIXTURES/study/cardio.yaml | tr a-f A-F | sed 's/..../& /g')
kith study digest $FIXTURES/study/cardio.yaml --expect "$digest"
