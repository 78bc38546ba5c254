cat > s.yaml <<'END'
study: a
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
utility:
  measure: dm
  suppression: 1.5
  weights: {age: -1, disease: 2, job: 1, sex: much, sex: 2}
  class: pid
  norm: 1
END
kith study check s.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
sed -e 's/measure: dm/measure: kl/' -e 's/weights: .*/weights: {age: 0, sex: 0}/' -e 's/class: pid/class: pdi/' s.yaml > t.yaml
kith study check t.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
sed -e 's/measure: dm/measure: ml/' -e 's/weights: .*/weights: [1]/' s.yaml > u.yaml
kith study check u.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
