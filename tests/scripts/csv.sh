#!/usr/bin/env bash
# CSV through pipes, compressed, and larger than the memory that is allowed.
# usage: csv.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
copy="$3/tests/table_copy"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAILED: $1" >&2; exit 1; }

awk 'BEGIN { print "id,text"; for (i = 0; i < 30000; i++) printf "%d,\"value, %d\"\n", i, i % 97 }' >in.csv
"$copy" - - <in.csv >out.csv && cmp in.csv out.csv || fail "standard input and output"
cat in.csv | "$copy" - - | cat >out.csv && cmp in.csv out.csv || fail "pipes"
gzip -c in.csv >in.csv.gz
"$copy" in.csv.gz out.csv --force && cmp in.csv out.csv || fail "reading gzip"
cat in.csv.gz | "$copy" - out2.csv.gz && gzip -dc out2.csv.gz | cmp - in.csv || fail "gzip on standard input, and written"
gzip -t out2.csv.gz || fail "gzip does not like what was written"
# The same with zstd, also where a block does not fit into the buffers.
zstd -q -c in.csv >in.csv.zst
"$copy" in.csv.zst out.csv --force && cmp in.csv out.csv || fail "reading zstd"
cat in.csv.zst | "$copy" - out2.csv.zst && zstd -q -dc out2.csv.zst | cmp - in.csv || fail "zstd on standard input, and written"
awk 'BEGIN { srand(1); print "a,b"; for (i = 0; i < 100000; i++) printf "%d,%d\n", i, rand() * 1e9 }' >long.csv
"$copy" long.csv long.csv.zst && zstd -q -dc long.csv.zst | cmp - long.csv || fail "much of zstd, written"
zstd -q -19 -f long.csv && "$copy" long.csv.zst long2.csv && cmp long.csv long2.csv || fail "much of zstd, read"

# What does not fit is refused with a message and status 5, and leaves nothing behind.
if ldd "$copy" | grep -q -e libasan -e libtsan; then exit 0; fi # they need all addresses
awk 'BEGIN { print "id"; for (i = 0; i < 1500000; i++) print "patient", i }' >big.csv
status=0
(ulimit -v 120000 && exec "$copy" big.csv big2.csv) 2>err || status=$?
[ "$status" = 5 ] || fail "a table that does not fit: status $status"
grep -q '^table_copy: error: big.csv does not fit into memory: after [0-9]* rows' err || { cat err >&2; fail "its message"; }
[ ! -e big2.csv ] || fail "an incomplete output"
"$copy" big.csv big2.csv && cmp -s <(sed 's/"//g' big2.csv) big.csv || fail "with enough memory"
