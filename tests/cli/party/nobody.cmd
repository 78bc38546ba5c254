kith cert init south -o s.key --quiet
pin=$(kith cert show s.key | sed -n 's/^key: "\(.*\)"/\1/p')
sed "s/sha256:1.*1\"/$pin\"/" $FIXTURES/two-parties.yaml > s.yaml
trap 'test ! -e run' EXIT
kith party s.yaml --dry-run --as south --key s.key --wait 2s --no-progress -o run
