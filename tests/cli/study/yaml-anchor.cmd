printf 'study: &x a\nname: *x\n' > d.yaml
kith study check d.yaml
