cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
pkg: nowhere.pkg
END
kith study check s.yaml
