printf 'study: !!str a\n' > e.yaml
kith study check e.yaml
