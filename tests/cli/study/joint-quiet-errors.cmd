cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
  - {model: l-diversity, variant: frequency, l: 2, attribute: d}
partition: horizontal
quiet: true
blur: true
END
kith study check s.yaml
