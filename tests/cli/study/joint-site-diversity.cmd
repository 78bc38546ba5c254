cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
  - {model: l-site-diversity, variant: sites, l: 2}
partition: horizontal
END
kith study check s.yaml
