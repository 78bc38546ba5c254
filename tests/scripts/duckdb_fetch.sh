#!/usr/bin/env bash
# scripts/fetch-duckdb: the library comes only from the package with the right checksum; where it cannot, the
# script says in one line what to do.
# usage: duckdb_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "fetch-duckdb: $1"; exit 1; }

# A tree of its own, and an npm that has no network.
mkdir -p "$dir/tree/scripts" "$dir/bin"
cp "$source"/scripts/{fetch-duckdb,npm-archive} "$dir/tree/scripts/"
printf '#!/bin/sh\necho call >>"%s/calls"\necho "npm ERR! network" >&2\nexit 1\n' "$dir" >"$dir/bin/npm"
chmod +x "$dir/bin/npm"
export PATH="$dir/bin:$PATH"
fetch="$dir/tree/scripts/fetch-duckdb"
made="$dir/tree/build/duckdb"
calls() { [ ! -f "$dir/calls" ] || wc -l <"$dir/calls"; }

refused() {  # PATTERN
  [ "$(wc -l <"$dir/err")" = 1 ] || { cat "$dir/err"; fail "not one line"; }
  grep -q "$1.*KITH_DUCKDB" "$dir/err" || { cat "$dir/err"; fail "does not say: $1"; }
  [ ! -e "$made/libduckdb.so" ] || fail "made something nevertheless"
  [ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
}
if "$fetch" 2>"$dir/err"; then fail "succeeded without network"; fi
refused 'Cannot fetch DuckDB'
archive=$(sed -n 's/.* put \(.*\) into build\/duckdb.*/\1/p' "$dir/err")
echo "not the package" >"$made/$archive"
if "$fetch" 2>"$dir/err"; then fail "took a package with a wrong checksum"; fi
refused 'SHA-256'
[ ! -e "$made/$archive" ] || fail "kept a package with a wrong checksum"

# Without network, from a package that was put there; two at once.
before=$(calls)
[ -f "$source/build/duckdb/$archive" ] || fail "build/duckdb/$archive is missing: run make duckdb"
cp "$source/build/duckdb/$archive" "$made/"
"$fetch" & first=$!
"$fetch" & second=$!
wait $first || fail "the first of two failed"
wait $second || fail "the second of two failed"
for file in libduckdb.so LICENSE; do [ -s "$made/$file" ] || fail "there is no $file"; done
[ "$(calls)" = "$before" ] || fail "asked the network for what is there"
[ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
echo "fetch-duckdb: refuses, and takes what it is given"
