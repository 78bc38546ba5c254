#!/usr/bin/env bash
# What it costs to count persons: a table of ROWS rows of PERSONS persons, with and without `unit`, by every algorithm
# that counts them. Prints seconds of processor time, of the whole run and of both runs' ratio, and losses.
# usage: persons_speed.sh KITH [ROWS PERSONS]
set -euo pipefail
kith=$(readlink -f "$1") rows=${2:-1000000} persons=${3:-300000}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
awk -v rows="$rows" -v persons="$persons" 'BEGIN {
  srand(1); split("flu gout cold hiv asthma none ms burn", ills, " "); print "pid,age,zip,sex,day,ill"
  for (p = 0; p < persons; p++) { age[p] = 18 + int(73 * rand()); zip[p] = int(1000 * rand()); sex[p] = rand() < 0.5 ? "f" : "m"; ill[p] = ills[1 + int(8 * rand())] }
  for (i = 0; i < rows; i++) {
    p = i < persons ? i : int(persons * rand())
    printf "%d,%d,%03d,%s,%d,%s\n", p, age[p] + int(2 * rand()), zip[p], sex[p], 1 + int(365 * rand()), rand() < 0.5 ? ill[p] : ills[1 + int(8 * rand())]
  } }' >sorted.csv
{ head -1 sorted.csv; tail -n +2 sorted.csv | shuf --random-source=<(yes); } >data.csv
study() { # ALGORITHM MORE MODEL
  cat <<END
study: persons
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 119]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: sex, role: quasi-identifying}
  - {name: day, role: quasi-identifying, type: integer, hierarchy: {intervals: [7, 28, 84]}, domain: {range: [0, 400]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 5}$3]
algorithm: $1
$2
END
}
loss() { sed -n 's/^loss *\([0-9.]*\).*/\1/p' told.txt; }
measure() { # ALGORITHM MODEL
  local seconds=() losses=() unit
  for unit in '' 'unit: pid'; do
    study "$1" "$unit" "$2" >s.yaml
    /usr/bin/time -f %U -o time.txt "$kith" anonymize s.yaml -i data.csv -o r.csv --seed 1 --force --no-progress >told.txt 2>/dev/null
    seconds+=("$(tail -1 time.txt)"); losses+=("$(loss)")
  done
  awk -v a="$1" -v r="${seconds[0]}" -v u="${seconds[1]}" -v l="${losses[0]}" -v m="${losses[1]}" \
    'BEGIN { printf "| %s | %.2f | %.2f | %.2f | %s | %s |\n", a, r, u, u / r, l, m }'
}
echo "| algorithm | rows, s | persons, s | ratio | loss, rows | loss, persons |"; echo "|---|---|---|---|---|---|"
for a in weave mondrian flash ola incognito breadth-first depth-first datafly top-down hilbert; do measure $a ''; done
echo "With distinct 3-diversity:"
for a in weave mondrian flash ola top-down; do measure $a ', {model: l-diversity, variant: distinct, l: 3, attribute: ill}'; done
echo "With 2-diversity by frequency:"
for a in weave mondrian flash ola depth-first top-down; do measure $a ', {model: l-diversity, variant: frequency, l: 2, attribute: ill}'; done
