sed '/^protocol/d' $FIXTURES/joint/id-based.yaml > head.yaml
cat head.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
protocol: weave
lists: 100
hashing: on
pkg: self
period: 2026-11
END
kith study check s.yaml
