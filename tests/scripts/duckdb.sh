#!/usr/bin/env bash
# Reads and writes Parquet, JSON and databases of DuckDB, with DuckDB itself as witness.
# usage: duckdb.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$(readlink -f "$1") copy="$(readlink -f "$3")/tests/table_copy" struck="$(readlink -f "$3")/tests/kith_struck"
duck="$(readlink -f "$2")/tests/helpers/duck.py"
export KITH_DUCKDB="$(readlink -f "$2")/build/duckdb/libduckdb.so"
fail() { echo "FAILED: $1" >&2; exit 1; }
[ -f "$KITH_DUCKDB" ] || fail "build/duckdb/libduckdb.so is missing: run make duckdb"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# sql STATEMENT…: the rows of the answers. Numbers of rows that COPY answers go elsewhere.
sql() { python3 "$duck" "$KITH_DUCKDB" "$@"; }
make() { sql "$@" >/dev/null; }
expect() { [ "$2" = "$3" ] || { printf 'FAILED: %s\nexpected: %s\nfound:    %s\n' "$1" "$2" "$3" >&2; exit 1; }; }
# refused WHAT STATUS TEXT COMMAND…: one line of error, perhaps one of hint.
refused() {
  local what=$1 status=$2 text=$3 found=0
  shift 3
  "$@" >out 2>err || found=$?
  expect "$what: status" "$status" "$found"
  grep -qF -- "$text" err || { cat err >&2; fail "$what: no '$text'"; }
  expect "$what: lines of error" 1 "$(grep -c 'error: ' err)"
  [ "$(wc -l <err)" -le 2 ] || { cat err >&2; fail "$what: more than error and hint"; }
}
types() { sql "SELECT string_agg(column_type, ',') FROM (DESCRIBE SELECT * FROM '$1')"; }

# There and back: quotes, line breaks, characters, missing cells.
printf 'plain,"odd ""name",é\n1,"a,b",x\n2,"say ""no""",ß\n3,"two\nlines",🙂\n4,,y\n' >in.csv
for place in t.parquet t.json t.ndjson "it's.parquet" 'b*[1]?.parquet' 'duckdb:t.db?table=patients' T.PARQUET; do
  "$copy" in.csv "$place"
  "$copy" "$place" out.csv --force
  cmp in.csv out.csv || fail "the table has changed on its way through $place"
  refused "existing $place" 2 "exists already" "$copy" in.csv "$place"
  "$copy" in.csv "$place" --force
done
# A name with a wildcard in it is that file, and none of the others that DuckDB finds by it.
mkdir 'w[1]' w1
for name in 'x*' xa 'y?' ya 'z[1]' z1 'w[1]/a' w1/a; do "$copy" in.csv "$name.parquet"; "$copy" in.csv "$name.ndjson"; done
for ending in parquet ndjson; do
  for name in 'x*' 'y?' 'z[1]' 'w[1]/a' 'w[[]1]/*'; do
    "$copy" "$name.$ending" - | cmp - in.csv || fail "$name.$ending is not that file"
  done
  expect "files with wildcards in their names" 24 "$("$copy" "[xyz]*.$ending" - --column plain | grep -c '[1-4]')"
done
expect "missing is NULL" 4 "$(sql 'SELECT plain FROM "t.parquet" WHERE "odd ""name" IS NULL')"
expect "JSON" '[{"plain":"1","odd \"name":"a,b","é":"x"},' "$(tr -d '\n\t' <t.json | head -c 43)"
expect "lines of JSON" 4 "$(wc -l <t.ndjson)"
# An empty text is not missing where it may be a value.
make "COPY (SELECT * FROM (VALUES ('', 1), (NULL, NULL)) t(a, b)) TO 'empty-text.parquet'"
"$copy" empty-text.parquet kept.parquet --missing NONE
expect "NULL and empty" '|1
NULL|NULL' "$(sql "SELECT a, b FROM 'kept.parquet'")"
# Nothing but a header.
printf 'a,b\n' >none.csv
"$copy" none.csv none.parquet
expect "no rows" 0 "$(sql "SELECT count(*) FROM 'none.parquet'")"
"$copy" none.parquet - | cmp - none.csv || fail "a table without rows"

# Every type, as DuckDB writes it, nulls between.
make "COPY (SELECT i::TINYINT a, (i * 1000000007)::BIGINT b, (i + 18446744073709551610)::UBIGINT c, i / 4 d, (i / 4)::FLOAT e,
  (i / 4)::DECIMAL(9, 3) f, i % 2 = 0 g, DATE '2020-02-28' + i::INT h, TIMESTAMP '2020-02-28 23:00:00.5' + to_hours(i) i,
  TIME '10:00:00' + to_minutes(i) j, (['x', 'y', 'z'])[i + 1] k, (['x', 'y', NULL])[i + 1]::ENUM ('x', 'y') l,
  '00000000-0000-0000-0000-00000000000'::VARCHAR || i m FROM range(3) t(i) UNION ALL SELECT NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) TO 'types.parquet'"
"$copy" types.parquet - >types.csv
expect "types" 'a,b,c,d,e,f,g,h,i,j,k,l,m
0,0,18446744073709551610,0,0,0.000,true,2020-02-28,2020-02-28T23:00:00.5,10:00:00,x,x,00000000-0000-0000-0000-000000000000
1,1000000007,18446744073709551611,0.25,0.25,0.250,false,2020-02-29,2020-02-29T00:00:00.5,10:01:00,y,y,00000000-0000-0000-0000-000000000001
2,2000000014,18446744073709551612,0.5,0.5,0.500,true,2020-03-01,2020-02-29T01:00:00.5,10:02:00,z,,00000000-0000-0000-0000-000000000002
,,,,,,,,,,,,' "$(cat types.csv)"

# A release of Parquet is that of CSV, cell by cell, whatever the row groups, and in the same order.
"$kith" generate hospital -n 9000 --seed 1 -o p.csv -q
make "COPY (SELECT * FROM read_csv('p.csv')) TO 'typed.parquet' (ROW_GROUP_SIZE 2048)" \
  "COPY (SELECT * FROM read_csv('p.csv', all_varchar = true)) TO 'texts.parquet'"
mkdir parts
for i in 0 1 2; do make "COPY (SELECT * FROM read_csv('p.csv') LIMIT 3000 OFFSET ($i * 3000)) TO 'parts/$i.parquet'"; done
make "COPY (SELECT * FROM read_csv('p.csv')) TO 'p.json'" "ATTACH 'p.db' AS p" "CREATE TABLE p.people AS SELECT * FROM read_csv('p.csv')" \
  "CREATE SCHEMA p.clinic" "CREATE VIEW p.clinic.seen AS SELECT * FROM p.main.people"
"$kith" anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7
for data in typed.parquet texts.parquet 'parts/*.parquet' 'parts/[0-2].parquet' p.json 'duckdb:p.db?table=people' \
  'duckdb:p.db?table=clinic.seen'; do
  "$kith" anonymize p.study.yaml -i "$data" -o r2.csv -q --seed 7 --force
  cmp r.csv r2.csv || fail "the release of $data is another one"
done
for release in r.parquet r.json r.ndjson 'duckdb:r.db?table=r'; do
  "$kith" anonymize p.study.yaml -i typed.parquet -o "$release" -q --seed 7
  "$copy" "$release" r3.csv --force
  cmp r.csv r3.csv || fail "$release is not the release"
  "$kith" verify p.study.yaml "$release" --data typed.parquet -q || fail "$release does not verify"
  "$kith" measure p.study.yaml p.csv "$release" -q >/dev/null || fail "measure of $release"
done
[ -f r.parquet.meta.json ] || fail "no companion"
"$kith" study check p.study.yaml typed.parquet -q || fail "study check"
"$kith" describe typed.parquet | sed 's/^[^:]*//' >d1; "$kith" describe p.csv | sed 's/^[^:]*//' >d2
cmp d1 d2 || fail "describe"

# What is released whole keeps its type; what is generalized, or would lose its form, is text.
printf 'age,year,stay,cost,code,day\n34,1980,5,12.5,007,2020-01-01\n35,1980,,3.25,8,2020-01-03\n' >people.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: year, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: stay, role: insensitive, type: integer}
  - {name: cost, role: insensitive, type: decimal}
  - {name: code, role: insensitive, type: integer}
  - {name: day, role: sensitive, type: date}
privacy: [{model: k-anonymity, k: 2}]
END
"$kith" anonymize s.yaml -i people.csv -o typed-release.parquet -q
expect "types of a release" 'VARCHAR,BIGINT,BIGINT,DOUBLE,VARCHAR,DATE' "$(types typed-release.parquet)"
expect "a release" '30-39|1980|5|12.5|007|2020-01-01
30-39|1980|NULL|3.25|8|2020-01-03' "$(sql "SELECT * FROM 'typed-release.parquet'")"
"$kith" anonymize s.yaml -i people.csv -o 'duckdb:typed.db?table=t' -q
expect "types in a database" 'VARCHAR,BIGINT,BIGINT,DOUBLE,VARCHAR,DATE' "$(sql "ATTACH 'typed.db' AS d" \
  "SELECT string_agg(data_type, ',') FROM duckdb_columns() WHERE table_name = 't'")"

# Files and tables that are not what they should be.
head -c 1000 typed.parquet >cut.parquet
: >empty.parquet
echo 'a,b' >text.parquet
python3 -c 'import sys; d = bytearray(open("typed.parquet", "rb").read()); d[4000:4100] = bytes(100); open("bad.parquet", "wb").write(d)'
for file in cut empty text bad; do refused "$file" 2 "cannot read $file.parquet: " "$copy" $file.parquet -; done
printf '{"a": 1}\n{"a": \n' >bad.ndjson
printf '{"a": 1, "a_1": 2}\n{"a": 3, "a_1": null, "b_2": 4}\n' >keys.ndjson
expect "keys with numbers" 'a,a_1,b_2 1,2, 3,,4' "$(echo $("$copy" keys.ndjson -))"
printf '{"a": 1, "A": 2}\n' >twins.ndjson
refused "keys in two forms" 2 "twins.ndjson: two keys are called 'A', but for upper and lower case" "$copy" twins.ndjson -
refused "broken JSON" 2 "cannot read bad.ndjson: " "$copy" bad.ndjson -
refused "no file" 5 "cannot read nowhere.parquet: No such file or directory" "$copy" nowhere.parquet -
refused "no match" 5 "no file matches nowhere*.parquet" "$copy" 'nowhere*.parquet' -
mkdir directory.parquet
refused "a directory" 2 "directory.parquet is not a file" "$copy" directory.parquet -
refused "two forms of parts" 2 "schema mismatch" "$copy" 'type?.parquet' -
make "COPY (SELECT 1 a, [1] b, {'x': 1} c, 'x'::BLOB d) TO 'nested.parquet'"
refused "a list" 2 "nested.parquet: column 'b' has lists, expected texts, numbers or dates" "$copy" nested.parquet -
refused "a structure" 2 "nested.parquet: column 'c' has structures" "$copy" nested.parquet - --column c
refused "binary data" 2 "nested.parquet: column 'd' has binary data" "$copy" nested.parquet - --column d
expect "others do no harm" 'a 1' "$(echo $("$copy" nested.parquet - --column a))"
refused "unknown column" 2 "nested.parquet: no column 'e'" "$copy" nested.parquet - --column e
refused "wrong type" 2 "t.parquet: row 1: 'a,b' is not an integer (column odd \"name)" "$copy" t.parquet - --column 'odd "name:integer'
make "SET force_mbedtls_unsafe = true" "PRAGMA add_parquet_key('k', '0123456789112345')" \
  "COPY (SELECT 1 a) TO 'secret.parquet' (ENCRYPTION_CONFIG {footer_key: 'k'})"
refused "encryption" 2 "cannot read secret.parquet: " "$copy" secret.parquet -
refused "not a database" 2 "in.csv is not a DuckDB database" "$copy" 'duckdb:in.csv?table=x' -
refused "no table" 2 "duckdb:p.db?table=nobody: no table 'nobody'" "$copy" 'duckdb:p.db?table=nobody' -
grep -q 'its tables are: clinic.seen, people' err || fail "the tables are not listed"
refused "no table named" 2 "names no table" "$copy" duckdb:p.db -
refused "no database" 5 "cannot read nowhere.db" "$copy" 'duckdb:nowhere.db?table=t' -
refused "a database as CSV" 2 "p.db is a DuckDB database, not CSV text" "$copy" p.db -
refused "a place that is not there" 5 "nowhere" "$copy" in.csv nowhere/x.parquet

# Names are quoted, and no statement hides in them.
name='x"; DROP TABLE people; --'
"$copy" in.csv "duckdb:p.db?table=$name"
"$copy" "duckdb:p.db?table=$name" - | cmp - in.csv || fail "a name with quotes"
refused "an injection" 2 "no table" "$copy" "duckdb:p.db?table=people' OR 1=1; --" -
printf '"a"", (SELECT 1) AS ""b",c\n1,2\n' >names.csv
for place in "x'); COPY (SELECT 1) TO 'stolen.csv'; --.parquet" "x'], columns = {}.json"; do
  "$copy" names.csv "$place"
  "$copy" "$place" - | cmp - names.csv || fail "names as $place"
done
[ ! -e stolen.csv ] || fail "a file's name was run"
expect "still there" 9000 "$(sql "ATTACH 'p.db' AS p" 'SELECT count(*) FROM p.people')"
# A view that takes for ever can be interrupted: before its query begins, or in the middle of it.
make "ATTACH 'endless.db' AS e" "CREATE VIEW e.endless AS SELECT sum(range % 7) s FROM range(1000000000000000)"
"$kith" describe 'duckdb:endless.db?table=endless' >out 2>err & endless=$!
until ls -l /proc/$endless/fd | grep -q endless.db; do sleep 0.05; done
kill -TERM $endless
code=0; wait $endless || code=$?
expect "an interrupt in a query" 130 "$code"
grep -q "interrupted" err || { cat err >&2; fail "an interrupt in a query: no message"; }
# A view cannot reach other files, and nothing is fetched from a network.
make "ATTACH 'v.db' AS v" "CREATE VIEW v.thief AS SELECT * FROM read_csv('$PWD/in.csv')"
refused "a view on a file" 2 "disabled by configuration" "$copy" 'duckdb:v.db?table=thief' -
refused "an address" 5 "cannot read https://localhost/x.parquet: No such file" "$copy" https://localhost/x.parquet -

# Complete or not at all: a run that is killed leaves nothing under the output's name, and the next one removes
# what is left.
code=0
KITH_STRUCK="KILL verify 1" "$struck" anonymize p.study.yaml -i p.csv -o killed.parquet -q --seed 7 >/dev/null 2>&1 || code=$?
[ "$code" != 0 ] || fail "was not killed"
[ ! -e killed.parquet ] || fail "a killed run left a release"
expect "what a killed run leaves" 1 "$(ls -A | grep -c '^\.killed\.parquet\.kith-')"
"$kith" anonymize p.study.yaml -i p.csv -o killed.parquet -q --seed 7
expect "leftovers" 0 "$(ls -A | grep -c '\.kith-' || true)"
# A table that cannot be made leaves a database as it was, and no new one.
printf 'a,A\n1,2\n' >twins.csv
for place in twins.parquet twins.json 'duckdb:new.db?table=t'; do
  refused "twins in $place" 2 "DuckDB does not tell the columns 'a' and 'A' apart" "$copy" twins.csv "$place"
done
[ ! -e new.db ] && [ ! -e new.db.wal ] && [ ! -e twins.parquet ] || fail "something was left"
make "ATTACH 'typed.db' AS d" "CREATE VIEW d.looked AS SELECT age FROM d.t"
refused "a view" 5 "cannot replace duckdb:typed.db?table=looked" "$copy" in.csv 'duckdb:typed.db?table=looked' --force
expect "as it was" "30-39|1980" "$(sql "ATTACH 'typed.db' AS d" 'SELECT age, year FROM d.t LIMIT 1')"
expect "nothing beside it" "looked t" "$(echo $(sql "ATTACH 'typed.db' AS d" "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'd' ORDER BY 1"))"

# Without the library, and with another one.
KITH_DUCKDB=/nowhere/libduckdb.so refused "no library" 2 "t.parquet needs DuckDB, which is not there: /nowhere/libduckdb.so" "$copy" t.parquet -
grep -q 'hint: .make duckdb.*KITH_DUCKDB names' err || fail "does not say what to do"
KITH_DUCKDB=/nowhere refused "no library to write" 2 "x.parquet needs DuckDB" "$copy" in.csv x.parquet
[ ! -e x.parquet ] || fail "wrote something"
KITH_DUCKDB=$(ldd "$kith" | sed -n 's/.*=> \(.*libz\.so[^ ]*\).*/\1/p') refused "another library" 2 "needs another version of DuckDB" "$copy" t.parquet -
echo "DuckDB $(sql 'SELECT version()'): reads, writes, refuses"
