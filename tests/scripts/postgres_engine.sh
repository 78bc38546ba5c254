#!/usr/bin/env bash
# The engine sql: a PostgreSQL server counts, alone or with a table that is partitioned over three others, and everything comes
# out as if the rows had been read.
# usage: postgres_engine.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 struck=$3/tests/kith_struck
. "$2/tests/helpers/postgres.bash"
start_server main enable_partitionwise_aggregate=on

columns='id integer, name text, age integer, zip character(7), born date, weight numeric, smokes boolean, note varchar(20), diagnosis text'
fill="SELECT i, 'p' || i, 20 + (i * 7919) % 60, '1' || lpad((i * 31 % 97)::text, 4, '0'), date '1950-01-01' + (i * 17 % 9000),
  (i % 50) / 4.0, i % 3 = 0, (ARRAY['', ' a', 'a', NULL, 'NA', 'b ''\"'])[1 + i * 7 % 6],
  CASE WHEN i % 11 = 0 THEN NULL ELSE 'd' || (i * i) % 7 END FROM generate_series(1, 3000) i"
sql "CREATE TABLE people ($columns, PRIMARY KEY (id)); INSERT INTO people $fill"
partition_over scattered "$columns" 3
sql "INSERT INTO scattered $fill"
expect "rows of the three servers" 3000 $(($(sql 'SELECT count(*) FROM scattered' 1) + $(sql 'SELECT count(*) FROM scattered' 2) + $(sql 'SELECT count(*) FROM scattered' 3)))

sql 'ANALYZE scattered'

cat >"$work/study.yaml" <<'END_OF_STUDY'
study: people
missing_values: ["", NA]
trim: true
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: note, role: quasi-identifying}
  - {name: diagnosis, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
END_OF_STUDY

# What is described is the same, but for the name of the table and serial numbers, which have an order.
described() { "$kith" describe "$@" --json | grep -v '"data":'; }
for table in people scattered; do
  for study in '' "$work/study.yaml"; do
    described "$(uri 'people&order=id')" $study >"$work/memory"
    described "$(uri "$table&order=id")" $study --engine sql >"$work/server"
    cmp "$work/memory" "$work/server" || { diff "$work/memory" "$work/server" >&2 || true; fail "describe $table $study"; }
  done
done
# Servers that have a part count it themselves: no row of a column leaves them.
for i in 1 2 3; do sql "ALTER SYSTEM SET log_statement = 'all'" $i; sql 'SELECT pg_reload_conf()' $i >/dev/null; done
described "$(uri scattered)" "$work/study.yaml" --engine sql >/dev/null
for i in 0 1 2; do
  as_server grep -q 'SELECT age, count(\*) FROM public.scattered GROUP BY 1' "$work/part$i.log" || fail "server $i does not count"
done

sql 'CREATE TABLE nobody (a text, b integer)'
described "$(uri nobody)" >"$work/memory"
described "$(uri nobody)" --engine sql >"$work/server"
cmp "$work/memory" "$work/server" || fail "a table without rows"
sql "CREATE TABLE gaps (a text, b integer); INSERT INTO gaps VALUES ('x', 1), (NULL, NULL), ('x', 2), (NULL, NULL), (NULL, 2)"
described "$(uri gaps)" >"$work/memory"
described "$(uri gaps)" --engine sql >"$work/server"
cmp "$work/memory" "$work/server" || { diff "$work/memory" "$work/server" >&2 || true; fail "rows without any value"; }
grep -q '"empty":.*2' "$work/server" || fail "rows without any value are not counted"

# Names and values are never part of a statement.
sql 'CREATE TABLE "odd ""table'"'"'; --" ("a""; DROP TABLE people; --" text, "b'"'"'" text); INSERT INTO "odd ""table'"'"'; --" VALUES ('"'x''); DROP TABLE people; --', 'y'), ('z', 'y')"
described "$(uri 'odd %22table%27%3B --')" >"$work/memory"
described "$(uri 'odd %22table%27%3B --&order=b%27')" --engine sql >"$work/server"
cmp "$work/memory" "$work/server" || fail "odd names"
expect "still there" 3000 "$(sql 'SELECT count(*) FROM people')"

refused "no order" 2 "no column 'nope'" "$kith" describe "$(uri 'people&order=nope')" --engine sql
refused "no list" 2 "order= needs names of columns" "$kith" describe "$(uri 'people&order=id,')" --engine sql
refused "no table" 2 "no table 'none'" "$kith" describe "$(uri none)" --engine sql
refused "no engine" 2 "there is no engine fast" "$kith" describe "$(uri people)" --engine fast
refused "no server" 2 "the engine sql needs a table of a PostgreSQL server" "$kith" describe "$work/study.yaml" --engine sql

# A release is the one that the same seed makes in memory from the same order, whoever holds the rows: sorted rows are compared.
study() { # ENGINE MISSING MODELS [SED]
  sed "${4:-}" <<END_OF_STUDY
study: people
engine: $1
missing: $2
missing_values: ["", NA]
trim: true
piece: 300
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: born, role: quasi-identifying, type: date, hierarchy: {dates: [month, year, decade]}}
  - {name: note, role: quasi-identifying}
  - {name: diagnosis, role: sensitive}
  - {name: weight, role: insensitive, type: decimal}
privacy: [$3]
END_OF_STUDY
}
sorted() { sql "SELECT * FROM $1 ORDER BY 1, 2, 3, 4, 5, 6"; }
# What a summary says but for times and memory.
summary() { grep -vE '"(load|search|write|verify|total|peak_rss_bytes|seconds|data|input|output|warnings)":' "$1"; }
same() { # MISSING MODELS [SED]
  study memory "$@" >"$work/memory.yaml"
  study sql "$@" >"$work/sql.yaml"
  "$kith" anonymize "$work/memory.yaml" -i "$(uri 'people&order=id')" -o "$(uri by_memory)" --seed 1 --keep-order --force --json >"$work/memory"
  sorted by_memory >"$work/sorted"
  for table in people 'people&order=id' 'scattered&order=id'; do
    "$kith" anonymize "$work/sql.yaml" -i "$(uri "$table")" -o "$(uri by_server)" --seed 1 --force --json >"$work/server"
    cmp "$work/sorted" <(sorted by_server) || fail "another release: $table, $*"
    cmp <(summary "$work/memory") <(summary "$work/server") ||
      { diff <(summary "$work/memory") <(summary "$work/server") >&2 || true; fail "another summary: $table, $*"; }
  done
}
k='{model: k-anonymity, k: 5}' l='{model: k-anonymity, k: 4}, {model: l-diversity, l: 3}'
same drop "$k" '/name: \(age\|zip\)/s/}$/, min_level: 1}/;/name: born/s/}$/, min_level: 2}/;/name: note/s/}$/, min_level: 1}/'
# A search of a lattice, with suppressed rows.
for missing in value wildcard drop; do
  same $missing "$l" 's/^piece: .*/algorithm: flash\nutility: {suppression: 0.1}/'
done
expect "suppressed rows" yes "$(grep -q '"suppressed":.[1-9]' "$work/server" && echo yes)"
for missing in value wildcard drop; do
  for models in "$k" "$l" '{model: t-closeness, t: 0.4}'; do
    same $missing "$models"
  done
done
expect "types of the release" "$(sql "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'by_memory'")" \
  "$(sql "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'by_server'")"
# However many columns and pieces there are, the server is asked for the rows once, and for the release once.
sql "ALTER SYSTEM SET log_statement = 'all'"
sql 'SELECT pg_reload_conf()' >/dev/null
asked() { as_server grep -c 'COPY (SELECT .* FROM "people"' "$work/main.log"; }
before=$(asked) || true
"$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$(uri by_server)" --seed 1 --force -q
expect "statements that read the table of six columns" $((before + 1)) "$(asked)"
expect "statements that read the release" 1 "$(as_server grep -c 'COPY (SELECT \* FROM "kith_[0-9a-f]*")' "$work/main.log")"
sql 'ALTER SYSTEM RESET log_statement'
sql 'SELECT pg_reload_conf()' >/dev/null
# Without a key and an order rows are ordered by what is read of them.
sql 'CREATE TABLE bag AS SELECT age, zip, born, note, diagnosis, weight FROM people'
study sql value '{model: k-anonymity, k: 5}' >"$work/sql.yaml"
study memory value '{model: k-anonymity, k: 5}' >"$work/memory.yaml"
"$kith" anonymize "$work/sql.yaml" -i "$(uri bag)" -o "$(uri by_server)" --seed 1 --force -q
"$kith" anonymize "$work/memory.yaml" -i "$(uri 'bag&order=age,zip,born,note,diagnosis')" -o "$(uri by_memory)" --seed 1 --keep-order --force -q
cmp <(sorted by_memory) <(sorted by_server) || fail "a table without a key"

# Texts that mean missing, of types that have few texts: NaN of a number, and t and f of a boolean.
sql "CREATE TABLE odd AS SELECT id, age, smokes, CASE WHEN id % 10 = 0 THEN 'NaN' ELSE weight END::numeric(6, 2) AS weight, diagnosis FROM people"
odd() { # ENGINE MISSING TEXT
  cat <<END_OF_STUDY
study: odd
engine: $1
missing: $2
missing_values: ["", "$3"]
piece: 300
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}}
  - {name: weight, role: quasi-identifying}
  - {name: smokes, role: quasi-identifying}
  - {name: diagnosis, role: insensitive}
privacy: [{model: k-anonymity, k: 4}]
END_OF_STUDY
}
for missing in value drop; do
  for text in NaN f; do
    for engine in memory sql; do
      odd $engine $missing $text >"$work/odd.yaml"
      "$kith" anonymize "$work/odd.yaml" -i "$(uri 'odd&order=id')" -o "$(uri odd_$engine)" --seed 1 --keep-order --force -q || fail "$text is missing: $engine"
    done
    cmp <(sql 'SELECT * FROM odd_memory ORDER BY 1, 2, 3, 4') <(sql 'SELECT * FROM odd_sql ORDER BY 1, 2, 3, 4') || fail "$text is missing: $missing"
  done
done
# The release may have the name of any other table.
"$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$(uri kith_release)" --seed 1 -q
expect "a release kith_release" 3000 "$(sql 'SELECT count(*) FROM kith_release')"
sql 'CREATE TABLE empty (LIKE people)'
sed 's/missing: value/missing: reject/' "$work/sql.yaml" >"$work/reject.yaml"
refused "no rows" 4 "only 0 records" "$kith" anonymize "$work/reject.yaml" -i "$(uri empty)" -o "$(uri new)"

# What fails leaves nothing, and what was there before stays.
before=$(sorted by_server | sha256sum)
tables=$(sql "SELECT count(*) FROM pg_class WHERE relkind = 'r'")
refused "existing table" 2 "exists already" "$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$(uri by_server)"
refused "release over data" 2 "is both the data and the release" "$kith" anonymize "$work/sql.yaml" -i "$(uri 'people&order=id')" -o "$(uri people)" --force
# A server would let the release wait for the end of the reading, for ever.
refused "release over data by another name" 2 "is both the data and the release" "$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$(uri public.people)" --force
sql 'CREATE VIEW seen AS SELECT * FROM people'
refused "release over the table of a view" 2 "is both the data and the release" "$kith" anonymize "$work/sql.yaml" -i "$(uri seen)" -o "$(uri people)" --force
sed 's/k: 5/k: 5000/' "$work/sql.yaml" >"$work/much.yaml"
refused "nothing can keep the models" 4 "5000" "$kith" anonymize "$work/much.yaml" -i "$(uri people)" -o "$(uri by_server)" --force
sql "CREATE ROLE reader LOGIN; GRANT SELECT ON people TO reader; REVOKE CREATE ON SCHEMA public FROM PUBLIC"
refused "no right to create tables" 5 "permission denied" "$kith" anonymize "$work/sql.yaml" -i "$(uri people reader)" -o "$(uri new reader)"
grep -q 'needs the right to create tables' "$work/err" || fail "the missing right is not explained"
study sql reject '{model: k-anonymity, k: 5}' >"$work/reject.yaml"
refused "missing cells" 2 "missing: reject" "$kith" anonymize "$work/reject.yaml" -i "$(uri people)" -o "$(uri new)"
sed 's/name: note, role: quasi-identifying/&, type: integer/' "$work/sql.yaml" >"$work/typed.yaml"
refused "wrong type" 2 " is not an integer (column note)" "$kith" anonymize "$work/typed.yaml" -i "$(uri people)" -o "$(uri new)"
refused "files" 2 "with engine: sql data and release are tables of PostgreSQL servers" "$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$work/release.csv"
refused "shuffled" 2 "shuffling its rows needs all rows" "$kith" anonymize "$work/sql.yaml" -i "$(uri people)" -o "$(uri new)" --shuffle
expect "the release before" "$before" "$(sorted by_server | sha256sum)"
expect "tables" "$tables" "$(sql "SELECT count(*) FROM pg_class WHERE relkind = 'r'")"
# What keeps a table from being replaced is said before the search, at which this program would die.
sql 'CREATE TABLE used (a text); CREATE VIEW uses AS SELECT * FROM used'
study memory value '{model: k-anonymity, k: 5}' >"$work/memory.yaml"
for engine in memory sql; do
  KITH_STRUCK="KILL search 1" refused "a table that a view needs, $engine" 5 "cannot replace" "$struck" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri used)" --force
  KITH_STRUCK="KILL search 1" refused "a view, $engine" 5 "cannot replace" "$struck" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri uses)" --force
done

# held PLAN ENGINE TABLE [OPTION…]: a run that has stopped itself, with the number `job`; go lets it end, with its status in `status`
held() {
  local plan=$1 engine=$2 table=$3
  shift 3
  KITH_STRUCK="STOP $plan" "$struck" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri "$table")" --seed 1 -q "$@" >"$work/out" 2>"$work/err" & job=$!
  until [[ $(cat /proc/$job/stat) == *') T '* ]]; do
    kill -0 $job || { cat "$work/err" >&2; fail "held at $plan, $engine: it has ended before"; }
    sleep 0.02
  done
}
go() { kill -CONT $job; status=0; wait $job || status=$?; }
# Whoever reads the table that is replaced sees the old rows until the new ones are there, and need not wait.
sql "CREATE TABLE wanted AS SELECT * FROM by_server"
for engine in memory sql; do
  for plan in 'search 1' 'write 1' 'verify 1'; do
    sql "DROP TABLE wanted; CREATE TABLE wanted AS SELECT 'old' AS age"
    held "$plan" $engine wanted --force
    expect "the old table, $engine, $plan" old "$(sql "SET lock_timeout TO '30s'; SELECT age FROM wanted")"
    go
    expect "the run, $engine, $plan" "0 3000" "$status $(sql 'SELECT count(*) FROM wanted')"
  done
  # A table of the same name that somebody else makes meanwhile stays.
  sql 'DROP TABLE wanted'
  held 'search 1' $engine wanted
  sql "SET lock_timeout TO '30s'; CREATE TABLE wanted AS SELECT 'theirs' AS age"
  go
  expect "a table of the same name, $engine" "2 theirs" "$status $(sql 'SELECT age FROM wanted')"
  grep -q 'exists already' "$work/err" || fail "a table of the same name, $engine: $(cat "$work/err")"
done
expect "tables that were left" 0 "$(sql "SELECT count(*) FROM pg_class WHERE relname ~ '^kith_[0-9a-f]{16}$'")"

# A release is verified on its server, with the answer that it gets in memory; only where the worst class stands is not known.
sql "CREATE TABLE badly AS SELECT age / 20 AS age, CASE WHEN age < 30 THEN NULL WHEN age < 40 THEN '' ELSE zip::text END AS zip,
  (born - date '1950-01-01') / 4000.0 > 1 AS born, note, diagnosis, weight, name FROM people"
sql 'CREATE TABLE none_left AS SELECT * FROM by_server LIMIT 0'
sql "CREATE TABLE without AS SELECT age, zip, born, diagnosis FROM by_server"
spread='age text, zip text, born text, note text, diagnosis text, weight numeric'
sql "CREATE TABLE spread ($spread) PARTITION BY HASH (weight)"
for i in 0 1 2; do
  sql "CREATE TABLE spread ($spread)" $((i + 1))
  sql "CREATE FOREIGN TABLE spread_$i PARTITION OF spread FOR VALUES WITH (MODULUS 3, REMAINDER $i) SERVER part$i OPTIONS (table_name 'spread')"
done
sql 'INSERT INTO spread SELECT * FROM by_server'
# verified STUDY TABLE [OPTION…]: what is said, with the status
verified() {
  local status=0 options=("${@:3}")
  "$kith" verify "$1" "$(uri "$2")" "${options[@]}" || status=$?
  echo "status $status"
}
answer() { sed '/"example":/,/}/d'; } # but for the worst classes: of equally bad ones it may be another
for models in '{model: k-anonymity, k: 5}' '{model: k-anonymity, k: 4}, {model: l-diversity, l: 3}' '{model: t-closeness, t: 0.4}' \
  '{model: t-closeness, t: 0.1}' '{model: beta-likeness, beta: 0.5}, {model: k-anonymity, k: 4000}' \
  '{model: l-diversity, variant: entropy, l: 1.5}, {model: delta-disclosure, delta: 0.5}'; do
  study memory value "$models" >"$work/memory.yaml"
  study sql value "$models" >"$work/sql.yaml"
  for table in by_server spread badly none_left without; do
    verified "$work/memory.yaml" $table --json >"$work/memory" 2>"$work/memory.err"
    verified "$work/sql.yaml" $table --json >"$work/server" 2>"$work/server.err"
    diff "$work/memory.err" "$work/server.err" >&2 || fail "another message: verify $table, $models"
    diff <(answer <"$work/memory") <(answer <"$work/server") >&2 || fail "another verdict: $table, $models"
    grep -qE '"(row|line)":' "$work/server" && fail "a row without a place: $table, $models"
    [ $table = without ] || diff <(verified "$work/memory.yaml" $table | sed 's/; the worst .*//') \
      <(verified "$work/sql.yaml" $table | sed 's/; the worst .*//') >&2 || fail "another text: $table, $models"
  done
done
study sql value '{model: k-anonymity, k: 4}, {model: lkc, l: 2, k: 4, c: 1}' >"$work/sql.yaml"
expect "lkc" "status 0" "$(verified "$work/sql.yaml" by_server | tail -n 1)"
refused "lkc by fewer columns" 2 "whether lkc holds depends on choices of quasi-identifiers" "$kith" verify "$work/sql.yaml" "$(uri badly)"
{ study sql value '{model: k-anonymity, k: 4}'; echo 'utility: {suppression: 0.1}'; } >"$work/suppress.yaml"
refused "suppressed rows" 2 "suppressed rows cannot be found with engine: sql" "$kith" verify "$work/suppress.yaml" "$(uri by_server)"
refused "no release" 2 "no table 'nowhere'" "$kith" verify "$work/sql.yaml" "$(uri nowhere)"
# More rows than one part has, in classes of which one is the smallest.
sql "CREATE TABLE many AS SELECT 'a' || i % 7 AS age, 'z' || i % 1000 AS zip, NULLIF(i % 2, 0)::text AS born, CASE WHEN i = 77777 THEN 'x' WHEN i % 3 = 0 THEN '' END AS note,
  'd' || i % 11 AS diagnosis, 1 AS weight FROM generate_series(1, 200000) i"
for engine in memory sql; do
  study $engine value '{model: k-anonymity, k: 3}, {model: t-closeness, t: 0.2}' >"$work/$engine.yaml"
  verified "$work/$engine.yaml" many --json >"$work/$engine.many"
done
diff <(answer <"$work/memory.many") <(answer <"$work/sql.many") >&2 || fail "another verdict of many rows"
grep -q '"note":[[:space:]]*"x"' "$work/sql.many" || fail "the worst class is not shown"
# With the data the release is read.
study sql value '{model: k-anonymity, k: 5}' >"$work/sql.yaml"
"$kith" verify "$work/sql.yaml" "$(uri by_server)" --data "$(uri people)" >"$work/out" || fail "verify with data: $(cat "$work/out")"

# Without the key, a table that is larger than `memory` is left to the server, too: 1 MB is room for 6,944 rows of six columns.
{ study memory value '{model: k-anonymity, k: 5}'; echo 'memory: 1MB'; } >"$work/memory.yaml"
"$kith" anonymize "$work/memory.yaml" -i "$(uri people)" -o "$(uri small)" --shuffle -q || fail "3,000 rows do not fit"
sql "CREATE TABLE larger AS SELECT i AS id, age, zip, born, note, diagnosis, weight FROM people, generate_series(1, 3) i"
refused "a larger table" 2 "shuffling its rows needs all rows" "$kith" anonymize "$work/memory.yaml" -i "$(uri larger)" -o "$(uri large)" --shuffle
"$kith" anonymize "$work/memory.yaml" -i "$(uri 'larger&order=id,age,zip,born,note')" -o "$(uri by_server)" --seed 1 --force -q
sed -i 's/memory: 1MB/memory: 1GB/' "$work/memory.yaml"
"$kith" anonymize "$work/memory.yaml" -i "$(uri 'larger&order=id,age,zip,born,note')" -o "$(uri by_memory)" --seed 1 --keep-order --force -q
cmp <(sorted by_memory) <(sorted by_server) || fail "another release of a larger table"
