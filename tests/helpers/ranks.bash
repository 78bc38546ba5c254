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
