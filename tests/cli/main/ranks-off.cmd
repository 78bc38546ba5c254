# With KITH_MPI=off every process works for itself, and so does the only one of a launcher.
KITH_MPI=off OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 kith generate hospital -n 10 -o x.csv -q
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 kith generate hospital -n 10 -o y.csv -q
# A batch script of Slurm is no rank.
SLURM_PROCID=0 SLURM_NTASKS=4 kith generate hospital -n 10 -o z.csv -q
ls *.csv
