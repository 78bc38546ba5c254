kith describe 'parts/*.parquet'
