cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
protocol: mondrian
alpha: 0.5
END
kith study check s.yaml
