sed -e 's/measure: dm/measure: kl/' -e 's/weights: .*/weights: {age: 0, sex: 0}/' -e 's/class: pid/class: pdi/' $FIXTURES/study/utility.yaml > t.yaml
kith study check t.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
