#!/usr/bin/env bash
# scripts/fetch-blst: what it builds appears at once and only from the package with the right checksum; where
# it cannot, it says in one line what to do.
# usage: pairing_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
archive=chainsafe-blst-0.2.11.tgz
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "fetch-blst: $1"; exit 1; }

# A tree of its own, and an npm that has no network.
mkdir -p "$dir/tree/scripts" "$dir/tree/build" "$dir/bin"
cp "$source"/scripts/{fetch-blst,npm-archive} "$dir/tree/scripts/"
printf '#!/bin/sh\necho "npm ERR! network" >&2\nexit 1\n' >"$dir/bin/npm"
chmod +x "$dir/bin/npm"
export PATH="$dir/bin:$PATH"
fetch="$dir/tree/scripts/fetch-blst"
made="$dir/tree/build/blst"

one_line() {  # PATTERN
  [ "$(wc -l <"$dir/err")" = 1 ] || { cat "$dir/err"; fail "not one line"; }
  grep -q "$1.*-DKITH_PAIRING=OFF" "$dir/err" || { cat "$dir/err"; fail "does not say: $1"; }
  [ ! -e "$made/native" ] || fail "built something nevertheless"
  [ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
}
if "$fetch" 2>"$dir/err"; then fail "succeeded without network"; fi
one_line 'Cannot fetch blst'
echo "not the package" >"$made/$archive"
if "$fetch" 2>"$dir/err"; then fail "took a package with a wrong checksum"; fi
one_line 'SHA-256'
[ ! -e "$made/$archive" ] || fail "kept a package with a wrong checksum"

# A build that does not want it needs nothing.
mkdir "$dir/tree/build/release"
echo 'KITH_PAIRING:BOOL=OFF' >"$dir/tree/build/release/CMakeCache.txt"
"$fetch" release || fail "failed where nothing is needed"
[ ! -e "$made/native" ] || fail "built what nobody needs"
rm "$dir/tree/build/release/CMakeCache.txt"

# Without network, from a package that was put there; two at once. The compiler notes that it was called.
cp "$source/build/blst/$archive" "$made/"
printf '#!/bin/sh\ncase "$*" in *server.c*) echo call >>"%s/calls" ;; esac\nexec %s "$@"\n' \
  "$dir" "$(command -v cc)" >"$dir/bin/cc"
chmod +x "$dir/bin/cc"
"$fetch" & first=$!
"$fetch" & second=$!
wait $first || fail "the first of two failed"
wait $second || fail "the second of two failed"
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
