#!/usr/bin/env bash
# usage: bench/experiments/sdc_vertical.sh DATA [BUILD]
# SDC Figure 7, right (calls of Algorithm 4 against n), and Figure 6 (passes), on Adult. The paper reads
# "roughly 360,000" calls for 40,000 records and k = 100, and 6 to 10 passes. Writes
# sdc_vertical.{tsv,svg}.
set -eu
. "$(dirname "$0")/common.bash"
cmake --build "$build" --target sdc_vertical > /dev/null
"$build/bench/sdc_vertical" "$(dirname "$uci")" > "$out/sdc_vertical.tsv"
plot <(awk -F'\t' 'BEGIN { OFS = FS; print "n", "k = 50", "k = 100" } NR > 1 { c[$2, $1] = $4; n[$2] }
    END { for (i = 10000; i <= 40000; i += 10000) print i, c[i, 50], c[i, 100] }' "$out/sdc_vertical.tsv") \
    "$out/sdc_vertical.svg" -v title="SDC Figure 7, vertical: calls one record at a time" \
    -v xlabel=records -v ylabel="calls of the secure sum"
echo "Figure 7, vertical"; column -t -s $'\t' "$out/sdc_vertical.tsv"
