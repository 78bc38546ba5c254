#!/usr/bin/env bash
# kith anonymize over ranks of MPI beside one process on the same data: seconds, processor time of all ranks, peak memory of the
# largest rank, bytes sent per record. Every release is compared with that of one process.
#   bench/ranks.sh BUILD ROWS RANKS…               bench/ranks.sh build/release 10000000 2 4
# With -a a search of a lattice, on other data, which suppresses up to 2 % of the records:
#   bench/ranks.sh -a ALGORITHM BUILD ROWS RANKS…  bench/ranks.sh -a flash build/release 300000 2 4
# The data is a CSV file; DATA=postgresql makes it a table of a private server, and DATA='postgresql&order=id' is read by its key.
set -eu
algorithm=
[ "$1" != -a ] || { algorithm=$2; shift 2; }
build=$(realpath "$1"); rows=$2; shift 2
kith=$build/kith
# shellcheck source=tests/helpers/ranks.bash
. "$(dirname "$0")/../tests/helpers/ranks.bash"
export KITH_MPI=$build/libkith-mpi.so
if [ "${DATA:-csv}" = csv ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/kith-ranks.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
else
  # shellcheck source=tests/helpers/postgres.bash
  . "$(dirname "$0")/../tests/helpers/postgres.bash"
  start_server main max_wal_size=8GB
fi
if [ -n "$algorithm" ]; then
  "$kith" generate hospital -n "$rows" --seed 2 -o "$work/data.csv" --quiet
  sed -e '/^algorithm:/d' -e 's/^  measure:.*/&\n  suppression: 0.02/' "$work/data.study.yaml" >"$work/study.yaml"
  echo "algorithm: $algorithm" >>"$work/study.yaml"
else
  "$kith" generate adult -n "$rows" --seed 2 -o "$work/data.csv" --quiet
  { cat "$work/data.study.yaml"; echo "effort: quick"; } >"$work/study.yaml"
fi
data=$work/data.csv
if [ "${DATA:-csv}" != csv ]; then
  columns=$(head -n 1 "$data" | sed 's/[^,]*/"&"/g')
  sql "CREATE TABLE people (${columns//,/ text, } text, id serial)"
  sql "COPY people (${columns}) FROM STDIN (FORMAT csv, HEADER)" <"$data"
  sql 'ALTER TABLE people ADD PRIMARY KEY (id); ANALYZE people'
  rm "$data"
  data=$(uri "people${DATA#postgresql}")
fi
TIMEFORMAT='%R %U %S'
# line NAME SUMMARY TIMES
line() { python3 -c '
import json, sys
name, d, (real, user, system) = sys.argv[1], json.load(open(sys.argv[2])), map(float, open(sys.argv[3]).read().split()[-3:])
print("%-12s %7.1f s  %7.1f s of processors  %5.0f MB  %5.1f bytes sent per record  lm %.6f"
      % (name, real, user + system, d["peak_rss_bytes"] / 1e6, d.get("sent_bytes", 0) / d["records"], d["loss"]["lm"]))' "$@"; }
arguments=(anonymize "$work/study.yaml" -i "$data" --seed 5 --threads 1 --json --quiet)
{ time "$kith" "${arguments[@]}" -o "$work/one.csv" >"$work/one.json"; } 2>"$work/time"
line "one process" "$work/one.json" "$work/time"
for n; do
  { time ranks "$n" "$kith" "${arguments[@]}" -o "$work/parts" >"$work/many.json"; } 2>"$work/time"
  { head -n 1 "$work/one.csv"; tail -q -n +2 "$work"/parts/part-*.csv; } | cmp - "$work/one.csv"
  line "$n ranks" "$work/many.json" "$work/time"
  rm -r "$work/parts"
done
