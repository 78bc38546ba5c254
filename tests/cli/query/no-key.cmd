kith query $FIXTURES/virtual.yaml --as alice "SELECT count(*)"
