printf 'study: [a\n' > a.yaml
kith study check a.yaml
