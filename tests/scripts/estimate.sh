#!/usr/bin/env bash
# kith estimate, asked with half of the records, against the run itself: calls, rounds and messages within a factor of
# 2; bytes within 25%; where they follow from sizes (the encrypted view,
# with its operations, and the alignment of columns) within 10%. Without another table at hand the
# estimate of all records is the run.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "estimate: $1" >&2; exit 1; }
at() { sqlite3 :memory: "select json_extract(readfile('$1'), '\$.$2')"; }
calls() { sqlite3 :memory: "select sum(value) from json_each(readfile('$1'), '\$.protocol.calls')"; }
near() { awk -v a="$2" -v b="$3" -v f="${5:-2}" 'BEGIN { exit !(a > 0 && b > 0 && a <= f * b && b <= f * a) }' ||
  fail "$4: $1 estimated $2, was $3"; }
"$kith" generate hospital -n 2400 --seed 5 -o p.csv -q
awk '{ print (NR == 1 ? "patient" : int(NR / 3)) "," $0 }' p.csv >with.csv && mv with.csv p.csv # three rows of each
head -n 1201 p.csv >own.csv
sed 's/k: [0-9]*}/k: 10}/; /model: l-diversity/,/^ *# makes/d' p.study.yaml >k.yaml
{ cat k.yaml; echo 'partition: vertical'; } >aligning.yaml
for protocol in weave clustering encrypted-view mondrian; do
  { cat p.study.yaml; echo "protocol: $protocol"; } >$protocol.yaml
done
# rehearsed STUDY SITES FACTOR: bytes are within the factor.
rehearsed() {
  "$kith" estimate $1.yaml -i own.csv --sites $2 --records 2400 --seed 1 --json --no-progress >e.json
  "$kith" simulate $1.yaml -i p.csv --sites $2 --in-process --seed 1 -o run --force -q --no-progress
  grep -q encrypted-view $1.yaml || near calls "$(at e.json calls)" "$(calls run/summary.json)" "$1, $2 sites"
  near messages "$(at e.json messages)" "$(at run/summary.json protocol.messages)" "$1, $2 sites"
  near bytes "$(at e.json bytes)" "$(at run/summary.json protocol.bytes)" "$1, $2 sites" "$3"
}
everything() { [ "${KITH_EXHAUSTIVE:-}" = full ]; } # a protocol costs seconds
rehearsed weave 3 1.25
rehearsed encrypted-view 3 1.1
rehearsed aligning 3 1.1
! everything || { rehearsed weave 2 1.25; rehearsed clustering 3 1.25; rehearsed mondrian 3 1.25; }
# With persons, which sites match or not.
sed 's/^columns:/&\n  - {name: patient, role: identifying}/; /model: l-diversity/,/^ *# makes/d' encrypted-view.yaml >persons.yaml
for overlap in matched none; do
  { cat persons.yaml; printf 'unit: patient\noverlap: %s\n' $overlap; } >persons-$overlap.yaml
  ! { [ $overlap = matched ] || everything; } || rehearsed persons-$overlap 3 1.1
done
# With fewer records than the run has, counts are said to be about right; with all of them, or where they follow from sizes, not.
said() { "$kith" estimate $1.yaml -i $2.csv --sites 3 --records 2400 --seed 1 --no-progress | grep '^traffic '; }
said mondrian own | grep -q 'traffic *about [1-9]' || fail "mondrian is extrapolated, and does not say so"
said weave own | grep -q 'traffic *about [1-9]' || fail "weave draws records again, and does not say so"
said weave p | grep -q 'traffic *[1-9]' || fail "weave with all records is not exact"
said encrypted-view own | grep -q 'traffic *[1-9]' || fail "encrypted-view follows from sizes"
cp k.yaml columns.yaml
printf 'partition: vertical\nids: aligned\n' >>columns.yaml
for keys in 'name: false' 'name: true'; do
  { cat columns.yaml; echo "$keys"; } >tree.yaml
  "$kith" estimate tree.yaml -i own.csv --sites 3 --records 2400 --seed 1 --json --no-progress >e.json
  "$kith" simulate tree.yaml -i p.csv --sites 3 --in-process --seed 1 -o "run-$keys" -q --no-progress
  near calls "$(at e.json calls)" "$(calls "run-$keys/summary.json")" "columns, $keys" 1.25
  for figure in rounds messages bytes; do
    near $figure "$(at e.json $figure)" "$(at "run-$keys/summary.json" protocol.$figure)" "columns, $keys" 1.25
  done
done

# The encrypted view: its first holder sends a hierarchy file as a whole, also the many values that do not occur.
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%04d;%03d*;%02d**;*\n", i, i / 10, i / 100 }' >codes.csv
awk 'BEGIN { srand(7); print "code,age,ill"; for (i = 0; i < 900; i++) printf "%04d,%d,%s\n", 4000 * rand() * rand(), 100 * rand(), substr("abcd", 1 + 4 * rand(), 1) }' >t.csv
cat >view.yaml <<'END'
study: codes
columns:
  - {name: code, role: quasi-identifying, hierarchy: codes.csv}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
protocol: encrypted-view
algorithm: flash
END
for keys in 'partition: horizontal' 'partition: horizontal
master: site2' 'partition: vertical
ids: aligned'; do
  { cat view.yaml; echo "$keys"; } >v.yaml
  sites=3; [ "${keys#*vertical}" = "$keys" ] || sites=2
  "$kith" estimate v.yaml -i t.csv --sites $sites --seed 1 --json --no-progress >e.json
  "$kith" simulate v.yaml -i t.csv --sites $sites --in-process --seed 1 -o run-view --force -q --no-progress
  near bytes "$(at e.json bytes)" "$(at run-view/summary.json protocol.bytes)" "view, $keys" 1.1
  near operations "$(at e.json 'phases[#-1].operations')" "$(at run-view/summary.json protocol.facts.operations)" "view, $keys" 1.1
done
