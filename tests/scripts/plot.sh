#!/usr/bin/env bash
# The experiments' curves: points where they belong, gaps left out, log scales, names escaped.
set -eu
plot() { awk -f "$2/bench/experiments/plot.awk" "${@:3}" <<< "$1"; }
fail() { echo "plot: $1"; exit 1; }
root=$2
table=$'k\ta<b\tb (paper)\n0\t0\t2\n5\t-\t1\n10\t2\t'

svg=$(plot "$table" "$root" -v title=T -v xlabel=X -v ylabel=Y)
grep -q 'points="70.0,360.0 590.0,55.2 "' <<< "$svg" || fail "curve: $svg"
[ "$(grep -c '<polyline' <<< "$svg")" = 1 ] || fail "a paper's series must have no line"
[ "$(grep -c '<circle' <<< "$svg")" = 5 ] || fail "two marks per series, and one in the legend"
grep -q '>a&lt;b</text>' <<< "$svg" || fail "names must be escaped"

svg=$(plot $'n\tt\n1\t0.1\n2\t10\n3\t100' "$root" -v log_y=1)
grep -q 'points="70.0,360.0 330.0,146.7 590.0,40.0 "' <<< "$svg" || fail "log: $svg"

svg=$(plot $'x\ts\tx\tt\n1\t0\t2\t1\n3\t4\t3\t2' "$root" -v xy=1)
[ "$(grep -c '<polyline' <<< "$svg")" = 2 ] || fail "pairs"
! plot $'x\ty' "$root" > /dev/null || fail "nothing to draw must fail"
