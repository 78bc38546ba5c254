kith describe $FIXTURES/measures/people.csv --engine sql
