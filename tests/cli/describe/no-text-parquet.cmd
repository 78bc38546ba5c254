printf 'PAR1\25\4\25' >x.parquet
kith describe x.parquet
