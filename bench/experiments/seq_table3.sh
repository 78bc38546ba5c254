#!/usr/bin/env bash
# usage: bench/experiments/seq_table3.sh DATA [BUILD] [RECORDS]
# SEQ Table 3: average entropy of the class within the clusters of sequential clustering that
# minimizes w MI + (1 - w) PMI, beside the printed values. Takes about three minutes; RECORDS asks
# for a random extract of that many records. Writes seq_table3.tsv.
set -eu
. "$(dirname "$0")/common.bash"
records=${3:-0}
data=$adult
[ "$records" = 0 ] || data=$(extract "$records")
declare -A paper=([50]="0.07 0.14 0.31 0.51 0.54" [75]="0.08 0.14 0.32 0.51 0.56"
                  [100]="0.08 0.15 0.34 0.54 0.58")
printf 'k\tw\tentropy\tby records\tpaper\tlm\tseconds\n' > "$out/seq_table3.tsv"
for k in 50 75 100; do
    read -ra printed <<< "${paper[$k]}"
    i=0
    for w in 0 0.25 0.5 0.75 1; do
        s=$(study classification "$all_but_class" "{model: k-anonymity, k: $k}" \
            "$(as_in_the_paper sequential)"$'\n'"utility: {measure: wmi, w: $w}")
        IFS=$'\t' read -r _ _ _ loss time _ _ entropy weighted <<< "$(run "$s" "$data")"
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' $k $w "$entropy" "$weighted" "${printed[i]}" "$loss" \
            "$time" >> "$out/seq_table3.tsv"
        i=$((i + 1))
    done
done
echo "Table 3: entropy (bits) of the class within clusters"
column -t -s $'\t' "$out/seq_table3.tsv"
