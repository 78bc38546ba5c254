cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: l-diversity, variant: distinct, l: 2}]
unit: pid
partition: horizontal
protocol: mondrian
overlap: none
END
kith study check s.yaml
echo 'ranges: true' >>s.yaml
kith study check s.yaml
