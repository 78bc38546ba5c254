# Why classes were suppressed, by a greedy search.
sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
cat >> s.yaml <<'END'
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: distinct, l: 3, attribute: disease}
utility: {suppression: 0.4}
algorithm: top-down
END
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --explain --summary top-down.json
kith verify s.yaml r.csv --data $FIXTURES/models/people.csv --quiet
