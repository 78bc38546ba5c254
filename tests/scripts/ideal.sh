#!/usr/bin/env bash
# The ideal twins of the secure primitives (tests/support/ideal*.c) and the references of the protocols
# (tests/reference) see all inputs: no library and no program may hold them.
# usage: ideal.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 build=$3

# symbols FILE: the names that it defines, one per line
symbols() { nm --defined-only --format=posix "$1" 2>/dev/null | awk 'NF > 1 { print $1 }'; }

# What is forbidden: names of ideal twins, and every function that the references export.
forbidden=$(mktemp)
trap 'rm -f "$forbidden"' EXIT
{
  symbols "$build"/tests/libtest_support.a | grep '^ideal_'
  nm --defined-only --extern-only --format=posix "$build"/tests/libtest_reference.a | awk '$2 == "T" { print $1 }'
} | sort -u >"$forbidden"
for name in ideal_sum joint_tree_plain joint_tree_plain_fit rows_plain; do
  grep -qx "$name" "$forbidden" || { echo "the check does not see $name where it is"; exit 1; }
done
if grep -v '^ideal_' "$forbidden" | grep -vE '^(joint_tree|column_tree|columns|rows|mondrian|id_based)_plain'; then
  echo "a function of tests/reference is not named for what it is"; exit 1
fi

found=0
for file in "$kith" "$build"/libkith.so "$build"/libkith.a "$build"/libkith_inside.a; do
  [ -f "$file" ] || continue
  found=$((found + 1))
  if symbols "$file" | grep -xFf "$forbidden" || symbols "$file" | grep -E '^(ideal_|(joint_tree|column_tree|columns|rows|mondrian|id_based)_plain)'; then
    echo "$file contains an ideal twin or a reference"; exit 1
  fi
done
[ $found -ge 2 ] || { echo "only $found files found to look into"; exit 1; }
# The check sees the functions of the library.
symbols "$build"/libkith_inside.a | grep -qx sum_masked
