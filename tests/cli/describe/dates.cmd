kith describe $FIXTURES/dates.csv | sed '/^Quasi/,$d'
kith describe --json $FIXTURES/dates.csv | grep -E '"(name|type|format|format_ambiguous)"'
