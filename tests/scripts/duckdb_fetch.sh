#!/usr/bin/env bash
# scripts/fetch-duckdb: the library comes only from the package with the right checksum; where it cannot, the
# script says in one line what to do.
# usage: duckdb_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
. "$source/tests/helpers/fetch.bash" "$source" fetch-duckdb
made=$tree/build/duckdb
refuses DuckDB KITH_DUCKDB libduckdb.so

# Without network, from a package that was put there; two at once.
before=$(npm_calls)
[ -f "$source/build/duckdb/$archive" ] || fail "build/duckdb/$archive is missing: run make duckdb"
cp "$source/build/duckdb/$archive" "$made/"
fetch_twice
for file in libduckdb.so LICENSE; do [ -s "$made/$file" ] || fail "there is no $file"; done
[ "$(npm_calls)" = "$before" ] || fail "asked the network for what is there"
[ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
echo "fetch-duckdb: refuses, and takes what it is given"
