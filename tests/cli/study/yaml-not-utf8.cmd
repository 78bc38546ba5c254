printf 'study: \377\n' > f.yaml
kith study check f.yaml
