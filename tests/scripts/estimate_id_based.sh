#!/usr/bin/env bash
# kith estimate of the protocol id-based against the run: rounds, messages and bytes follow from sizes and are within 10%,
# whether the table is k-anonymous already or not.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "estimate_id_based: $1" >&2; exit 1; }
at() { sqlite3 :memory: "select json_extract(readfile('$1'), '\$.$2')"; }
near() { awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > 0 && b > 0 && a <= 1.1 * b && b <= 1.1 * a) }' || fail "$4: $1 estimated $2, was $3"; }
awk 'BEGIN { srand(3); print "a,b,ill"; for (i = 0; i < 200; i++) printf "v%d,%s,%s\n", 20 * rand(), rand() < .5 ? "x" : "y", substr("abc", 1 + 3 * rand(), 1) }' >q.csv
for keys in 'privacy: [{model: k-anonymity, k: 3}]' 'privacy: [{model: k-anonymity, k: 5}]
lists: 40' 'privacy: [{model: k-anonymity, k: 2}]
lists: 48'; do
  cat >id.yaml <<END
study: id
columns: [{name: a, role: quasi-identifying}, {name: b, role: quasi-identifying}, {name: ill, role: sensitive}]
partition: horizontal
protocol: id-based
$keys
END
  "$kith" estimate id.yaml -i q.csv --sites 2 --seed 1 --json --no-progress >e.json
  "$kith" simulate id.yaml -i q.csv --sites 2 --in-process --seed 1 -o run-id --force -q --no-progress
  for figure in rounds messages bytes; do
    near $figure "$(at e.json $figure)" "$(at run-id/summary.json protocol.$figure)" "$keys"
  done
done
