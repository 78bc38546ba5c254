#!/usr/bin/env bash
# Every key of a study is refused or has an effect, with every algorithm and protocol: weave,
# clustering, encrypted-view, mondrian, id-based.
# usage: key_effects.sh KITH SOURCE_DIRECTORY
set -euo pipefail
kith=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -B "$source/tests/helpers/key_effects.py" "$kith" "$source/docs/study.schema.json" ||
  { echo "key_effects: keys without effect are errors (docs/study.md)" >&2; exit 1; }
