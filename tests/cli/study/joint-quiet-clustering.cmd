cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
protocol: clustering
quiet: true
END
kith study check s.yaml
