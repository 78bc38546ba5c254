kith cert init north -o n.key --quiet
kith smc max $FIXTURES/two-parties.yaml --as north --key n.key 1
