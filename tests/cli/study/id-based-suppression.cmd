cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
utility: {suppression: 0.1}
END
kith study check s.yaml
