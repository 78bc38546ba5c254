printf 'yes,"a ""b""\\c",null\n1,x,5\n1,y,6\n' > odd.csv
kith study init odd.csv -o s.yaml
cat s.yaml
kith study check --quiet s.yaml odd.csv
