cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
lists: 1048577
END
kith study check s.yaml
