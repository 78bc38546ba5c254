#!/usr/bin/env bash
# Two real parties with data of all kinds: what is wrong with one party's data is said there, with its
# line, before anyone is called; a run that would show a difference to an earlier one needs `again`.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "party_data: $1" >&2; exit 1; }
"$kith" cert init north -o north.key -q
"$kith" cert init south -o south.key -q
pin() { "$kith" cert show "$1" --json | grep -o 'sha256:[0-9a-f]*'; }
port=$((20000 + RANDOM % 20000))
printf 'red;warm;*\norange;warm;*\nblue;cold;*\ngreen;cold;*\n' >colour.csv
study() {
  cat <<END
study: pair
columns:
  - {name: colour, role: quasi-identifying, hierarchy: colour.csv}
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: {intervals: [10]}}
  - {name: ill, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
partition: horizontal
missing: reject
timeout: 300
parties:
  - {name: north, address: "127.0.0.1:$port", key: "$(pin north.key)"}
  - {name: south, address: "127.0.0.1:$((port + 1))", key: "$(pin south.key)"}
END
}
study >s.yaml
rows() { echo colour,age,ill; for i in $(seq "$1"); do
  c=(red orange blue green); echo "${c[$((i % 4))]},$(((i * 7 + $2) % 100)),ill$((i % 3))"; done; }
rows 40 1 >north.csv
rows 25 4 >south.csv
# wrong data: exit 2, and nobody needs to be there
alone() { timeout 600 "$kith" party s.yaml --as north --key north.key -i "$1" -o bad --no-progress 2>err.txt && code=0 || code=$?
  [ "$code" = 2 ] || fail "$1: exit $code: $(cat err.txt)"
  grep -q "$2" err.txt || fail "$1: $(cat err.txt)"; }
{ cat north.csv; echo mauve,3,ill1; } >mauve.csv;    alone mauve.csv 'mauve'
{ cat north.csv; echo red,old,ill1; } >old.csv;      alone old.csv 'old.csv:42'
{ cat north.csv; echo red,120,ill1; } >range.csv;    alone range.csv '120'
{ cat north.csv; echo red,,ill1; } >gap.csv;         alone gap.csv 'gap.csv:42.*missing'
cut -d, -f1,3 north.csv >narrow.csv;                 alone narrow.csv 'no column.*age\|age'
{ cat north.csv; printf 'red,3,%070000d\n' 0; } >long.csv; alone long.csv 'long.csv:42: a value of column ill has 70000 bytes'
# a directory with something in it that would be lost, a file in its place, another's key: likewise
place() { timeout 600 "$kith" party s.yaml --as north --key "$1" -i "$2" -o "$3" --no-progress $4 2>err.txt && code=0 || code=$?
  [ "$code" = 2 ] || fail "-o $3: exit $code: $(cat err.txt)"
  grep -q "$5" err.txt || fail "-o $3: $(cat err.txt)"; }
for name in release.csv release.csv.meta.json summary.json ledger.json ledger.txt; do
  rm -rf full; mkdir full; echo mine >full/$name
  place north.key north.csv full '' "full/$name exists already"
done
echo mine >file;                      place north.key north.csv file '' 'file is not a directory'
rm -rf full; mkdir full; cp north.csv full/release.csv
place north.key full/release.csv full --force 'is the input itself'
cmp north.csv full/release.csv || fail "the input was overwritten"
place south.key north.csv fresh '' 'south.key has the certificate'
[ ! -e fresh ] && [ ! -e bad ] || fail "a run that did not begin left a directory"
# both: the same release at both, and a verified one
both() {
  "$kith" party s.yaml --as south --key south.key -i "$2" -o s$3 -q --no-progress 2>south.txt & other=$!
  "$kith" party s.yaml --as north --key north.key -i "$1" -o n$3 -q --no-progress 2>north.txt && mine=0 || mine=$?
  wait $other && theirs=0 || theirs=$?
}
umask 022; mkdir n1; chmod 755 n1 # one directory existed before, and others can read it
both north.csv south.csv 1
[ $mine$theirs = 00 ] || fail "the run failed: $(cat north.txt south.txt)"
cmp n1/release.csv s1/release.csv || fail "the releases differ"
"$kith" verify s.yaml n1/release.csv -q || fail "the release does not hold"
[ "$(wc -l <n1/release.csv)" = 66 ] || fail "rows are missing"
[ "$(stat -c %a n1/ledger.json)" = 600 ] || fail "the ledger can be read by others"
[ "$(stat -c %a n1/summary.json)" = 600 ] || fail "the summary can be read by others"
[ "$(stat -c %a n1/release.csv)" = 644 ] || fail "the release does not have the mode of new files"
# the same again is fine; other data needs `again`, which both must say
both north.csv south.csv 2
[ $mine$theirs = 00 ] || fail "a repeated run failed: $(cat north.txt south.txt)"
rows 41 1 >more.csv
timeout 600 "$kith" party s.yaml --as north --key north.key -i more.csv -o n3 -q --no-progress 2>err.txt && fail "no word about other data"
grep -q 'other data' err.txt && grep -q 'again: true' err.txt || fail "$(cat err.txt)"
{ study; echo 'again: true'; } >s.yaml
both more.csv south.csv 3
[ $mine$theirs = 00 ] || fail "with again: $(cat north.txt south.txt)"
# a party whose output is in the way ends before it calls anyone
timeout 600 "$kith" party s.yaml --as north --key north.key -i more.csv -o n3 -q --no-progress 2>err.txt && fail "overwrote a release"
grep -q 'exists already' err.txt || fail "$(cat err.txt)"
# a list of runs that cannot be read is not an empty one; a name of several words is a name like others
cp north.key odd.key; mkdir odd.key.runs
sed -i "s/again: true//" s.yaml
timeout 600 "$kith" party s.yaml --as north --key odd.key -i north.csv -o odd -q --no-progress 2>err.txt && fail "no list of runs"
grep -q 'runs' err.txt || fail "$(cat err.txt)"
{ study; } | sed 's/^study: pair/study: pair of two/' >s.yaml
rows 42 1 >fresh.csv; rows 26 4 >fresh2.csv # other data, since a new name for the old would not do
both fresh.csv fresh2.csv 5
[ $mine$theirs = 00 ] || fail "a name of several words: $(cat north.txt south.txt)"
rows 43 1 >fresher.csv
timeout 600 "$kith" party s.yaml --as north --key north.key -i fresher.csv -o n6 -q --no-progress 2>err.txt && fail "a name of several words is forgotten"
grep -q 'other data' err.txt || fail "$(cat err.txt)"
