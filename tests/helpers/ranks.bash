# What tests of ranks share (tests/scripts/*ranks*.sh). They run under Open MPI; scripts/check-mpich runs them under
# MPICH, with KITH_LAUNCHER=mpich and its plugin as KITH_RANKS_PLUGIN. KITH_LAUNCHER=slurm is for a machine with Slurm.
launcher=${KITH_LAUNCHER:-openmpi}
[ -z "${KITH_RANKS_PLUGIN-}" ] || export KITH_MPI=$KITH_RANKS_PLUGIN

# ranks N PROGRAM [ARGUMENT]…: under the launcher. There may be more ranks than processors.
ranks() {
  local n=$1 as_root=
  shift
  case $launcher in
    openmpi)
      [ "$(id -u)" != 0 ] || as_root=--allow-run-as-root
      mpirun $as_root --oversubscribe -n "$n" "$@" ;;
    mpich) mpiexec.mpich -n "$n" "$@" ;;
    slurm) srun --quiet --mpi=pmix --overcommit -n "$n" "$@" ;;
  esac
}
# The plugin in the directory of a build, unless another one is tested.
ranks_plugin() { echo "${KITH_RANKS_PLUGIN:-$1/libkith-mpi.so}"; }
# The exit status of the launcher when a rank was killed.
case $launcher in mpich) ranks_killed=9 ;; *) ranks_killed=137 ;; esac
# printed FILE: whether ranks have printed something. That of MPICH puts its own notice on standard output.
printed() { grep -qvE '^(=.*|YOUR APPLICATION TERMINATED .*|This typically refers .*|Please see the FAQ .*)?$' "$1"; }

# same_as_alone NAME RANKS ARGUMENT…: $kith says the same alone and over these numbers of ranks: text, summary, message and exit
# status, which is left in $status; texts and summaries are left in one, many, one.json and many.json.
same_as_alone() {
  local name=$1 numbers=$2 n found
  shift 2
  status=0
  rm -f one.json many.json
  "$kith" "$@" --summary one.json >one 2>one.err || status=$?
  for n in $numbers; do
    found=0
    ranks "$n" "$kith" "$@" --summary many.json --force >many 2>many.err || found=$?
    [ $found = $status ] || { cat many.err >&2; fail "$name: status $found of $n ranks, $status of one process"; }
    diff one many >&2 || fail "$name: $n ranks say something else"
    [ ! -e one.json ] || cmp one.json many.json || fail "$name: $n ranks have another summary"
    diff <(grep '^kith: error' one.err) <(grep '^kith: error' many.err) || fail "$name: $n ranks have another message"
  done
}
