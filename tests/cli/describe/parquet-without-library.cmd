export KITH_DUCKDB=/nowhere
: >d.parquet
kith describe d.parquet
