printf 'email,ssn\na@b,1\nc@d,2\n' > ids.csv
kith study init ids.csv -o t.yaml
cat t.yaml
kith study check --quiet t.yaml ids.csv
