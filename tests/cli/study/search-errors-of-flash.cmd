sed 's/algorithm: .*/algorithm: flash/' $FIXTURES/study/search.yaml > t.yaml
kith study check t.yaml 2>&1 | sed 's/which has .*/which has …/'
