#!/usr/bin/env bash
# usage: bench/experiments/m_privacy.sh DATA [BUILD]
# What m-privacy costs over rows: lm of the protocols weave, clustering and mondrian without it and
# with k' = 3, with k-anonymity (k = 10) alone; then with k' = 3 and diversity, without and with two
# values of others, and megabytes. For 2, 3 and 5 even sites and for 3 sites of which one has 90% of the
# rows. Tables: the first 5,000 records of Adult with 8 quasi-identifiers, and 5,000 of `kith generate
# hospital --seed 1`. Clustering: mean of seeds 1 to 3. Writes m_privacy.tsv and m_privacy_values.tsv.
set -eu
. "$(dirname "$0")/common.bash"
arx=$(dirname "$uci")/adult-arx
[ -f "$arx/adult.csv" ] || { echo "$0: skipped, $1 has no adult-arx/" >&2; exit 0; }
cmake --build "$build" --target kith > /dev/null
kith=$build/kith
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
number() { sed -n 's/^[[:space:]]*"'"$2"'":[[:space:]]*\([0-9.e+-]*\),*$/\1/p' "$1" | head -1; }

# Adds columns that deal the rows: to 2, 3 and 5 even sites, and to 3 of which the first has 90%.
deal() {
    awk 'function draw(n) { r = (r * 16807) % 2147483647; return int(r / 2147483647 * n) }
        BEGIN { r = 42; OFS = FS = "," }
        NR == 1 { print $0, "even-2", "even-3", "even-5", "large-3"; next }
        { print $0, "s" draw(2), "s" draw(3), "s" draw(5), draw(10) < 9 ? "s0" : "s" 1 + draw(2) }'
}
head -5001 "$arx/adult.csv" | tr ';' ',' | tr -d '\r' | deal > "$scratch/adult.csv"
"$kith" generate hospital -n 5000 --seed 1 -q -o "$scratch/plain.csv"
deal < "$scratch/plain.csv" > "$scratch/hospital.csv"
{
    echo "columns:"
    for name in sex race marital-status education native-country workclass salary-class; do
        echo "  - {name: $name, role: quasi-identifying, hierarchy: \"$arx/adult_hierarchy_$name.csv\"}"
    done
    echo "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20, 40]}, domain: {range: [17, 90]}}"
    echo "  - {name: occupation, role: sensitive}"
} > "$scratch/adult.columns"
sed -n '/^columns:/,/^privacy:/p' "$scratch/plain.study.yaml" | sed '$d' > "$scratch/hospital.columns"

# loss TABLE SPLIT PROTOCOL MODELS: lm and megabytes, the mean of three seeds with clustering.
loss() {
    local seed seeds="1" sites=${2#*-}
    [ "$3" != clustering ] || seeds="1 2 3"
    { echo "study: m"; cat "$scratch/$1.columns"
      echo "privacy: [$4]"; echo "partition: horizontal"; echo "protocol: $3"; } > "$scratch/s.yaml"
    for seed in $seeds; do
        "$kith" simulate "$scratch/s.yaml" -i "$scratch/$1.csv" -o "$scratch/run" -f -q --in-process \
            --sites "$sites" --split "by:$2" --seed "$seed" 2>> "$scratch/log" || { tail -1 "$scratch/log" >&2; return; }
        echo "$(number "$scratch/run/summary.json" lm) $(number "$scratch/run/summary.json" bytes)"
    done | awk '{ s += $1; b += $2 } END { if (NR) printf "%.4f\t%.1f", s / NR, b / NR / 1e6; else printf "none\t" }'
}

k="{model: k-anonymity, k: 10}"
tsv=$out/m_privacy.tsv
printf 'table\tsites\tprotocol\toff\tMB\tk=3\tMB\n' > "$tsv"
for table in adult hospital; do
    for split in even-2 even-3 even-5 large-3; do
        for protocol in weave mondrian clustering; do
            printf '%s\t%s\t%s\t%s\t%s\n' $table $split $protocol \
                "$(loss $table $split $protocol "$k, {model: m-privacy, k: 0}")" \
                "$(loss $table $split $protocol "$k, {model: m-privacy, k: 3}")" | tee -a "$tsv"
        done
    done
done

tsv=$out/m_privacy_values.tsv
printf 'table\tmodel\tsites\tprotocol\tany values\tMB\tvalues=2\tMB\n' > "$tsv"
for table in adult hospital; do
    for l in "frequency, l: 2" "frequency, l: 3" "distinct, l: 3"; do
        models="$k, {model: l-diversity, variant: $l}"
        for split in even-2 even-3 even-5 large-3; do
            for protocol in weave mondrian clustering; do
                printf '%s\t%s\t%s\t%s\t%s\t%s\n' $table "$l" $split $protocol \
                    "$(loss $table $split $protocol "$models, {model: m-privacy, k: 3, values: 0}")" \
                    "$(loss $table $split $protocol "$models, {model: m-privacy, k: 3, values: 2}")" | tee -a "$tsv"
            done
        done
    done
done
