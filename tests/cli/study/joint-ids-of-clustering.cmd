cat $FIXTURES/joint/keys.yaml - > s.yaml <<'END'
protocol: clustering
ids: pid
unmatched: error
END
kith study check s.yaml
