head -c 300 /dev/zero | tr '\0' '[' > h.yaml
kith study check h.yaml
