kith study check --wrong x.yaml
