kith generate hospital -n 10 -o x.parquet
