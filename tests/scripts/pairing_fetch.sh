#!/usr/bin/env bash
# scripts/fetch-blst: what it builds appears at once and only from the package with the right checksum; where
# it cannot, it says in one line what to do.
# usage: pairing_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
. "$source/tests/helpers/fetch.bash" "$source" fetch-blst
made=$tree/build/blst
refuses blst -DKITH_PROTOCOLS= native

# A build that does not want it needs nothing.
mkdir "$tree/build/release"
echo 'KITH_PROTOCOLS:STRING=weave' >"$tree/build/release/CMakeCache.txt"
"$fetch" release || fail "failed where nothing is needed"
[ ! -e "$made/native" ] || fail "built what nobody needs"
rm "$tree/build/release/CMakeCache.txt"

# Without network, from a package that was put there; two at once. The compiler notes that it was called.
cp "$source/build/blst/$archive" "$made/"
printf '#!/bin/sh\ncase "$*" in *server.c*) echo call >>"%s/calls" ;; esac\nexec %s "$@"\n' \
  "$dir" "$(command -v cc)" >"$dir/bin/cc"
chmod +x "$dir/bin/cc"
fetch_twice
[ "$(wc -l <"$dir/calls")" = 1 ] || fail "built twice"
for file in libblst.a include/blst.h include/blst_aux.h LICENSE recipe; do
  [ -s "$made/native/$file" ] || fail "there is no $file"
done
visible=$(readelf -sW "$made/native/libblst.a" |
  awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }')
[ -z "$visible" ] || fail "visible: $visible"
"$fetch"
[ "$(wc -l <"$dir/calls")" = 1 ] || fail "built again"
echo "fetch-blst: refuses, builds once, shows nothing"
