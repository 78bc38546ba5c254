#!/usr/bin/env bash
# A second release of a study is made with a note, and the note is true: of two releases of one table fewer records
# fit than k.
set -eu
kith=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "other_releases: $1"; exit 1; }
note='note: there are other releases of this study'

"$kith" generate hospital -n 500 -o p.csv -q --seed 1
"$kith" anonymize p.study.yaml -i p.csv -o first.csv --mapping first.map --seed 1 > first.txt
! grep -q "$note" first.txt || fail "a note without another release"
"$kith" anonymize p.study.yaml -i p.csv -o first.csv --mapping first.map --seed 1 --force --summary again.json > again.txt
! grep -q "$note" again.txt || fail "a note about the release that is replaced"
! grep -q other_releases again.json || fail "the summary has the release that is replaced"
echo '{"study": "hospital"}' > odd.meta.json # not a companion of Kith
echo '{"study": "other", "digest": "1"}' > other.csv.meta.json; touch odd other.csv
"$kith" anonymize p.study.yaml -i p.csv -o second.csv --mapping second.map --summary second.json --seed 2 > second.txt
grep -q "$note: first.csv\. Whoever" second.txt || fail "no note about the first release: $(cat second.txt)"
python3 - <<'PYTHON'
import collections, csv, json
assert json.load(open("second.json"))["other_releases"] == ["first.csv"]
classes = [[row["_kith_class"] for row in csv.DictReader(open(name))] for name in ("first.map", "second.map")]
for one in classes:
    assert min(collections.Counter(one).values()) >= 5
both = collections.Counter(zip(*classes))
assert min(both.values()) < 5, "the note would be false"
PYTHON
mkdir elsewhere
"$kith" anonymize p.study.yaml -i p.csv -o elsewhere/third.csv > third.txt
! grep -q "$note" third.txt || fail "a note about another directory"
for name in a b c; do "$kith" anonymize p.study.yaml -i p.csv -o $name.csv --seed 3 > $name.txt; done
tr -s '\n ' ' ' < c.txt | grep -q 'a.csv, b.csv, first.csv and 1 more' || fail "$(cat c.txt)"
