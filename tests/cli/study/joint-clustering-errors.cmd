cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
protocol: clustering
algorithm: weave
noise: 0.1
ids: a
END
kith study check s.yaml
