#!/usr/bin/env bash
# A party that may not take part, because of an earlier run, tells those that wait for it: they end at
# once, though they would wait for ten minutes. South, in the middle of the study, dials north and is
# dialled by east.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"; kill $(jobs -p) 2>/dev/null || true' EXIT
cd "$work"
fail() { echo "decline: $1" >&2; exit 1; }
port=$((20000 + RANDOM % 12000))
for s in north south east; do
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  "$kith" cert init $s -o $s.key --address "127.0.0.1:$port" --party $s.party -q
done
cat >base.yaml <<'END'
study: declined
columns:
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: {intervals: [5, 20]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 4}]
partition: horizontal
END
"$kith" study join base.yaml north.party south.party east.party -o s.yaml -q
rows() { echo pid,age,ill; awk -v o="$1" 'BEGIN { for (i = 0; i < 40; i++) printf "%d,%d,ill%d\n", i / 2, (i * 7 + o) % 100, i % 4 }'; }
rows 1 >north.csv; rows 2 >south.csv; rows 3 >east.csv; rows 4 >other.csv

# A dry run with data: it is checked, also for people with several rows, and the run is estimated.
for s in north south east; do
  "$kith" party s.yaml --as $s --key $s.key -i $s.csv --dry-run --json >$s.dry 2>$s.err &
done
wait
for s in north south east; do
  sqlite3 :memory: "select json_extract(readfile('$s.dry'), '\$.own_records') = 40
    and json_extract(readfile('$s.dry'), '\$.estimate.records') = 120
    and json_extract(readfile('$s.dry'), '\$.warnings[0]') like 'pid: 20 values in 40 rows: if pid is a person, %'
    and json_extract(readfile('$s.dry'), '\$.estimate.bytes') > 1000" | grep -qx 1 || fail "dry run: $(cat $s.dry $s.err)"
done

party() { "$kith" party s.yaml --as "$1" --key "$1.key" -i "$2" -o "$3.$1" --wait 10min >"$1.out" 2>"$1.err"; }
party north north.csv first & a=$!
party south south.csv first & b=$!
party east east.csv first & c=$!
wait $a || fail "north: $(cat north.err)"
wait $b || fail "south: $(cat south.err)"
wait $c || fail "east: $(cat east.err)"
for s in north south east; do
  sqlite3 :memory: "select json_extract(readfile('first.$s/summary.json'), '\$.warnings[0]')" |
    grep -q '^pid: 20 values in 40 rows: if pid is a person, ' && grep -q 'warning: pid: 20 values in 40 rows' $s.err ||
    fail "$s is not told that pid repeats: $(cat $s.err)"
done

party north north.csv second & a=$!
party east east.csv second & c=$!
until grep -q 'waiting for south' north.err && grep -q 'waiting for.*south' east.err; do
  kill -0 $a && kill -0 $c || fail "ended early: $(cat north.err east.err)"
  sleep 0.1
done
party south other.csv second && fail "south took part with other data" || status=$?
[ $status = 2 ] && grep -q 'with other data' south.err || fail "south: $status $(cat south.err)"
for s in north east; do
  [ $s = north ] && pid=$a || pid=$c
  wait $pid && fail "$s has a result" || status=$?
  [ $status = 3 ] || fail "$s: status $status"
  grep -q 'south will not take part because of a run before' $s.err || fail "$s: $(cat $s.err)"
  [ ! -e second.$s/release.csv ] || fail "$s has a release"
done
