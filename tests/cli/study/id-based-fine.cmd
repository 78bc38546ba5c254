cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
lists: 1000
hashing: off
publish: own-rows
pkg: self
END
kith study check s.yaml
