#!/usr/bin/env bash
# usage: bench/experiments/seq_table2.sh DATA [BUILD [RUNS]]
# Reproduces Table 2 of SEQ on the Adult data in DATA/adult-uci; takes about a minute.
set -eu
[ $# -ge 1 ] || { sed -n 2,3p "$0" >&2; exit 2; }
data=$(realpath "$1")
cd "$(dirname "$0")/../.."
build=${2:-build/release}
[ -f "$build/build.ninja" ] || cmake --preset release >/dev/null
cmake --build "$build" --target seq_table2 >/dev/null
exec "$build/bench/seq_table2" "$data" "${3:-10}"
