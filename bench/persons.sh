#!/usr/bin/env bash
# What counting persons costs: hospital data with 1, 3 and 10 rows per person, in which age, sex, zip and job stay
# and the date of admission changes. Loss (lm) and classes with k = 5 records, and with k = 5 persons; with persons
# also at three sites, none of whom is at two, by every protocol over rows.
# usage: bench/persons.sh BUILD [PERSONS]
set -euo pipefail
kith=$(readlink -f "$1")/kith n=${2:-2000}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
"$kith" generate hospital -n "$n" -o hospital.csv --seed 1 -q
sed -e '/^privacy:/,$d' -e 's/^columns:/&\n  - {name: pid, role: identifying}/' hospital.study.yaml >columns.yaml
{ cat columns.yaml; echo 'privacy: [{model: k-anonymity, k: 5}]'; } >rows.yaml
{ cat rows.yaml; echo 'unit: pid'; } >persons.yaml
figure() { sed -n "s/^\t\"$2\":\t\([0-9.]*\).*/\1/p" "$1" | head -1; }
echo "rows per person, models count, loss, classes, fewest persons in a class, seconds"
for rows in 1 3 10; do
  awk -F, -v OFS=, -v rows="$rows" 'BEGIN { srand(1) } NR == 1 { for (i = 1; i <= NF; i++) if ($i == "admitted") at = i; print; next }
    { for (r = 0; r < rows; r++) { $at = sprintf("2024-%02d-%02d", 1 + rand() * 12, 1 + rand() * 28); print } }' hospital.csv >data.csv
  for count in rows persons; do
    "$kith" anonymize $count.yaml -i data.csv -o release.csv -f --seed 1 --mapping mapping.csv --summary summary.json -q 2>/dev/null
    # The persons of the classes of both, from data, release and mapping.
    "$kith" verify persons.yaml release.csv --data data.csv --mapping mapping.csv --summary verdict.json -q -f || true
    echo "$rows, $count, $(figure summary.json objective), $(figure summary.json classes), $(figure verdict.json smallest_class_persons)," \
      "$(sed -n 's/.*"search":\t\([0-9.]*\).*/\1/p' summary.json | head -1)"
  done
  for protocol in weave clustering mondrian; do
    { cat persons.yaml; printf 'overlap: none\npartition: horizontal\nprotocol: %s\n' $protocol; } >joint.yaml
    "$kith" simulate joint.yaml -i data.csv --sites 3 --split hash:pid -o run -f --in-process --seed 1 --summary summary.json -q 2>/dev/null
    echo "$rows, persons at three sites by $protocol, $(figure summary.json objective), $(figure summary.json classes)"
  done
done
