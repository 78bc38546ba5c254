cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: horizontal
protocol: id-bound
END
kith study check s.yaml
