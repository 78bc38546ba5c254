kith cert init north -o n.key --quiet
kith party $FIXTURES/two-parties.yaml --as north --key n.key
