#!/usr/bin/env bash
# kith verify and kith measure over ranks of MPI beside one process on the same release: seconds, processor time of all ranks,
# peak memory of the largest rank. Summaries are compared with those of one process.
#   bench/ranks_measure.sh BUILD ROWS RANKS…        bench/ranks_measure.sh build/release 10000000 2 4
set -eu
build=$(realpath "$1"); rows=$2; shift 2
kith=$build/kith
# shellcheck source=tests/helpers/ranks.bash
. "$(dirname "$0")/../tests/helpers/ranks.bash"
export KITH_MPI=$build/libkith-mpi.so
work=$(mktemp -d "${TMPDIR:-/tmp}/kith-ranks.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$kith" generate adult -n "$rows" --seed 2 -o "$work/data.csv" --quiet
{ cat "$work/data.study.yaml"; echo "effort: quick"; } >"$work/study.yaml"
"$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/release.csv" --seed 5 --quiet

# timed NAME COMMAND…: a line of figures about the command and all that it starts.
timed() { python3 -c '
import resource, subprocess, sys, time
begun = time.monotonic()
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%-22s %7.1f s  %7.1f s of processors  %5.0f MB"
      % (sys.argv[1], time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3))' "$@"; }
export -f ranks; export launcher
# both COMMAND ARGUMENT…: alone and over ranks.
both() {
  local command=$1 n
  timed "$command, one process" "$kith" "$@" --threads 1 --quiet --force --summary "$work/one.json"
  for n in $numbers; do
    # shellcheck disable=SC2016
    timed "$command, $n ranks" bash -c 'ranks "$@"' bash "$n" "$kith" "$@" --threads 1 --quiet --force --summary "$work/many.json"
    cmp "$work/one.json" "$work/many.json"
  done
}
numbers="$*"
both verify "$work/study.yaml" "$work/release.csv" --data "$work/data.csv"
both measure "$work/study.yaml" "$work/data.csv" "$work/release.csv"
