echo 'study: x' > s.yaml
kith study digest s.yaml --json
