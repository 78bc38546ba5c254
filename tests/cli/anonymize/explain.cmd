sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
cat >> s.yaml <<END
  - {model: k-anonymity, k: 2}
  - {model: l-diversity, variant: distinct, l: 3, attribute: disease}
  - {model: t-closeness, variant: hierarchical, t: 0.4, attribute: disease}
  - {model: k-map, k: 4, population: $FIXTURES/models/population.csv}
algorithm: mondrian
END
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --seed 1 --explain --summary s.json
sed -n '/"explain"/,/"dropped"/p' s.json
