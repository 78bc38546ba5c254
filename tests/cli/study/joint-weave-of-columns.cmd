cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: vertical
protocol: weave
hide_sizes: true
quiet: true
END
kith study check s.yaml
