kith cert init north -o n.key --quiet
grep -v -e parties -e timeout -e name:.*key $FIXTURES/two-parties.yaml > alone.yaml
kith party alone.yaml --dry-run --as north --key n.key
