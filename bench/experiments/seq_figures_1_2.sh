#!/usr/bin/env bash
# usage: bench/experiments/seq_figures_1_2.sh DATA [BUILD]
# SEQ Figures 1 and 2: loss and runtime of the algorithms on Adult (45,222 x 14, suppression only).
# The paper's text gives sequential's losses (Table 2, averages of ten runs); its curves have no
# numbers. weave is Kith's own. Writes seq_figure_1.{tsv,svg} and seq_figure_2.{tsv,svg}.
set -eu
. "$(dirname "$0")/common.bash"
algorithms=(sequential agglomerative k-member mondrian hilbert weave)
declare -A paper=([10]=.302 [20]=.340 [30]=.364 [40]=.380 [50]=.394 [100]=.439)
header=$(printf '\t%s' "${algorithms[@]}")
printf 'k%s\tsequential (paper)\n' "$header" > "$out/seq_figure_1.tsv"
printf 'k%s\n' "$header" > "$out/seq_figure_2.tsv"
for k in 10 20 30 40 50 75 100; do
    losses=$k seconds=$k
    for algorithm in "${algorithms[@]}"; do
        s=$(study classification "$all_but_class" "{model: k-anonymity, k: $k}" \
            "$(as_in_the_paper $algorithm)")
        IFS=$'\t' read -r _ _ _ loss time _ <<< "$(run "$s" "$adult")"
        losses+=$'\t'$loss seconds+=$'\t'$time
    done
    printf '%s\t%s\n' "$losses" "${paper[$k]:--}" >> "$out/seq_figure_1.tsv"
    echo "$seconds" >> "$out/seq_figure_2.tsv"
done
plot "$out/seq_figure_1.tsv" "$out/seq_figure_1.svg" -v title="SEQ Figure 1: loss" -v xlabel=k \
    -v ylabel=lm
plot "$out/seq_figure_2.tsv" "$out/seq_figure_2.svg" -v title="SEQ Figure 2: runtime" -v xlabel=k \
    -v ylabel="seconds (processor time)" -v log_y=1
echo "Figure 1: lm"; column -t -s $'\t' "$out/seq_figure_1.tsv"
echo "Figure 2: seconds"; column -t -s $'\t' "$out/seq_figure_2.tsv"
