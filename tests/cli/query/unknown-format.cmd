kith query $FIXTURES/virtual.yaml --as alice --key a.key "SELECT count(*)" --format xml
