cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
  - {model: l-site-diversity, variant: attributes, l: 2}
  - {model: m-privacy, k: 1}
partition: horizontal
END
kith study check s.yaml
