#!/usr/bin/env bash
# The virtual database: every protocol over rows writes each site's own rows into a database of its own,
# which only its owner can read, and nothing else; queries on all of them are right. What is certain is
# never more than what is true, and what is possible never less.
# usage: virtual.sh KITH
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "virtual: $1" >&2; exit 1; }
"$kith" generate hospital -n 900 --seed 5 -o p.csv -q
base() { # PROTOCOL: without diversity, which takes long
  sed '/l-diversity/d; /makes up more/d' p.study.yaml; printf 'partition: horizontal\nprotocol: %s\npublish: virtual\n' "$1"
}
query() { # FILE PATH: one number of a summary
  sqlite3 :memory: "select json_extract(readfile('$1'), '\$.query.$2')"
}
check_counts() { # PROTOCOL SQL: a single count
  rm -rf run
  "$kith" simulate "$1.yaml" -i p.csv --sites 3 -o run --in-process --seed 1 -q --query "$2" || fail "$1: $2 failed"
  certain=$(query run/summary.json 'answer.rows[0][0]') expected=$(query run/summary.json 'answer.rows[0][1]')
  possible=$(query run/summary.json 'answer.rows[0][2]') exact=$(query run/summary.json 'exact.rows[0][0]')
  awk -v c="$certain" -v e="$expected" -v p="$possible" -v x="$exact" \
    'BEGIN { exit !(c <= x && x <= p && c <= e && e <= p + 0.001 && p > 0) }' ||
    fail "$1: $2: $certain $expected $possible, in truth $exact"
}
for protocol in weave clustering mondrian; do
  base $protocol >$protocol.yaml
  check_counts $protocol "select count(*)"
  [ "$certain $expected $possible $exact" = "900 900 900 900" ] || fail "$protocol: all records: $certain $expected $possible"
  check_counts $protocol "select count(*) where age between 30 and 60 and sex = 'female'"
  check_counts $protocol "select count(*) where not (job in ('nurse', 'teacher') or admitted < '2023-07-01')"
  check_counts $protocol "select count(*) where disease = 'asthma' and age > 40"
  # Own rows alone: no release at the sites, private files, all rows together those of the data.
  for site in site1 site2 site3; do
    test ! -e run/$site/release.csv || fail "$protocol: $site has a release"
    [ "$(stat -c %a run/$site/rows.sqlite)" = 600 ] || fail "$protocol: others can read the rows of $site"
    sqlite3 run/$site/rows.sqlite 'select count(*) from rows'
  done | awk "{ n += \$1 } END { exit n != 900 }" || fail "$protocol: the sites have other rows"
  [ "$(sqlite3 run/site1/rows.sqlite "select count(*) from rows_kith where kind = 'about' and text like '%not k-anonymous%'")" = 1 ] ||
    fail "$protocol: the table does not say what it is"
done
# Values that are released as they are: sums and groups are exact.
rm -rf run
"$kith" simulate mondrian.yaml -i p.csv --sites 2 -o run --seed 1 -q \
  --query "select disease, count(*) as n group by disease order by n desc limit 3" || fail "groups over TLS"
sqlite3 :memory: "select json_extract(readfile('run/summary.json'), '\$.query.answer.rows')" | tr -d '[]' >answer
sqlite3 :memory: -cmd ".mode csv" ".import p.csv p" "select disease, count(*) * 1.0 c from p group by 1 order by 2 desc, 1 limit 3" >truth
awk -F, 'NR == FNR { for (i = 1; i <= NF; i += 4) n[++k] = $(i + 1) + 0; next } { if (n[FNR] != $2 + 0) exit 1 }' answer truth ||
  fail "groups: $(cat answer), in truth $(cat truth)"
# Rows: as many as may satisfy the condition.
rm -rf run
"$kith" simulate weave.yaml -i p.csv --sites 3 -o run --in-process --seed 1 -q --query "select age, disease where disease = 'asthma'"
rows=$(sqlite3 :memory: "select json_array_length(readfile('run/summary.json'), '\$.query.answer.rows')")
flu=$(sqlite3 :memory: -cmd ".mode csv" ".import p.csv p" "select count(*) from p where disease = 'asthma'")
[ "$rows" = "$flu" ] || fail "$rows rows, in truth $flu"
# A place for the missing value in a hierarchy file, although the study makes it any value; an empty text that is a
# value for the study. In the table both are missing cells.
awk -F, 'NR == 1 { print "city,age,ill" } NR > 1 { print (NR % 5 ? "c" NR % 5 : "") "," 20 + NR % 40 "," "ill" NR % 3 }' \
  <(head -n 201 p.csv) >c.csv
mv c.csv p.csv
printf '%s\n' 'c1;c12;*' 'c2;c12;*' 'c3;c34;*' 'c4;c34;*' ';none;*' >city.csv
empty() { # PROTOCOL ROLE KEYS…
  printf 'study: s\ncolumns:\n  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: {intervals: [5, 20]}}\n'
  printf '  - {name: city, role: %s}\nprivacy: [{model: k-anonymity, k: 4}]\n' "$2"
  printf 'partition: horizontal\nprotocol: %s\npublish: virtual\n' "$1"
  printf '%s\n' "${@:3}"
}
for protocol in weave mondrian; do
  empty $protocol 'quasi-identifying, hierarchy: {file: city.csv, separator: ";"}' 'missing: wildcard' >wildcard.yaml
  check_counts wildcard "select count(*) where city = 'c1'"
  empty $protocol sensitive 'missing_values: [NA]' >texts.yaml
  check_counts texts "select count(*) where city = 'c1'"
  [ "$certain $possible" = "$exact $exact" ] || fail "texts: $certain $possible, in truth $exact"
  rm -rf run
  "$kith" simulate texts.yaml -i p.csv --sites 2 -o run --in-process --seed 1 -q --query "select count(*) where city is null"
  [ "$(query run/summary.json 'answer.rows[0]')" = "[40,40,40]" ] || fail "empty texts: $(query run/summary.json 'answer.rows[0]')"
done
echo "virtual: all answers are right"
