#!/usr/bin/env bash
# A table of a PostgreSQL server, alone or partitioned over three others, that is larger than the study's `memory`: its release is
# the one that it gives in memory, and whatever fails leaves nothing.
# usage: postgres_memory.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 struck=$3/tests/kith_struck
. "$2/tests/helpers/postgres.bash"
start_server main

columns='id integer, name text, age integer, zip character(7), born date, weight numeric, smokes boolean, note varchar(20), diagnosis text'
fill="SELECT i, 'p' || i, 20 + (i * 7919) % 60, '1' || lpad((i * 31 % 97)::text, 4, '0'), date '1950-01-01' + (i * 17 % 9000),
  (i % 50) / 4.0, i % 3 = 0, (ARRAY['', ' a', 'a', NULL, 'NA', 'b ''\"'])[1 + i * 7 % 6],
  CASE WHEN i % 11 = 0 THEN NULL ELSE 'd' || (i * i) % 7 END FROM generate_series(1, 9000) i"
sql "CREATE TABLE people ($columns, PRIMARY KEY (id)); INSERT INTO people $fill"
partition_over scattered "$columns" 3
sql "INSERT INTO scattered $fill"
expect "rows of the three servers" 9000 $(($(sql 'SELECT count(*) FROM scattered' 1) + $(sql 'SELECT count(*) FROM scattered' 2) + $(sql 'SELECT count(*) FROM scattered' 3)))

sql 'ANALYZE scattered'

# A release is the one that the same seed makes in memory from the same order. 9,000 rows of six columns need more than 1 MB.
limit() { if [ "$1" = memory ]; then echo 1GB; else echo 1MB; fi; }
study() { # memory|disk MISSING MODELS [SED]
  sed "${4:-}" <<END_OF_STUDY
study: people
memory: $(limit "$1")
missing: $2
missing_values: ["", NA]
trim: true
piece: 900
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
rows() { sql "SELECT * FROM $1"; } # a table that one process has written comes as it was written
# What a summary says but for times and memory.
summary() { grep -vE '"(load|search|write|verify|total|peak_rss_bytes|seconds|data|input|output|warnings)":' "$1"; }
same() { # MISSING MODELS [SED]
  study memory "$@" >"$work/memory.yaml"
  study disk "$@" >"$work/disk.yaml"
  "$kith" anonymize "$work/memory.yaml" -i "$(uri 'people&order=id')" -o "$(uri by_memory)" --seed 1 --force --json >"$work/memory"
  rows by_memory >"$work/rows"
  for table in 'people&order=id' 'scattered&order=id'; do
    "$kith" anonymize "$work/disk.yaml" -i "$(uri "$table")" -o "$(uri by_disk)" --seed 1 --force --json >"$work/disk"
    cmp "$work/rows" <(rows by_disk) || fail "another release: $table, $*"
    cmp <(summary "$work/memory") <(summary "$work/disk") ||
      { diff <(summary "$work/memory") <(summary "$work/disk") >&2 || true; fail "another summary: $table, $*"; }
  done
}
k='{model: k-anonymity, k: 5}' l='{model: k-anonymity, k: 4}, {model: l-diversity, l: 3}'
same drop "$k" '/name: \(age\|zip\)/s/}$/, min_level: 1}/;/name: born/s/}$/, min_level: 2}/;/name: note/s/}$/, min_level: 1}/'
# A search of a lattice, with suppressed rows.
every=$([ "${KITH_EXHAUSTIVE:-}" != full ] || echo 'value wildcard')
for missing in $every drop; do
  same $missing "$l" 's/^piece: .*/algorithm: flash\nutility: {suppression: 0.1}/'
done
expect "suppressed rows" yes "$(grep -q '"suppressed":.[1-9]' "$work/disk" && echo yes)"
same value "$k"
same wildcard '{model: t-closeness, t: 0.4}'
same drop "$l"
for missing in $every; do
  for models in "$k" "$l" '{model: t-closeness, t: 0.4}'; do
    same $missing "$models"
  done
done
expect "types of the release" "$(sql "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'by_memory'")" \
  "$(sql "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'by_disk'")"
study disk value "$k" >"$work/disk.yaml"
study memory value "$k" >"$work/memory.yaml"
for table in people scattered; do # in the order in which the rows are stored
  "$kith" anonymize "$work/disk.yaml" -i "$(uri $table)" -o "$work/disk.csv" --seed 1 --force -q
  "$kith" anonymize "$work/memory.yaml" -i "$(uri $table)" -o "$work/memory.csv" --seed 1 --force -q
  cmp "$work/memory.csv" "$work/disk.csv" || fail "another release in a file: $table"
done

# Texts that mean missing, of types that have few texts: NaN of a number, and t and f of a boolean.
sql "CREATE TABLE odd AS SELECT id, age, smokes, CASE WHEN id % 10 = 0 THEN 'NaN' ELSE weight END::numeric(6, 2) AS weight, diagnosis FROM people, generate_series(1, 2)"
odd() { # memory|disk MISSING TEXT
  cat <<END_OF_STUDY
study: odd
memory: $(limit "$1")
missing: $2
missing_values: ["", "$3"]
piece: 900
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
    for engine in memory disk; do
      odd $engine $missing $text >"$work/odd.yaml"
      "$kith" anonymize "$work/odd.yaml" -i "$(uri 'odd&order=id')" -o "$(uri odd_$engine)" --seed 1 --force -q || fail "$text is missing: $engine"
    done
    cmp <(sql 'SELECT * FROM odd_memory ORDER BY 1, 2, 3, 4') <(sql 'SELECT * FROM odd_disk ORDER BY 1, 2, 3, 4') || fail "$text is missing: $missing"
  done
done
# The release may have the name of any other table.
"$kith" anonymize "$work/disk.yaml" -i "$(uri people)" -o "$(uri kith_release)" --seed 1 -q
expect "a release kith_release" 9000 "$(sql 'SELECT count(*) FROM kith_release')"
sql 'CREATE TABLE empty (LIKE people)'
sed 's/missing: value/missing: reject/' "$work/disk.yaml" >"$work/reject.yaml"
refused "no rows" 4 "only 0 records" "$kith" anonymize "$work/reject.yaml" -i "$(uri empty)" -o "$(uri new)"

# What fails leaves nothing, and what was there before stays.
before=$(rows by_disk | sha256sum)
tables=$(sql "SELECT count(*) FROM pg_class WHERE relkind = 'r'")
refused "existing table" 2 "exists already" "$kith" anonymize "$work/disk.yaml" -i "$(uri people)" -o "$(uri by_disk)"
refused "release over data" 2 "is the input itself" "$kith" anonymize "$work/disk.yaml" -i "$(uri people)" -o "$(uri people)" --force
sed 's/k: 5/k: 9500/' "$work/disk.yaml" >"$work/much.yaml"
refused "nothing can keep the models" 4 "9500" "$kith" anonymize "$work/much.yaml" -i "$(uri people)" -o "$(uri by_disk)" --force
sql "CREATE ROLE reader LOGIN; GRANT SELECT ON people TO reader; REVOKE CREATE ON SCHEMA public FROM PUBLIC"
refused "no right to create tables" 5 "permission denied" "$kith" anonymize "$work/disk.yaml" -i "$(uri people reader)" -o "$(uri new reader)"
grep -q 'needs the right to create tables' "$work/err" || fail "the missing right is not explained"
study disk reject '{model: k-anonymity, k: 5}' >"$work/reject.yaml"
refused "missing cells" 2 "missing: reject" "$kith" anonymize "$work/reject.yaml" -i "$(uri people)" -o "$(uri new)"
sed 's/name: note, role: quasi-identifying/&, type: integer/' "$work/disk.yaml" >"$work/typed.yaml"
refused "wrong type" 2 " is not an integer (column note)" "$kith" anonymize "$work/typed.yaml" -i "$(uri people)" -o "$(uri new)"
refused "explained" 2 "an internal report needs all rows" "$kith" anonymize "$work/disk.yaml" -i "$(uri people)" -o "$(uri new)" --report "$work/report.html" --internal
expect "the release before" "$before" "$(rows by_disk | sha256sum)"
expect "tables" "$tables" "$(sql "SELECT count(*) FROM pg_class WHERE relkind = 'r'")"
# What keeps a table from being replaced is said before the search, at which this program would die.
sql 'CREATE TABLE used (a text); CREATE VIEW uses AS SELECT * FROM used'
study memory value '{model: k-anonymity, k: 5}' >"$work/memory.yaml"
for engine in memory disk; do
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
sql "CREATE TABLE wanted AS SELECT * FROM by_disk"
for engine in memory disk; do
  for plan in 'search 1' 'write 1' 'verify 1'; do
    sql "DROP TABLE wanted; CREATE TABLE wanted AS SELECT 'old' AS age"
    held "$plan" $engine wanted --force
    expect "the old table, $engine, $plan" old "$(sql "SET lock_timeout TO '30s'; SELECT age FROM wanted")"
    go
    expect "the run, $engine, $plan" "0 9000" "$status $(sql 'SELECT count(*) FROM wanted')"
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

# The option counts more than the study, and what needs all rows is done where there is room for them.
"$kith" anonymize "$work/disk.yaml" -i "$(uri people)" -o "$(uri explained)" --memory 2MB --report "$work/report.html" --internal -q || fail "9,000 rows do not fit"
