printf '' > b.yaml
kith study check b.yaml
