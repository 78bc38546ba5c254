#!/usr/bin/env bash
# Two real parties that hold columns of not quite the same people: the summary of each counts the records of
# the release, its own rows, and those of them that have no partner.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "unmatched: $1" >&2; exit 1; }
pin() { "$kith" cert show "$1" --json | grep -o 'sha256:[0-9a-f]*'; }
port=$((20000 + RANDOM % 20000))
for name in north south; do "$kith" cert init $name -o $name.key -q; done
cat >s.yaml <<END
study: columns
columns:
  - {name: id, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: {intervals: [10]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: ill, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
partition: vertical
ids: id
parties:
  - {name: north, address: "127.0.0.1:$port", key: "$(pin north.key)", columns: [age]}
  - {name: south, address: "127.0.0.1:$((port + 1))", key: "$(pin south.key)", columns: [zip, ill]}
END
# north has the people 1 to 40, south 6 to 43: 35 are at both
{ echo id,age; for i in $(seq 40); do echo "p$i,$((i * 7 % 100))"; done; } >north.csv
{ echo id,zip,ill; for i in $(seq 6 43); do echo "p$i,81$((i % 3))$((i % 2)),ill$((i % 4))"; done; } >south.csv
run() { "$kith" party s.yaml --as $1 --key $1.key -i $1.csv -o $1.d --no-progress >$1.out 2>$1.err; }
run north & first=$!
run south || fail "south: $(cat south.err)"
wait $first || fail "north: $(cat north.err)"
says() { grep -qxF "$2" "$1.out" || fail "$1 does not say '$2': $(cat "$1.out")"; }
says north "records         35; of this party's 40 rows, 5 had no partner at some other site"
says south "records         35; of this party's 38 rows, 3 had no partner at some other site"
holds() { tr -d ' \t\n' <"$1.d/summary.json" | grep -qF "$2" || fail "$1.d/summary.json lacks $2"; }
holds north '"records":35,'; holds north '"own_records":40,'; holds north '"unmatched":5,'
holds south '"records":35,'; holds south '"own_records":38,'; holds south '"unmatched":3,'
[ "$(wc -l <north.d/release.csv)" = 36 ] && cmp north.d/release.csv south.d/release.csv || fail "the release"
echo "35 of 40 and 38"
