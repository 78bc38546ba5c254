#!/usr/bin/env bash
# What it takes to count persons where a table is larger than memory, or on several ranks: hospital data in which age, sex, zip and
# job of a person stay and the rest changes, rows in random order, 5 records or 5 persons in every class, also with 2-diversity of
# the disease. Every release is compared with that of one process in memory.
# usage: bench/persons_places.sh BUILD [ROWS PERSONS]
set -euo pipefail
build=$(realpath "$1") kith=$(realpath "$1")/kith n=${2:-1000000} persons=${3:-300000}
# shellcheck source=tests/helpers/ranks.bash
. "$(dirname "$0")/../tests/helpers/ranks.bash"
export KITH_MPI=$build/libkith-mpi.so
work=$(mktemp -d "${TMPDIR:-/tmp}/kith-persons.XXXXXX"); trap 'rm -rf "$work"' EXIT
cd "$work"
"$kith" generate hospital -n "$n" -o rows.csv --seed 1 -q
awk -F, -v OFS=, -v persons="$persons" 'BEGIN { srand(1) } NR == 1 { print; next }
  { p = int(rand() * persons); $1 = p; if (p in kept) { split(kept[p], c, ","); for (i = 3; i <= 6; i++) $i = c[i - 2] }
    else kept[p] = $3 "," $4 "," $5 "," $6; print }' rows.csv >data.csv
sed -e '/^privacy:/,$d' -e 's/^columns:/&\n  - {name: pid, role: identifying}/' rows.study.yaml >columns.yaml
{ cat columns.yaml; echo 'effort: quick'; echo 'privacy:'; echo '  - {model: k-anonymity, k: 5}'; } >k.yaml
{ cat k.yaml; echo '  - {model: l-diversity, variant: frequency, l: 2, attribute: disease}'; } >l.yaml
{ sed '/^effort/d' l.yaml; echo 'algorithm: flash'; echo 'utility: {suppression: 0.02}'; } >flash.yaml
for study in k l flash; do { cat $study.yaml; echo 'unit: pid'; } >$study-persons.yaml; done
TIMEFORMAT='%R %U %S'
line() { python3 -c '
import json, sys
name, d, (real, user, system) = sys.argv[1], json.load(open(sys.argv[2])), map(float, open(sys.argv[3]).read().split()[-3:])
print("%-34s %7.1f s  %7.1f s of processors  %5.0f MB  %5.1f bytes sent per record  lm %.4f"
      % (name, real, user + system, d["peak_rss_bytes"] / 1e6, d.get("sent_bytes", 0) / d["records"], d["loss"]["lm"]))' "$@"; }
ls -l data.csv | awk '{ printf "%.0f MB, ", $5 / 1e6 }'; tail -n +2 data.csv | cut -d, -f1 | sort -u | wc -l | sed 's/$/ persons/'
for study in k k-persons l l-persons flash flash-persons; do
  arguments=(anonymize $study.yaml -i data.csv --seed 5 --threads 1 --json --quiet --force)
  { time "$kith" "${arguments[@]}" -o one.csv >one.json; } 2>times
  line "$study, in memory" one.json times
  { time "$kith" "${arguments[@]}" -o disk.csv --memory 100MB >disk.json; } 2>times
  cmp one.csv disk.csv; line "$study, from the disk, 100MB" disk.json times
  { time ranks 2 "$kith" "${arguments[@]}" -o parts >many.json; } 2>times
  { head -n 1 one.csv; tail -q -n +2 parts/part-*.csv; } | cmp - one.csv; line "$study, 2 ranks" many.json times
done
