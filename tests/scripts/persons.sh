#!/usr/bin/env bash
# Releases of tables in which persons have several rows, counted by code of its own; and what must not
# change: `unit: row`, and tables in which each person has one row (tests/helpers/persons.py).
# usage: persons.sh KITH SOURCE
set -euo pipefail
kith=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -B "$source/tests/helpers/persons.py" "$kith"
