#!/usr/bin/env bash
# usage: bench/experiments/seq_table2.sh DIRECTORY [RUNS]
# Reproduces Table 2 of SEQ on the Adult data in DIRECTORY/adult-uci; takes about a minute.
set -eu
[ $# -ge 1 ] || { sed -n 2,3p "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
data=$(cd "$OLDPWD" && realpath "$1")
[ -f build/release/build.ninja ] || cmake --preset release > /dev/null
cmake --build build/release --target seq_table2 > /dev/null
exec build/release/bench/seq_table2 "$data" "${2:-10}"
