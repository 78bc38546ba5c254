cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
  - {model: l-diversity, l: 2, attribute: d}
protocol: clustering
private_diversity: true
END
kith study check s.yaml
