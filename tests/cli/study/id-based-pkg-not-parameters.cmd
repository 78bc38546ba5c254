printf 'a\0b' > strange.pkg
cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
pkg: strange.pkg
END
kith study check s.yaml
