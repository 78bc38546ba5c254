cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: horizontal
protocol: id-based
END
kith study check s.yaml
