kith party $FIXTURES/two-parties.yaml --dry-run --as north --key missing.key
