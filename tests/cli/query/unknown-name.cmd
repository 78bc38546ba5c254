kith query $FIXTURES/virtual.yaml --as mallory --key a.key "SELECT count(*)"
