kith anonymize $FIXTURES/measures/base.yaml -i $FIXTURES/measures/people.csv -o r.csv --memory 500
