#!/usr/bin/env bash
# Reads and writes tables of SQLite databases.
# usage: sqlite.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
copy="$3/tests/table_copy"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sql() { sqlite3 x.db "$1"; }
fail() { echo "FAILED: $1" >&2; exit 1; }
expect() { [ "$2" = "$3" ] || { printf 'FAILED: %s\nexpected: %s\nfound:    %s\n' "$1" "$2" "$3" >&2; exit 1; }; }
refused() {
  local what=$1 status=$2 text=$3 found=0
  shift 3
  "$@" >out 2>err || found=$?
  expect "$what: status" "$status" "$found"
  grep -qF -- "$text" err || { cat err >&2; fail "$what: no '$text'"; }
}

printf 'plain,"odd ""name",é\n1,"a,b",x\n2,"say ""no""",ß\n3,"two\nlines",🙂\n4,,y\n' >in.csv
"$copy" in.csv 'sqlite:x.db?table=patients'
"$copy" 'sqlite:x.db?table=patients' out.csv
cmp in.csv out.csv || fail "the table has changed on its way"
expect "missing is NULL" 4 "$(sql 'SELECT plain FROM patients WHERE "odd ""name" IS NULL')"

sql "CREATE TABLE kinds (a TEXT, b INTEGER, c REAL, d BLOB); INSERT INTO kinds VALUES ('', 7, 1.5, NULL), (NULL, NULL, NULL, x'00ff')"
"$copy" 'sqlite:x.db?table=kinds' 'sqlite:x.db?table=kinds2' --missing NONE --column a --column b:integer --column c:decimal
expect "NULL and empty" 'text|7|1.5
null||' "$(sql 'SELECT typeof(a), b, c FROM kinds2')"
refused "blob" 2 "sqlite:x.db?table=kinds: row 2: a blob, expected text or a number (column d)" "$copy" 'sqlite:x.db?table=kinds' -
refused "wrong type" 2 "sqlite:x.db?table=patients: row 1: 'a,b' is not an integer (column odd \"name)" \
  "$copy" 'sqlite:x.db?table=patients' - --column 'odd "name:integer'
refused "existing table" 2 "exists already" "$copy" in.csv 'sqlite:x.db?table=kinds'
expect "existing table kept" 2 "$(sql 'SELECT count(*) FROM kinds')"
"$copy" in.csv 'sqlite:x.db?table=kinds' --force
expect "replaced" 4 "$(sql 'SELECT count(*) FROM kinds')"
refused "unknown table" 2 "no table 'nobody'" "$copy" 'sqlite:x.db?table=nobody' -
grep -q 'its tables are: kinds, kinds2, patients' err || fail "the tables are not listed"
refused "unknown column" 2 "no column 'nope'" "$copy" 'sqlite:x.db?table=patients' - --column nope
refused "no table named" 2 "names no table" "$copy" sqlite:x.db -
refused "other parameter" 2 "unknown parameter mode=ro" "$copy" 'sqlite:x.db?table=patients&mode=ro' -
refused "broken escape" 2 "broken percent escape" "$copy" 'sqlite:x.db?table=%zz' -
refused "no file" 5 "cannot read no.db: No such file" "$copy" 'sqlite:no.db?table=t' -
refused "not a database" 5 "file is not a database" "$copy" 'sqlite:in.csv?table=t' -
refused "names are quoted" 2 "no table 't\"; DROP" "$copy" 'sqlite:x.db?table=t%22; DROP TABLE kinds; --' -
expect "still there" 4 "$(sql 'SELECT count(*) FROM kinds')"

# A database that another program holds is waited for, then refused; nothing is left behind.
mkfifo hold
sqlite3 x.db <hold &
exec 8>hold
printf 'BEGIN EXCLUSIVE;\n.shell touch locked\n' >&8
until [ -e locked ]; do sleep 0.05; done
refused "locked" 5 "another program is using the database" "$copy" in.csv 'sqlite:x.db?table=late'
exec 8>&-
wait
expect "no table of a failed run" 0 "$(sql "SELECT count(*) FROM sqlite_master WHERE name = 'late'")"

# A new database that could not be completed does not appear: a table has at most 2,000 columns.
awk 'BEGIN { for (i = 0; i < 2100; i++) printf "%sc%d", i ? "," : "", i; print "" }' >wide.csv
refused "too many columns" 5 "too many columns" "$copy" wide.csv 'sqlite:new.db?table=t'
[ ! -e new.db ] || fail "an empty database was left behind"

# Names that SQLite would take for something else than a file of that name.
for name in :memory: file:y.db 'file:%2ftmp%2fy.db'; do
  "$copy" in.csv "sqlite:$name?table=t"
  [ -f "./$name" ] || fail "$name is no file"
  "$copy" "sqlite:$name?table=t" - | cmp - in.csv || fail "the table has changed on its way through $name"
done
