kith cert init north -o n.key --quiet
kith party $FIXTURES/two-parties.yaml --dry-run --key n.key
