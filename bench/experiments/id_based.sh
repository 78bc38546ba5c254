#!/usr/bin/env bash
# usage: bench/experiments/id_based.sh [DATA [BUILD]]      (DATA is not read)
# The ID-based protocol and weave on the same rows, two sites as processes over TLS on this machine:
# 2,000 stays of the hospital profile, k = 5, more and more quasi-identifiers. `lists` is what the
# data have, so that both take the time they need.
#   loss       share of what is lost (lm): suppressed rows, or cells made coarser
#   s, MB      of the run, and what both sites send
set -eu
kith=$(readlink -f "${2:-build/release}/kith")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
"$kith" generate hospital -n 2000 --seed 3 -o h.csv --quiet
number() { awk -v key="\"$2\":" '$1 == key { print $2 + 0; exit }' "$1"; }
study() { # COLUMNS LINES
    echo "study: two hospitals"; echo "columns:"
    for name in $1; do
        awk -v name="$name" '$0 == "  - name: " name { on = 1; print; next }
            /^  - name|^  #|^[a-z]/ { on = 0 } on' h.study.yaml
    done
    printf '  - {name: disease, role: sensitive}\nprivacy: [{model: k-anonymity, k: 5}]\n%s\n' "$2"
}
run() { # COLUMNS LINES
    study "$1" "$2" > study.yaml
    "$kith" simulate study.yaml -i h.csv --sites 2 -o run --seed 1 --quiet --force --no-progress
}
figures() { # of the last run: lm, seconds, megabytes
    echo "$(number run/summary.json lm) $(number run/summary.json run)" \
        "$(awk '$1 == "\"bytes\":" { print $2 / 1e6; exit }' run/summary.json)"
}
printf '%-24s %6s   %-24s   %-24s\n' columns lists "id-based: loss, s, MB" "weave: loss, s, MB"
for columns in "sex insurance" "sex insurance site" "age sex" "age sex insurance" "age sex job"; do
    lists=$(awk -F, -v want="$columns" 'NR == 1 { n = split(want, w, " ")
            for (i = 1; i <= NF; i++) place[$i] = i; next }
        { key = ""; for (i = 1; i <= n; i++) key = key "|" $place[w[i]]; seen[key] }
        END { print length(seen) }' h.csv)
    run "$columns" "protocol: id-based
lists: $lists"
    suppressed=$(figures)
    run "$columns" "protocol: weave"
    # shellcheck disable=SC2046,SC2086
    printf '%-24s %6d   %.4f %7.2f %8.2f   %.4f %7.2f %8.2f\n' "$columns" "$lists" \
        $suppressed $(figures)
done
