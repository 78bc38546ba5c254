# What tests of ranks share (tests/scripts/ranks*.sh).

# ranks N PROGRAM [ARGUMENT]…: under the launcher. There may be more ranks than processors.
ranks() {
  local n=$1 as_root=
  shift
  [ "$(id -u)" != 0 ] || as_root=--allow-run-as-root
  mpirun $as_root --oversubscribe -n "$n" "$@"
}
