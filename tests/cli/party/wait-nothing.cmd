kith cert init north -o n.key --quiet
kith party $FIXTURES/two-parties.yaml --dry-run --as north --key n.key --wait 0s
