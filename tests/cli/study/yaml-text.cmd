printf 'just a text\n' > j.yaml
kith study check j.yaml
