#!/usr/bin/env bash
# usage: bench/experiments/view.sh [DATA [BUILD]]      (DATA is not read)
# Whole runs by the encrypted view on synthetic tables, sites as processes over TLS on this machine:
# seconds of the run without the search itself, core-seconds of all processes from reading to
# verifying, traffic, and the largest process.
#   adult, 30,000 x 9, 3 sites, horizontal     (EGV: 2 s with three machines)
#   adult, 30,000 x 9, 2 sites, vertical       (EGV: 21 s with two machines of four cores)
#   survey, 400,000 and 1,200,000 x 9, 3 sites, horizontal
set -eu
kith=$(readlink -f "${2:-build/release}/kith")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
TIMEFORMAT='%U %S'
# largest, or with + the sum, of a number in the summaries of all parties
all() { cat run/*/summary.json | awk -v key="\"$2\":" -v sum="$1" '
    $1 == key { v = $2 + 0; total += v; if (v > most) most = v }
    END { print sum == "+" ? total : most }'; }
run() { # profile rows partition sites
    "$kith" generate "$1" -n "$2" --seed 1 -o "$1-$2.csv" --quiet --force
    { grep -vE '^(algorithm|effort):' "$1-$2.study.yaml"
      printf '\npartition: %s\nprotocol: encrypted-view\nalgorithm: flash\n' "$3"; } > study.yaml
    { time "$kith" simulate study.yaml -i "$1-$2.csv" --sites "$4" -o run --seed 1 --quiet --force \
        --no-progress; } 2> times
    echo "$1 $2 $3 $4 $(all x protocol) $(all x anonymization_seconds)" \
        "$(all x encryption_seconds) $(all x integration_seconds) $(all x decryption_seconds)" \
        "$(all x decoding_seconds) $(all + bytes) $(all x peak_rss_bytes) $(tail -1 times)"
}
report() { awk '{ printf "%-7s %8d %-10s %d sites: %6.2f s besides %.2f s of search " \
    "(%.2f %.2f %.2f %.2f), %.1f core-seconds, %.1f MB sent, largest process %d MB\n",
    $1, $2, $3, $4, $5 - $6, $6, $7, $8, $9, $10, $13 + $14, $11 / 1e6, $12 / 1e6 }'; }
run adult 30000 horizontal 3 | report
run adult 30000 vertical 2 | report
run survey 400000 horizontal 3 | report
run survey 1200000 horizontal 3 | report
