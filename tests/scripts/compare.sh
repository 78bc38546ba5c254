#!/usr/bin/env bash
# kith compare: every protocol that fits gives figures, those that cannot serve the study a reason,
# and all of them lie near one place and below each site alone.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "compare: $1" >&2; exit 1; }
# ways: way, lowest loss over all, loss, rounds, bytes, lines of disclosure, reason
table() {
  sqlite3 -separator ' ' :memory: "select replace(json_extract(value, '\$.way'), ' ', '-'),
    ifnull(round(json_extract(value, '\$.objective'), 4), 'none'),
    ifnull(json_extract(value, '\$.rounds'), 0), ifnull(json_extract(value, '\$.bytes'), 0),
    ifnull(json_array_length(value, '\$.discloses'), 0), ifnull(json_extract(value, '\$.refused'), '')
    from json_each(readfile('$1'), '\$.ways')"
}
"$kith" generate hospital -n 1500 --seed 3 -o p.csv -q
"$kith" compare p.study.yaml -i p.csv --sites 3 --in-process --seed 1 --json --no-progress >c.json
table c.json >c.txt
[ "$(cut -d' ' -f1 c.txt | paste -sd,)" = "one-place,weave,clustering,encrypted-view,mondrian,id-based,each-site-alone" ] ||
  fail "other ways: $(cat c.txt)"
grep -qE '^id-based none .*l-diversity' c.txt || fail "id-based keeps l-diversity: $(cat c.txt)"
sed -i '/^id-based /d' c.txt
awk '{ loss[$1] = $2; rounds[$1] = $3; bytes[$1] = $4; lines[$1] = $5; reason[$1] = $6 }
  END { for (w in loss) {
    if (loss[w] == "none") { print w, "gave no release"; bad = 1 }
    # Mondrian cuts at the middle, wherever the people are: its loss is higher than that of all others.
    most = (w == "mondrian" ? 3 : 1.1) * loss["each-site-alone"]
    if (loss[w] < 0.9 * loss["one-place"] || loss[w] > most) { print w, loss[w]; bad = 1 }
    joint = w == "weave" || w == "clustering" || w == "encrypted-view" || w == "mondrian"
    if (joint != (rounds[w] > 0 && bytes[w] > 0 && lines[w] > 1)) { print w, "costs", rounds[w], bytes[w]; bad = 1 }
  } exit bad }' c.txt || fail "$(cat c.txt)"
# A model about sites: one place has none, and only some protocols keep it.
sed 's/^privacy:/privacy:\n  - {model: m-privacy, k: 3}/' p.study.yaml >m.study.yaml; echo 'partition: horizontal' >>m.study.yaml
"$kith" compare m.study.yaml -i p.csv --sites 3 --in-process --json --no-progress -o kept >m.json
table m.json >m.txt
grep -q '^one-place' m.txt && fail "one place keeps a model about sites"
grep -q '^encrypted-view none .*m-privacy' m.txt || fail "$(cat m.txt)"
grep -q '^weave 0\.' m.txt || fail "$(cat m.txt)"
test -f kept/weave/release.csv || fail "the run was not kept"
"$kith" verify m.study.yaml kept/weave/release.csv -q || fail "its release does not hold"
# Two sites, k-anonymity alone, few different rows: the ID-based protocol gives figures, too.
printf 'sex,ward,ill\n' >two.csv
awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 3 ? "f" : "m") "," i % 4 "," i % 5; print "m,9,1\nf,8,2" }' >>two.csv
cat >two.yaml <<'END'
study: two
columns:
  - {name: sex, role: quasi-identifying}
  - {name: ward, role: quasi-identifying}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
END
"$kith" compare two.yaml -i two.csv --sites 2 --in-process --seed 1 --json --no-progress >two.json
table two.json >two.txt
grep -q '^weave 0\.' two.txt || fail "$(cat two.txt)"
grep -qE '^id-based (0\.[0-9]+ [1-9][0-9]* [1-9])' two.txt || fail "$(cat two.txt)"
