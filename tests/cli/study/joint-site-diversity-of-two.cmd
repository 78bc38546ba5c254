cat $FIXTURES/joint/keys.yaml - > s.yaml <<'END'
  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a, b]}
partition: horizontal
END
kith study check s.yaml
