head -c 1048577 /dev/zero | tr '\0' '#' > i.yaml
kith study check i.yaml
