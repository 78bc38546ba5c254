# The only process of a launcher needs no plugin.
KITH_MPI=/nowhere/libkith-mpi.so PMI_RANK=0 PMI_SIZE=1 kith describe $FIXTURES/jobs/people.csv | head -n 1 | sed 's/.*people/people/'
