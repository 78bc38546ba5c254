#!/usr/bin/env bash
# Six studies: what `kith estimate` says from a quarter of the records against the run of all of them,
# with every message held back by 10 ms. Prints estimate / actual; within a factor of 2 is the aim.
# usage: bench/experiments/estimate.sh [DATA [BUILD]]      (DATA is not read)
set -euo pipefail
kith=$(readlink -f "${2:-build/release}/kith")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
at() { sqlite3 :memory: "select ifnull(json_extract(readfile('$1'), '\$.$2'), 0)"; }
calls() { sqlite3 :memory: "select sum(value) from json_each(readfile('$1'), '\$.protocol.calls')"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a > 0 && b > 0) printf "%8.2f", a / b; else printf "%8s", "-" }'; }
printf '%-52s%8s%8s%8s%8s%8s%12s\n' study calls rounds messages bytes seconds 'actual s'
study() { # name profile rows sites k lines
  "$kith" generate "$2" -n "$3" --seed 11 -o p.csv -q --force
  sed -e "s/k: [0-9]*}/k: $5}/" -e '/model: l-diversity/,/^ *# makes/d' p.study.yaml >s.yaml
  printf "$6" >>s.yaml
  head -n $(($3 / 4 + 1)) p.csv >quarter.csv
  "$kith" estimate s.yaml -i quarter.csv --sites "$4" --records "$3" --seed 1 --latency 10ms --megabits 10000 \
    --json --no-progress >e.json
  "$kith" simulate s.yaml -i p.csv --sites "$4" --seed 1 --delay 10ms -o run --force -q --no-progress
  s=run/summary.json
  printf '%-52s%s%s%s%s%s%12.2f\n' "$1" "$(ratio "$(at e.json calls)" "$(calls $s)")" \
    "$(ratio "$(at e.json rounds)" "$(at $s protocol.rounds)")" \
    "$(ratio "$(at e.json messages)" "$(at $s protocol.messages)")" \
    "$(ratio "$(at e.json bytes)" "$(at $s protocol.bytes)")" \
    "$(ratio "$(at e.json 'networks[2].seconds')" "$(at $s seconds.run)")" "$(at $s seconds.run)"
}
study "hospital 8,000, weave, 4 sites, k = 5" hospital 8000 4 5 'protocol: weave\n'
study "hospital 8,000, clustering, 3 sites, k = 5" hospital 8000 3 5 'protocol: clustering\n'
study "adult 6,000, clustering, 5 sites, k = 20" adult 6000 5 20 'protocol: clustering\n'
study "adult 2,000, clustering of columns, 2 sites, k = 20" adult 2000 2 20 'partition: vertical\nprotocol: clustering\n'
study "adult 16,000, tree of columns, 2 sites, k = 20" adult 16000 2 20 'partition: vertical\nids: aligned\nmissing: value\n'
study "survey 12,000, encrypted view, 3 sites, k = 5" survey 12000 3 5 'protocol: encrypted-view\n'
