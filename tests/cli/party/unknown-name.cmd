kith cert init north -o n.key --quiet
kith party $FIXTURES/two-parties.yaml --dry-run --as west --key n.key
