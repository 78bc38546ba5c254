bash $FIXTURES/counted/make
kith verify s.yaml r.csv --data d.csv
