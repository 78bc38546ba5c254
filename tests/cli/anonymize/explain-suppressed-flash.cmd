# Why classes were suppressed, by an optimal search.
sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
cat >> s.yaml <<'END'
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: distinct, l: 3, attribute: disease}
utility: {suppression: 0.4}
algorithm: flash
END
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --explain --summary flash.json
sed -n '/"suppressed":	\[/,/\]/p' flash.json
kith verify s.yaml r.csv --data $FIXTURES/models/people.csv --quiet
