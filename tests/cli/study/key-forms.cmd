# The digest does not depend on how a key is written.
pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
kith cert init north -o n.key -q
words=$(kith cert show n.key --json | sed -n 's/.*"words":[^"]*"\(.*\)".*/\1/p')
hex=$(kith cert show n.key --json | grep -o '[0-9a-f]\{64\}')
study() {
  sed '/parties/,$d' $FIXTURES/two-parties.yaml
  echo "parties:"
  echo "  - {name: north, address: 'h:7001', key: '$1'}"
  echo "  - {name: south, address: 'h:7002', key: 'sha256:$pin'}"
}
study "sha256:$hex" > a.yaml; study "${hex^^}" > b.yaml; study "$words" > c.yaml
study "SHA256: $(sed 's/..../&-/g' <<< $hex)" > d.yaml
digest=$(kith study digest a.yaml)
for other in b c d; do kith study digest $other.yaml --expect $digest; done
