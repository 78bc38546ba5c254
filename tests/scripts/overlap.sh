#!/usr/bin/env bash
# Joint runs in which several sites have rows of one person, counted by code of its own (tests/helpers/overlap.py).
# usage: overlap.sh KITH SOURCE
set -euo pipefail
kith=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -B "$source/tests/helpers/overlap.py" "$kith" weave clustering mondrian
