#!/usr/bin/env bash
# Reads and writes tables of a real PostgreSQL server.
# usage: postgres.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 source=$2 build=$3
copy="$build/tests/table_copy"
. "$2/tests/helpers/postgres.bash"
start_server main

# There and back: quotes, backslashes, line breaks, COPY's own marks, characters, missing cells.
printf '%s' 'plain,"odd ""name",é
1,"a,b",x
2,"say ""no""",ß
3,"two
lines",🙂
4,,\.
5,\N,"tab	cr
"
' >"$work/in.csv"
"$copy" "$work/in.csv" "$(uri patients)"
"$copy" "$(uri patients)" "$work/out.csv"
cmp "$work/in.csv" "$work/out.csv" || fail "the table has changed on its way"
expect "rows in the server" 5 "$(sql 'SELECT count(*) FROM patients')"
expect "missing is NULL" 4 "$(sql 'SELECT plain FROM patients WHERE "odd ""name" IS NULL')"
expect "text is kept" '\.' "$(sql "SELECT \"é\" FROM patients WHERE plain = '4'")"

# Numbers that a release shows as they are stay numbers; what is generalized is text.
printf 'age,stay,cost,code\n34,5,12.50,007\n35,,3,8\n' >"$work/people.csv"
cat >"$work/s.yaml" <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: stay, role: insensitive, type: integer}
  - {name: cost, role: insensitive, type: decimal}
  - {name: code, role: insensitive, type: integer}
privacy: [{model: k-anonymity, k: 2}]
END
"$kith" anonymize "$work/s.yaml" -i "$work/people.csv" -o "$(uri released)" -q
"$kith" verify "$work/s.yaml" "$(uri released)" --data "$work/people.csv" -q || fail "numbers in a release"
expect "types of a release" 'text,bigint,numeric,text' "$(sql "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'released'")"
expect "a sum in the server" '15.50' "$(sql 'SELECT sum(cost) FROM released')"

# NULL and the empty text are different when the empty text does not mean missing.
sql "CREATE TABLE nulls (a text, b int, c date); INSERT INTO nulls VALUES ('', 1, '2024-02-29'), (NULL, NULL, NULL)"
"$copy" "$(uri nulls)" "$(uri nulls2)" --missing NONE
expect "NULL and empty" '|1|2024-02-29
NULL|NULL|NULL' "$(sql "SELECT coalesce(a, 'NULL'), coalesce(b, 'NULL'), coalesce(c, 'NULL') FROM nulls2")"
# A single column: an empty line is a row.
sql "CREATE TABLE single (a text); INSERT INTO single VALUES ('x'), (NULL), ('y')"
"$copy" "$(uri single)" "$(uri single2)"
expect "single column" 'x||y' "$(sql "SELECT string_agg(coalesce(a, ''), '|') FROM single2")"

# Schemas, chosen columns, types; an existing table is kept unless it may be replaced.
sql 'CREATE SCHEMA clinic'
"$copy" "$work/in.csv" "$(uri clinic.patients)"
expect "schema" 5 "$(sql 'SELECT count(*) FROM clinic.patients')"
"$copy" "$(uri clinic.patients)" - --column plain:integer >"$work/out.csv"
expect "one column" 'plain 1 2 3 4 5' "$(echo $(cat "$work/out.csv"))"
refused "wrong type" 2 "row 1: 'a,b' is not an integer (column odd \"name)" \
  "$copy" "$(uri patients)" - --column 'odd "name:integer'
refused "existing table" 2 "exists already" "$copy" "$work/in.csv" "$(uri single)"
expect "existing table kept" 3 "$(sql 'SELECT count(*) FROM single')"
"$copy" "$work/in.csv" "$(uri single)" --force
expect "replaced" 5 "$(sql 'SELECT count(*) FROM single')"
refused "unknown table" 2 "no table 'nobody'" "$copy" "$(uri nobody)" -
grep -q 'its tables are: .*clinic.patients.*patients' "$work/err" || fail "the tables are not listed"
refused "unknown column" 2 "no column 'nope'" "$copy" "$(uri patients)" - --column nope
refused "unknown schema" 2 "no table 'nowhere.t'" "$copy" "$work/in.csv" "$(uri nowhere.t)"
refused "no table named" 2 "names no table" "$copy" "postgresql://kith@/postgres?host=$work" -
refused "names are quoted" 2 "no table 't\"; DROP" "$copy" "$(uri 't%22; DROP TABLE single; --')" -
expect "still there" 5 "$(sql 'SELECT count(*) FROM single')"

# Nothing of a failed run stays: the server cuts names to 63 bytes, then there are two of one name,
# and the table that was to be replaced must still be there.
long=$(printf 'x%.0s' $(seq 70))
printf 'a,b\n1,2\n' >"$work/two.csv"
printf '%s1,%s2\n1,2\n' "$long" "$long" >"$work/long.csv"
refused "two names become one" 5 "specified more than once" "$copy" "$work/long.csv" "$(uri single)" --force
expect "rolled back" 5 "$(sql 'SELECT count(*) FROM single')"
refused "no server" 5 "cannot reach postgresql://kith@/postgres?host=/nowhere&table=t" \
  "$copy" "postgresql://kith@/postgres?host=/nowhere&table=t" -

# Passwords work and are never shown.
sql "CREATE ROLE guarded LOGIN PASSWORD 'swordfish'; GRANT SELECT ON patients TO guarded"
"$copy" "$(uri patients guarded:swordfish)" "$work/guarded.csv"
cmp "$work/in.csv" "$work/guarded.csv" || fail "reading with a password"
for address in "$(uri patients guarded:Geheim7)" "$(uri 'patients&password=Geheim7' guarded)" \
  "postgresql://guarded:Geheim7@/postgres?host=$work&nonsense=1&table=t" \
  "postgresql://guarded:Geheim7@[/postgres?table=t" "postgresql://guarded:Geheim7@/postgres" \
  "postgresql://guarded:Geheim7/8@/postgres?host=$work&table=t" "$(uri patients guarded:a?Geheim7)" \
  "$(uri 'patients&pass%77ord=Geheim7' guarded)"; do
  for direction in read write; do
    [ "$direction" = read ] && set -- "$address" - || set -- "$work/two.csv" "$address"
    ! "$copy" "$@" >"$work/out" 2>"$work/err" || fail "a wrong address was accepted: $address"
    ! grep -q Geheim7 "$work/err" || fail "a password was shown: $(cat "$work/err")"
  done
done

# Nor do commands that succeed show them, on the terminal or in their files.
guarded() { uri "$1" kith:Geheim7; }
mkdir "$work/told"
told() { "$kith" "$@" -q >/dev/null && "$kith" "$@" --force >>"$work/told/log" 2>&1 || fail "$*"; }
"$copy" "$work/people.csv" "$(guarded people)"
told anonymize "$work/s.yaml" -i "$(guarded people)" -o "$(guarded released2)" --summary "$work/told/summary" \
  --report "$work/told/report" --internal --mapping "$work/told/mapping"
told measure "$work/s.yaml" "$(guarded people)" "$(guarded released2)" --summary "$work/told/measured"
told verify "$work/s.yaml" "$(guarded released2)" --data "$(guarded people)" --summary "$work/told/verdict"
told try "$work/s.yaml" -i "$(guarded people)" --set k=2 --summary "$work/told/tried"
told study init "$(guarded people)" -o "$work/told/study"
told hierarchy build intervals:10 -i "$(guarded people)" --column age -o "$work/told/hierarchy"
"$kith" study check "$work/s.yaml" "$(guarded people)" >>"$work/told/log" 2>&1 || fail "study check"
"$kith" describe "$(guarded people)" >>"$work/told/log" 2>&1 || fail "describe"
grep -q 'kith:\*\*\*@' "$work/told/log" || fail "no address was shown"
! grep -r Geheim7 "$work/told" || fail "a password was shown"

# Many rows, and the same again.
awk 'BEGIN { print "id,text"; for (i = 0; i < 50000; i++) printf "%d,value %d\n", i, i % 97 }' >"$work/many.csv"
"$copy" "$work/many.csv" "$(uri many)"
"$copy" "$(uri many)" "$work/many2.csv"
cmp "$work/many.csv" "$work/many2.csv" || fail "many rows"

# A site's own rows of a virtual database, with their companion.
KITH_TEST_POSTGRES=$(uri '') "$build/tests/job_still_clock_tests" job/query/test_virtual_table >"$work/virtual" 2>&1 || { cat "$work/virtual" >&2; fail "own rows"; }
expect "own rows" "4 4" "$(sql 'SELECT count(*) FROM own0') $(sql 'SELECT count(*) FROM own1')"

# Random tables there and back.
KITH_TEST_POSTGRES=$(uri '') "$build/tests/property_tests" property/test_round_trip >"$work/round" 2>&1 || { cat "$work/round" >&2; fail "random tables"; }
! grep -q SKIPPED "$work/round" || fail "random tables were not tried"

# The console reads tables of the server, and shows no password.
if "$kith" console --help >/dev/null 2>&1; then
  mkdir "$work/console"
  python3 - "$kith" "$source" "$work/console" "$(uri many)" "$(uri many kith:Geheim7)" <<'END' || fail "the console"
import sys
sys.path.insert(0, sys.argv[2] + "/tests/browser")
sys.dont_write_bytecode = True
from console_server import Console
console = Console(sys.argv[1], sys.argv[3])
opened = console.job("data/open", data=sys.argv[4])
assert opened["state"] == "done" and opened["result"]["description"]["records"] == 50000, opened
answer = console.job("data/open", data=sys.argv[5])
assert answer["state"] == "done" and "Geheim7" not in str(answer), answer
assert console.close() == 0
END
fi
