sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
cat >> s.yaml <<'END'
  - {model: t-closeness, t: 1.5, attribute: disease}
  - {model: t-closeness, t: -0.1, attribute: disease}
  - {model: t-closeness, variant: hierarchical, t: 0.1, attribute: stay}
  - {model: t-closeness, variant: ordered, t: 0.1, attribute: enrolled}
  - {model: t-closeness, t: 0.1, attribute: age}
  - {model: l-diversity, variant: recursive, l: 2, attribute: disease}
  - {model: l-diversity, variant: recursive, l: 2, c: 0, attribute: disease}
  - {model: l-diversity, variant: recursive, l: 2.5, c: 3, attribute: disease}
  - {model: l-diversity, variant: entropy, l: 2, c: 3, attribute: disease}
  - {model: alpha-k, alpha: 0, k: 3, attribute: disease}
  - {model: alpha-k, alpha: 1.1, k: 3, attribute: disease}
  - {model: alpha-k, alpha: 0.5, attribute: disease}
  - {model: p-sensitive, p: 4, k: 3, attribute: disease}
  - {model: lkc, l: 2, k: 3, c: 2, attribute: disease}
  - {model: lkc, l: 0, k: 3, c: 0.5, attribute: disease}
  - {model: delta-presence, min: 0.5, max: 0.2, subset: {column: enrolled, values: ['yes']}}
  - {model: delta-presence, min: 0.1, max: 1.2, subset: {column: enrolled, values: ['yes']}}
  - {model: delta-presence, min: 0.1, max: 0.2, subset: {column: age, values: ['21']}}
  - {model: delta-presence, min: 0.1, max: 0.2, subset: {column: enrolled, values: []}}
  - {model: delta-presence, min: 0.1, max: 0.2, subset: people}
  - {model: delta-presence, min: 0.1, max: 0.2}
  - {model: dissimilarity, epsilon: 2, delta: 0.5, k: 3, attribute: disease}
  - {model: dissimilarity, epsilon: 0.1, delta: 0, k: 3, attribute: disease}
  - {model: delta-disclosure, delta: 0, attribute: disease}
  - {model: beta-likeness, beta: -1, attribute: disease}
  - {model: beta-likeness, variant: best, beta: 1, attribute: disease}
  - {model: k-map, k: 3}
  - {model: m-invariance, m: 1, attribute: disease}
  - {model: m-invariance, m: 2, attribute: disease, previous: [old.csv]}
  - {model: m-invariance, m: 2, attribute: disease, previous: [old.csv], id: age}
  - {model: l-site-diversity, l: 2}
END
kith study check s.yaml
