kith cert init north -o n.key --quiet
kith smc union $FIXTURES/two-parties.yaml --as north --key n.key abcdef --width 5
