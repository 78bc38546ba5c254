#!/usr/bin/env bash
# usage: bench/experiments/seq_figure_4.sh DATA [BUILD]
# SEQ Figure 4: runtime of sequential clustering against the number of attributes (the first 5, 8,
# 11 and 14 of Adult; the paper does not say which), k = 20 and 50. Writes seq_figure_4.{tsv,svg}.
set -eu
. "$(dirname "$0")/common.bash"
printf 'attributes\tk = 20\tk = 50\tpasses, k = 20\tpasses, k = 50\n' > "$out/seq_figure_4.tsv"
for r in 5 8 11 14; do
    line=$r passes=
    for k in 20 50; do
        s=$(study classification "${columns[*]:0:r}" "{model: k-anonymity, k: $k}" \
            "$(as_in_the_paper sequential)")
        IFS=$'\t' read -r _ _ _ _ time pass _ <<< "$(run "$s" "$adult")"
        line+=$'\t'$time passes+=$'\t'$pass
    done
    echo "$line$passes" >> "$out/seq_figure_4.tsv"
done
plot <(cut -f 1-3 "$out/seq_figure_4.tsv") "$out/seq_figure_4.svg" \
    -v title="SEQ Figure 4: runtime of sequential" -v xlabel=attributes \
    -v ylabel="seconds (processor time)"
echo "Figure 4: seconds"; column -t -s $'\t' "$out/seq_figure_4.tsv"
