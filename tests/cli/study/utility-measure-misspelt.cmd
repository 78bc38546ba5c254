sed -e 's/measure: dm/measure: ml/' -e 's/weights: .*/weights: [1]/' $FIXTURES/study/utility.yaml > u.yaml
kith study check u.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
