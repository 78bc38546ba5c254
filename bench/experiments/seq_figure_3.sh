#!/usr/bin/env bash
# usage: bench/experiments/seq_figure_3.sh DATA [BUILD]
# SEQ Figure 3: runtime against the number of records, k = 50 (random extracts of Adult, 14
# attributes, suppression only). The paper gives curves without numbers. Writes
# seq_figure_3.{tsv,svg}.
set -eu
. "$(dirname "$0")/common.bash"
algorithms=(sequential agglomerative k-member mondrian hilbert weave)
{ printf 'records'; printf '\t%s' "${algorithms[@]}"; echo; } > "$out/seq_figure_3.tsv"
for n in 5000 10000 20000 30000 45222; do
    line=$n
    for algorithm in "${algorithms[@]}"; do
        s=$(study classification "$all_but_class" "{model: k-anonymity, k: 50}" \
            "$(as_in_the_paper $algorithm)")
        IFS=$'\t' read -r _ _ _ _ time _ <<< "$(run "$s" "$(extract $n)")"
        line+=$'\t'$time
    done
    echo "$line" >> "$out/seq_figure_3.tsv"
done
plot "$out/seq_figure_3.tsv" "$out/seq_figure_3.svg" -v title="SEQ Figure 3: runtime, k = 50" \
    -v xlabel=records -v ylabel="seconds (processor time)" -v log_y=1
echo "Figure 3: seconds, k = 50"; column -t -s $'\t' "$out/seq_figure_3.tsv"
