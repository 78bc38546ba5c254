kith describe --json $FIXTURES/dates.csv | grep -E '"(name|type|format|format_ambiguous)"'
