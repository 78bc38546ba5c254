#!/usr/bin/env bash
# Ranks read a table of a PostgreSQL server together, each its part from one snapshot: any number of them has the rows of one
# process, in its order.
# usage: postgres_ranks.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 build=$3
. "$2/tests/helpers/postgres.bash"
# shellcheck source=tests/helpers/ranks.bash
. "$2/tests/helpers/ranks.bash"
export KITH_MPI=$build/libkith-mpi.so
start_server main

# Rows of 1, 2, 3, 4 and 7 ranks that are threads, cell by cell.
# shares TABLE…: with parameters of the address, as in 'people&order=id'
shares() {
  local table all=
  for table; do all+=$(uri "$table")$'\n'; done
  KITH_TEST_SHARES=$all "$build/tests/job_tests" job/slice/test_slice_read >"$work/shares" 2>&1 || { cat "$work/shares" >&2; fail "shares: $*"; }
  grep -q 'OK .*test_server$' "$work/shares" || fail "nothing was shared"
}
columns='id integer, name text, day date, weight numeric, ratio double precision, code character(5), diagnosis text'
fill="SELECT i * 7919 % 4999, CASE WHEN i % 13 = 0 THEN NULL ELSE chr(65 + i % 40) || chr(228 + i % 20) || i % 97 END, date '2020-01-01' + i % 50,
  nullif(i % 10, 3) / 4.0, CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' ELSE (i % 7)::float / 3 END, nullif('c' || i % 3, 'c1'),
  CASE WHEN i % 11 = 0 THEN NULL ELSE 'd' || i % 7 END FROM generate_series(1, 4000) i"
sql "CREATE TABLE people ($columns, PRIMARY KEY (id)); INSERT INTO people $fill"
# Rows that were changed lie elsewhere, and pages have holes.
sql 'UPDATE people SET weight = 1 WHERE id % 10 = 0; DELETE FROM people WHERE id BETWEEN 500 AND 900; CREATE INDEX ON people (diagnosis)'
# Without any key, and with many rows that are the same.
sql "CREATE TABLE bag AS SELECT diagnosis, code, nullif(id % 3, 0) AS few FROM people; INSERT INTO bag SELECT NULL, NULL, NULL FROM generate_series(1, 300)"
sql "CREATE VIEW seen AS SELECT id, name || 'x' AS name, weight FROM people WHERE weight IS NOT NULL"
sql 'CREATE TABLE empty (a text, b integer); CREATE TABLE one AS SELECT 1 AS a; CREATE TABLE nothing AS SELECT NULL::text AS a FROM generate_series(1, 10)'
sql "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
sql "CREATE TYPE mood AS ENUM ('sad', 'calm', 'glad'); CREATE DOMAIN short AS varchar(3); CREATE TYPE pair AS (a integer, b text);
  CREATE TABLE types AS SELECT (ARRAY['a', 'A', 'b', 'B', 'ä'])[1 + i % 5] COLLATE loose AS letter, (ARRAY['sad', 'calm', 'glad'])[1 + i % 3]::mood AS mood,
    ('d' || i % 4)::short AS short, ARRAY[i % 3, NULL] AS list, ROW(i % 2, NULL)::pair AS pair, interval '1 hour' * (i % 5) AS span,
    timestamptz '2020-01-01 12:00+05' + interval '1 day' * (i % 6) AS at, i AS number FROM generate_series(1, 500) i"
partition_over scattered "$columns" 2
sql "INSERT INTO scattered $fill"
shares people bag seen empty one nothing scattered 'people&order=id' 'people&order=name' 'people&order=day,name' 'people&order=ratio,code' \
  'people&order=weight' 'people&order=diagnosis,day' 'bag&order=code' 'bag&order=few,diagnosis' 'seen&order=id' 'seen&order=name' \
  'empty&order=b' 'one&order=a' 'nothing&order=a' 'scattered&order=id' 'scattered&order=name,id' 'people&order=nope' 'people&order=ctid' nowhere
shares types 'types&order=letter' 'types&order=mood,short' 'types&order=list,pair' 'types&order=span,at' 'types&order=at'

# Ranks of a launcher: a release, a description and a verdict are those of one process.
cat >"$work/study.yaml" <<'STUDY'
study: people
piece: 500
columns:
  - {name: name, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: day, role: quasi-identifying, type: date, hierarchy: {dates: [month, year]}}
  - {name: code, role: quasi-identifying}
  - {name: diagnosis, role: sensitive}
  - {name: id, role: insensitive, type: integer}
privacy: [{model: k-anonymity, k: 4}, {model: l-diversity, l: 2}]
STUDY
run() { "$kith" "$@" --threads 1; }
many() { local n=$1; shift; ranks "$n" "$kith" "$@" --threads 1; }
sql 'CREATE TABLE copies AS SELECT p.* FROM people p, generate_series(1, 2)'
cases=('1 2 3:copies' '4 7:people&order=name' '2:scattered&order=id')
[ "${KITH_EXHAUSTIVE:-}" != full ] ||
  cases=('1 2 3 4 7:copies' '1 2 3 4 7:people&order=name' '3:people&order=id' '4:copies&order=day,code' '2:scattered&order=id')
for case in "${cases[@]}"; do
  table=${case#*:}
  data=$(uri "$table")
  run anonymize "$work/study.yaml" -i "$data" -o "$work/one.csv" --seed 3 --force --quiet
  run describe "$data" "$work/study.yaml" --json >"$work/one.json"
  run verify "$work/study.yaml" "$work/one.csv" --data "$data" >"$work/one.verdict"
  for n in ${case%%:*}; do
    many $n anonymize "$work/study.yaml" -i "$data" -o "$work/parts" --seed 3 --force --quiet || fail "$n ranks, $table"
    { head -n 1 "$work/one.csv"; tail -q -n +2 "$work"/parts/part-*.csv; } | cmp - "$work/one.csv" || fail "another release: $n ranks, $table"
    [ $n != 1 ] && [ $n != 4 ] || continue
    many $n describe "$data" "$work/study.yaml" --json >"$work/many.json" || fail "describe: $n ranks, $table"
    cmp "$work/one.json" "$work/many.json" || fail "another description: $n ranks, $table"
    many $n verify "$work/study.yaml" "$work/one.csv" --data "$data" >"$work/many.verdict" || fail "verify: $n ranks, $table"
    cmp "$work/one.verdict" "$work/many.verdict" || fail "another verdict: $n ranks, $table"
  done
  # Every rank has a share.
  for part in "$work"/parts/part-*.csv; do [ "$(wc -l <"$part")" -gt 300 ] || fail "a rank without rows: $table"; done
done

# What is wrong with a row is said as one process says it, with the number of the row in the whole table.
sql "CREATE TABLE wrong AS SELECT i AS id, CASE WHEN i IN (1700, 2600) THEN 'x' || i ELSE (i % 9)::text END AS wrong FROM generate_series(1, 3000) i"
for table in wrong 'wrong&order=id'; do
  KITH_TEST_WRONG=$(uri "$table") "$build/tests/job_tests" job/slice/test_slice_read >"$work/shares" 2>&1 || { cat "$work/shares" >&2; fail "a wrong cell: $table"; }
  grep -q 'OK .*test_server_wrong$' "$work/shares" || fail "no wrong cell was tried"
done
expect "the row" "row 1700: 'x1700' is not an integer (column wrong)" \
  "$("$build/tests/table_copy" "$(uri 'wrong&order=id')" - --column wrong:integer 2>&1 >/dev/null | grep -o 'row 1700.*')"

# as_rank COMMANDS: ranks that do these before they begin
as_rank() {
  printf '#!/bin/sh\n%s\nexec "%s" "$@"\n' "$1" "$kith" >"$work/rank"
  chmod +x "$work/rank"
}
# fails WHAT STATUS TEXT ARGUMENT…: three ranks end so, and one of them says this.
fails() {
  local what=$1 status=$2 text=$3 found=0
  shift 3
  ranks 3 "$work/rank" "$@" >"$work/out" 2>"$work/err" || found=$?
  expect "$what: status" "$status" "$found"
  [ ! -s "$work/out" ] || fail "$what: something was printed"
  expect "$what: message" "kith: error: $text" "$(grep '^kith: error' "$work/err")"
  ! grep -q swordfish "$work/err" || fail "$what: a password was shown"
}
as_rank ''
fails "no table" 2 "$(uri nowhere): no table 'nowhere'" describe "$(uri nowhere)"
fails "no order" 5 "cannot read $(uri 'people&order=nope'): column \"nope\" does not exist" describe "$(uri 'people&order=nope')"
# Only one rank is let in.
sql "CREATE ROLE guarded LOGIN PASSWORD 'swordfish'; GRANT SELECT ON people TO guarded"
as_rank '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export PGPASSWORD=swordfisk || export PGPASSWORD=swordfish'
fails "another password" 5 "cannot reach $(uri people guarded): connection to server on socket \"$work/.s.PGSQL.5432\" failed: \
FATAL:  password authentication failed for user \"guarded\"" describe "$(uri people guarded)"
as_rank 'export PGPASSWORD=swordfish'
ranks 3 "$work/rank" describe "$(uri people guarded)" --json >"$work/many.json"
run describe "$(uri people)" --json | grep -v '"data":' >"$work/one.json"
grep -v '"data":' "$work/many.json" | cmp - "$work/one.json" || fail "another description of a guarded table"

# A rank that comes to another server cannot see the snapshot: then rank 0 reads all.
as_rank '[ "$OMPI_COMM_WORLD_RANK" != 1 ] || export PGPORT=5433'
for table in scattered 'scattered&order=id'; do
  run describe "$(uri "$table")" --json >"$work/one.json"
  ranks 3 "$work/rank" describe "$(uri "$table")" --json >"$work/many.json" || fail "two servers"
  cmp "$work/one.json" "$work/many.json" || fail "two servers: another description of $table"
done

# Nobody sees what happens after rank 0 has begun: it waits at a gate, in the midst of its work, until somebody has written.
sql "CREATE FUNCTION gate() RETURNS boolean LANGUAGE plpgsql STABLE AS
  'BEGIN PERFORM pg_advisory_lock_shared(1); PERFORM pg_advisory_unlock_shared(1); RETURN true; END';
  CREATE VIEW gated AS SELECT * FROM people WHERE gate()"
# at_gate COMMAND…: while ranks wait
at_gate() {
  local status=0
  coproc keeper { psql -q -At -v ON_ERROR_STOP=1 -h "$work" -U kith postgres; }
  echo "SELECT pg_advisory_lock(1); SELECT 'closed';" >&"${keeper[1]}"
  while read -r line <&"${keeper[0]}" && [ "$line" != closed ]; do :; done
  ranks 3 "$work/rank" describe "$(uri 'gated&order=id')" --json >"$work/many.json" 2>"$work/err" &
  local pid=$! from=${keeper[0]} to=${keeper[1]} keeper_pid=$keeper_PID
  while [ "$(sql "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")" = 0 ]; do
    kill -0 $pid 2>/dev/null || { cat "$work/err" >&2; fail "nobody came to the gate"; }
  done
  "$@"
  echo '\q' >&"$to"
  wait "$keeper_pid"
  wait $pid || status=$?
  return $status
}
as_rank "echo \$\$ >$work/pid.\$OMPI_COMM_WORLD_RANK"
run describe "$(uri 'gated&order=id')" --json >"$work/one.json"
write() { sql "INSERT INTO people SELECT i, 'new' FROM generate_series(5001, 5100) i; UPDATE people SET name = 'newer' WHERE id < 1000"; }
at_gate write || { cat "$work/err" >&2; fail "ranks did not come through the gate"; }
cmp "$work/one.json" "$work/many.json" || fail "ranks have seen what was written meanwhile"
run describe "$(uri 'gated&order=id')" --json | cmp -s - "$work/one.json" && fail "nothing was written" || true

# A connection that ends, and a rank that is killed, end all.
cut() { sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory'" >/dev/null; }
status=0
at_gate cut || status=$?
expect "a connection that ends: status" 5 $status
expect "a connection that ends" 1 "$(grep -cF "\"cannot read $(uri 'gated&order=id'): FATAL:  terminating connection" "$work/err")"
strike() { kill -KILL "$(cat "$work/pid.0")"; }
status=0
at_gate strike || status=$?
expect "a rank that is killed: status" 137 $status
[ ! -s "$work/many.json" ] || fail "something was printed"

# A view that gives the last rank, which reads the end of the order, no row from there, is not taken for a table.
sql "CREATE VIEW odd AS SELECT id FROM people WHERE id < 1000 OR current_setting('application_name') <> 'rank 2'"
as_rank 'export PGAPPNAME="rank $OMPI_COMM_WORLD_RANK"'
status=0
ranks 3 "$work/rank" describe "$(uri 'odd&order=id')" >"$work/out" 2>"$work/err" || status=$?
expect "a view of other rows: status" 2 $status
grep -q 'the ranks have read [0-9]* rows together, expected [0-9]*$' "$work/err" || { cat "$work/err" >&2; fail "a view of other rows"; }
