cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
partition: vertical
END
kith study check s.yaml
