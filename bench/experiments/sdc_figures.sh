#!/usr/bin/env bash
# usage: bench/experiments/sdc_figures.sh DATA [BUILD]
# SDC Figures 3, 5, 6 and 7 (left) on Adult with suppression, all but the class as quasi-identifiers:
# losses of sequential clustering, Mondrian and Hilbert in lm and em; processor seconds and number of
# passes of sequential clustering in n and k; and calls of secure primitives of a joint run over rows,
# five sites. The text of the paper gives: 6 to 10 passes; calls linear in n and falling with k. (Its
# Adult has hierarchies of heights 2 to 4; Figures 4 and 8 are on Census.)
# Writes sdc_figure_{3,5,6,7}.tsv, and .svg of 5 to 7.
set -eu
. "$(dirname "$0")/common.bash"
kith=$build/kith
number() { sed -n 's/^[[:space:]]*"'"$2"'":[[:space:]]*\([0-9.e+-]*\),*$/\1/p' "$1" | head -1; }
# Of an object: "calls" and the like, all numbers in it added up.
total() { awk -v name="\"$2\":" '$1 == name { on = 1; next } on && /}/ { print sum + 0; exit }
                                 on { gsub(/,/, ""); sum += $NF }' "$1"; }
scratch=$(mktemp -d); trap 'rm -rf "$scratch" "$out/study-$$.yaml"' EXIT
paper="algorithm: sequential"$'\n'"finish: merge"

printf 'k\tmeasure\tsequential\tmondrian\thilbert\n' > "$out/sdc_figure_3.tsv"
for measure in lm em; do
    for k in 25 50 100 200; do
        line=$k$'\t'$measure
        for how in "$paper" "algorithm: mondrian" "algorithm: hilbert"; do
            s=$(study classification "$all_but_class" "{model: k-anonymity, k: $k}" \
                      "$how"$'\n'"utility: {measure: $measure}")
            "$kith" anonymize "$s" -i "$adult" -o "$scratch/r.csv" -f -q --seed 1 \
                    --summary "$scratch/s.json"
            line+=$'\t'$(number "$scratch/s.json" "$measure")
        done
        echo "$line" >> "$out/sdc_figure_3.tsv"
    done
done

for f in 5 6 7; do printf 'n\tk=25\tk=50\tk=100\n' > "$out/sdc_figure_$f.tsv"; done
printf 'n\tk\tcalls\tpaper\tstrict\trounds\tMB\n' > "$out/sdc_calls.tsv"
for n in 10000 20000 30000 45222; do
    data=$(extract "$n"); seconds=$n; passes=$n; calls=$n
    for k in 25 50 100; do
        s=$(study classification "$all_but_class" "{model: k-anonymity, k: $k}" "$paper")
        IFS=$'\t' read -r _ _ _ _ time count _ <<< "$(run "$s" "$data")"
        seconds+=$'\t'$time; passes+=$'\t'$count
        s=$(study classification "$all_but_class" \
                  "{model: k-anonymity, k: $k}"$'\n  - {model: m-privacy, k: 0}' \
                  $'partition: horizontal\nprotocol: clustering\nfinish: merge')
        "$kith" simulate "$s" -i "$data" -o "$scratch/joint" -f -q --sites 5 --in-process --seed 1
        j=$scratch/joint/summary.json
        made=$(total "$j" calls)
        calls+=$'\t'$made
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%.1f\n' "$n" "$k" "$made" "$(total "$j" paper_calls)" \
            "$(total "$j" paper_calls_strict)" "$(number "$j" rounds)" \
            "$(awk -v b="$(number "$j" bytes)" 'BEGIN { print b / 1e6 }')" >> "$out/sdc_calls.tsv"
    done
    echo "$seconds" >> "$out/sdc_figure_5.tsv"
    echo "$passes" >> "$out/sdc_figure_6.tsv"
    echo "$calls" >> "$out/sdc_figure_7.tsv"
done
titles=([5]="processor seconds" [6]="passes" [7]="secure calls over rows, five sites")
for f in 5 6 7; do
    plot "$out/sdc_figure_$f.tsv" "$out/sdc_figure_$f.svg" -v title="SDC Figure $f: ${titles[$f]}" \
        -v xlabel=records -v ylabel="${titles[$f]}"
done
for f in figure_3 figure_5 figure_6 figure_7 calls; do
    echo "$f"; column -t -s $'\t' "$out/sdc_$f.tsv"
done
