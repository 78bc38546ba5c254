#!/usr/bin/env bash
# The ideal twins of the secure primitives see all inputs: no library and no program may hold them.
# usage: ideal.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 build=$3
found=0
for file in "$kith" "$build"/libkith.so "$build"/libkith.a "$build"/libkith_inside.a; do
  [ -f "$file" ] || continue
  found=$((found + 1))
  if nm "$file" 2>/dev/null | grep -wE '[a-zA-Z] ideal_[a-z0-9_]*'; then
    echo "$file contains an ideal twin"; exit 1
  fi
done
[ $found -ge 2 ] || { echo "only $found files found to look into"; exit 1; }
# The check sees such symbols where they are: in the programs of the tests, and the real ones here.
nm "$build"/tests/libtest_support.a 2>/dev/null | grep -qw 'T ideal_sum'
nm "$build"/libkith_inside.a 2>/dev/null | grep -qw 'T sum_masked'
