OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 kith generate hospital -o x.csv
