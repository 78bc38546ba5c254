cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
utility: {weights: {age: 2}}
END
kith study check s.yaml
