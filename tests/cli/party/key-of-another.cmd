kith cert init north -o n.key --quiet
kith party $FIXTURES/two-parties.yaml --dry-run --as north --key n.key 2>&1 | sed -E 's/certificate sha256:[0-9a-f]{64}/certificate PIN/'
