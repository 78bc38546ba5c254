cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
  - {model: t-closeness, t: 0.2, attribute: d}
  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a]}
partition: horizontal
blur: true
reweave: 3
END
kith study check s.yaml
