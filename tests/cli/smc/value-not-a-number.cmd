kith cert init north -o n.key --quiet
kith smc sum $FIXTURES/two-parties.yaml --as north --key n.key 1 x
