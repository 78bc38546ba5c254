export KITH_MPI=/nowhere/libkith-mpi.so OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
kith describe $FIXTURES/jobs/people.csv
