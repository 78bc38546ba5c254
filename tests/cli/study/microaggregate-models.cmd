cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, microaggregate: mean}
  - {name: s, role: sensitive}
privacy:
  - {model: k-map, k: 2, population: p.csv}
  - {model: dissimilarity, epsilon: 0.5, delta: 0.4, k: 2, variant: equal}
  - {model: m-invariance, m: 2}
algorithm: flash
END
kith study check s.yaml
