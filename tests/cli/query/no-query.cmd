kith query $FIXTURES/virtual.yaml --as alice --key a.key
