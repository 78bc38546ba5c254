printf 'study: a\n' > s.yaml
kith study digest s.yaml
