cat $FIXTURES/joint/keys.yaml - > s.yaml <<'END'
partition: horizontal
ids: pid
unmatched: error
END
kith study check s.yaml
