s=$FIXTURES/two-parties.yaml
kith cert init north -o n.key --quiet
kith party $s --as north --key n.key; echo $?
kith party $s --dry-run --key n.key; echo $?
kith party $s --dry-run --as north; echo $?
kith party $s --dry-run --as west --key n.key; echo $?
kith party $s --dry-run --as north --key missing.key; echo $?
kith party $s --dry-run --as north --key n.key 2>&1 | sed -E 's/certificate sha256:[0-9a-f]{64}/certificate PIN/'
kith party $s --dry-run --as north --key n.key --wait soon; echo $?
kith party $s --dry-run --as north --key n.key --delay -1s; echo $?
grep -v -e parties -e timeout -e name:.*key $s > alone.yaml
kith party alone.yaml --dry-run --as north --key n.key; echo $?
