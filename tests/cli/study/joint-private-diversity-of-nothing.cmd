cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
protocol: clustering
private_diversity: true
END
kith study check s.yaml
