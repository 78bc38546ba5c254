# a row whose range no two records are in: seen although rows are only counted
bash $FIXTURES/counted/make
sed -i 's/^10000\.\.10001,\*$/10002,f/' r.csv
kith verify s.yaml r.csv --data d.csv
