cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
hashing: maybe
END
kith study check s.yaml
