#!/usr/bin/env bash
# Every measure that is a sum over cells, by both protocols on rows: those that look at how values are
# distributed need the joint distribution, so the release must be as good as one made in one place.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "joint_measures: $1" >&2; exit 1; }
objective() { sqlite3 :memory: "select json_extract(readfile('$1'), '\$.objective')"; }
"$kith" generate adult -n 900 --seed 2 -o p.csv -q
for measure in lm em entropy tree mi precision; do
  sed "s/^  measure: .*/  measure: $measure/" p.study.yaml >m.yaml
  grep -q "measure: $measure" m.yaml || fail "the study has no measure"
  for protocol in weave clustering; do
    { cat m.yaml; echo "protocol: $protocol"; } >j.yaml
    "$kith" simulate j.yaml -i p.csv --sites 3 --in-process --seed 1 -o run --force -q --no-progress ||
      fail "$protocol cannot minimize $measure"
    "$kith" anonymize j.yaml -i p.csv -o c.csv --seed 1 --force --summary c.json -q --no-progress
    awk -v joint="$(objective run/summary.json)" -v one="$(objective c.json)" \
      'BEGIN { exit !(joint > 0 && joint < 1.25 * one) }' ||
      fail "$protocol, $measure: $(objective run/summary.json) against $(objective c.json) in one place"
  done
done
