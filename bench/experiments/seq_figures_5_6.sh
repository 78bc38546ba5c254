#!/usr/bin/env bash
# usage: bench/experiments/seq_figures_5_6.sh DATA [BUILD]
# SEQ Figures 5 and 6: loss of sequential clustering against the diversity of its result, k = 50:
# with the class as sensitive value (14 attributes, the table allows l = 1.3295) and with education
# (13 attributes, 3.06). The paper's text gives for Figure 6 the losses of Hilbert (0.645) and
# Mondrian (0.735) without diversity; ours stand below it. Writes seq_figure_5.{tsv,svg} and
# seq_figure_6.{tsv,svg}.
set -eu
. "$(dirname "$0")/common.bash"
curve() { # FIGURE SENSITIVE QUASI-IDENTIFIERS L…
    local tsv=$out/seq_figure_$1.tsv l models s diversity loss
    printf 'l\tdiversity\tsequential\tweave diversity\tweave\n' > "$tsv"
    for l in "${@:4}"; do
        models="{model: k-anonymity, k: 50}"
        [ "$l" = 1 ] ||
            models+=$'\n'"  - {model: l-diversity, variant: frequency, l: $l, attribute: $2}"
        line=$l
        for algorithm in sequential weave; do
            s=$(study "$2" "$3" "$models" "$(as_in_the_paper $algorithm)")
            IFS=$'\t' read -r _ _ _ loss _ _ diversity _ <<< "$(run "$s" "$adult")"
            line+=$'\t'$diversity$'\t'$loss
        done
        echo "$line" >> "$tsv"
    done
    plot <(cut -f 2- "$tsv") "$out/seq_figure_$1.svg" -v xy=1 \
        -v title="SEQ Figure $1: loss and diversity, k = 50" \
        -v xlabel="diversity of the least diverse class" -v ylabel=lm
    echo "Figure $1"; column -t -s $'\t' "$tsv"
}
curve 5 classification "$all_but_class" 1 1.05 1.1 1.15 1.2 1.25 1.3 1.32
thirteen=${all_but_class/ education / }
curve 6 education "$thirteen" 1 1.5 2 2.5 2.8 3
for algorithm in hilbert mondrian; do
    s=$(study education "$thirteen" "{model: k-anonymity, k: 50}" "algorithm: $algorithm")
    IFS=$'\t' read -r _ _ _ loss _ <<< "$(run "$s" "$adult")"
    echo "$algorithm without diversity, 13 attributes: $loss"
done
