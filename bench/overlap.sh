#!/usr/bin/env bash
# What it costs to count persons at several sites once: hospital data with 1, 3 and 10 rows per person distributed to two
# hospitals, of whose persons 0, 5 and 20 percent are at both, as in bench/persons.sh; k = 5. Loss (lm) and classes of the protocol
# weave with `overlap: none`, which counts them twice, and with `overlap: matched`.
# usage: bench/overlap.sh BUILD [PERSONS]
set -euo pipefail
kith=$(readlink -f "$1")/kith n=${2:-2000}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
"$kith" generate hospital -n "$n" -o hospital.csv --seed 1 -q
{ sed -e '/^privacy:/,$d' -e 's/^columns:/&\n  - {name: pid, role: identifying}\n  - {name: house, role: insensitive}/' hospital.study.yaml
  printf 'privacy: [{model: k-anonymity, k: 5}]\nunit: pid\npartition: horizontal\npublish_insensitive: false\n'; } >study.yaml
figure() { sed -n "s/^\t\"$2\":\t\([0-9.]*\).*/\1/p" "$1" | head -1; }
echo "rows per person, share at both, overlap, loss, classes, seconds of the protocol"
for rows in 1 3 10; do
  for share in 0 5 20; do
    awk -F, -v OFS=, -v rows="$rows" -v share="$share" 'BEGIN { srand(1) }
      NR == 1 { for (i = 1; i <= NF; i++) if ($i == "admitted") at = i; print $0, "house"; next }
      { own = rand() < 0.5; both = rand() * 100 < share
        for (house = 0; house < 2; house++) for (r = 0; r < rows && (both || house == own); r++) {
          $at = sprintf("2024-%02d-%02d", 1 + rand() * 12, 1 + rand() * 28); print $0, "h" house } }' hospital.csv >data.csv
    for overlap in none matched; do
      { cat study.yaml; echo "overlap: $overlap"; } >one.yaml
      "$kith" simulate one.yaml -i data.csv --split by:house --sites 2 -o run -f --in-process --seed 1 -q 2>/dev/null
      echo "$rows, $share%, $overlap, $(figure run/summary.json objective), $(figure run/summary.json classes)," \
        "$(sed -n 's/.*"run":\t\([0-9.]*\).*/\1/p' run/summary.json | head -1)"
    done
  done
done
