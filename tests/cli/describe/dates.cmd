kith describe $FIXTURES/dates.csv | sed '/^Quasi/,$d'
