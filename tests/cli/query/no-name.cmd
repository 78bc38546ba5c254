kith query $FIXTURES/virtual.yaml --key a.key "SELECT count(*)"
