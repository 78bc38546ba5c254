# Ranks of an MPI launcher: those by MPI do what threads as ranks do, with any number of ranks and with messages in
# parts.
set -eu
build=$3
# shellcheck source=tests/helpers/ranks.bash
. "$2/tests/helpers/ranks.bash"
export KITH_MPI=$(ranks_plugin "$build")
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT

for n in 1 2 3 4 7; do
  ranks "$n" "$build/tests/mpi_ranks" >"$scratch/out" 2>&1 && [ ! -s "$scratch/out" ] ||
    { echo "ranks: $n ranks:"; cat "$scratch/out"; exit 1; }
done
# Messages that are larger than MPI moves at a time.
KITH_MPI_PART=64 ranks 3 "$build/tests/mpi_ranks"
KITH_MPI_PART=1000 ranks 2 "$build/tests/mpi_ranks" 123457
