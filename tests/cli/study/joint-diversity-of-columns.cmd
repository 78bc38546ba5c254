cat $FIXTURES/joint/keys.yaml - > s.yaml <<'END'
partition: vertical
ids: pid
private_diversity: true
END
kith study check s.yaml
