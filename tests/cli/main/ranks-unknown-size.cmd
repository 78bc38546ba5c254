PMIX_RANK=0 kith generate hospital -o x.csv
