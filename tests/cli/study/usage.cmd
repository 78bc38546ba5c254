kith study
kith study chekc x.yaml
kith study check
kith study check --wrong x.yaml
kith study digest a b
kith study init
