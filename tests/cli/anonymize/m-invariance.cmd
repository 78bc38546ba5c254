# The first release of a series: every class has m diseases.
cat $FIXTURES/series/base.yaml - > s.yaml <<< "  - {model: m-invariance, m: 2, attribute: disease}"
kith anonymize s.yaml -i $FIXTURES/series/first.csv -o r1.csv --mapping m0.csv --quiet
cat r1.csv
