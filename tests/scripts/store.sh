#!/usr/bin/env bash
# A CSV file that is larger than the study's `memory` gives the release, companion and summary that it gives in
# memory, byte by byte, and the same messages; in less memory; and nothing is left of a run that fails.
# usage: store.sh KITH SOURCE BUILD
set -euo pipefail
kith=$(readlink -f "$1")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"; cd "$work"
unset TMPDIR
fail() { echo "store: $1" >&2; exit 1; }
figures() { grep -v '"\(load\|search\|write\|verify\|total\|peak_rss_bytes\|other_releases\|warnings\)"' "$1"; } # what does not depend on the clock
nothing_left() { [ -z "$(find . -name '.*.kith-*' -o -path './tmp/*')" ] || fail "$1: left $(find . -name '.*.kith-*')"; }

# run STUDY DATA OUT: in memory, and from the disk
both() {
  { cat "$1"; echo 'memory: 1MB'; } >stored.yaml
  [ "$(wc -c <"$2")" -gt 500000 ] || fail "$2 is too small"
  in_memory=0 stored=0
  "$kith" anonymize "$1" -i "$2" -o a.csv --summary a.json --explain --seed 5 --force --quiet 2>a.err || in_memory=$?
  "$kith" anonymize stored.yaml -i "$2" -o b.csv --summary b.json --explain --seed 5 --force --quiet 2>b.err || stored=$?
  [ "$in_memory" = "$stored" ] || fail "$3: exit status $in_memory in memory, $stored from the disk: $(cat b.err)"
}
same() { # STUDY DATA NAME
  rm -f a.* b.*
  both "$@"
  [ "$stored" = 0 ] || fail "$3: $(cat b.err)"
  cmp a.csv b.csv || fail "$3: another release"
  cmp a.csv.meta.json b.csv.meta.json || fail "$3: another companion"
  diff <(figures a.json) <(figures b.json) || fail "$3: another summary"
  nothing_left "$3"
}
same_error() { # STUDY DATA NAME STATUS TEXT
  both "$@"
  [ "$stored" = "$4" ] || fail "$3: exit status $stored"
  diff <(sed 's/stored\.yaml/STUDY/' b.err) <(sed "s/$1/STUDY/" a.err) || fail "$3: another message"
  grep -q -- "$5" b.err || fail "$3: $(cat b.err)"
  nothing_left "$3"
}

"$kith" generate hospital -n 6000 --seed 3 -o h.csv --quiet
h() { { sed -n '/^study:/,/^privacy:/p' h.study.yaml; printf '%s\n' "$@" 'piece: 900'; } >"s.yaml"; }
k='  - {model: k-anonymity, k: 4}' l='  - {model: l-diversity, variant: frequency, l: 2, attribute: disease}'
h "$k" "$l"; same s.yaml h.csv 'k and l'
h "$k" '  - {model: t-closeness, variant: equal, t: 0.4, attribute: disease}' 'utility: {measure: entropy}'
same s.yaml h.csv 't-closeness'
h "$k" 'utility: {measure: em}' 'effort: quick'; same s.yaml h.csv 'em'
{ sed -n '/^study:/,/^privacy:/p' h.study.yaml; echo "$k"; } >one.yaml; same one.yaml h.csv 'one piece'
h "$k" "$l"; sed -i 's/role: insensitive/role: sensitive/' s.yaml; same s.yaml h.csv 'two sensitive columns'
# bounded COLUMN BOUND…: bounds on levels in the study
bounded() { while [ $# -gt 0 ]; do sed -i "s/^  - name: $1$/&\n    $2/" s.yaml; shift 2; done; }
h "$k" "$l"; bounded age 'min_level: 1' job 'min_level: 2' site 'min_level: 1' zip 'min_level: 2'; same s.yaml h.csv 'min_level'
grep -q '^[0-9]*,' b.csv && fail 'min_level: ages are shown'

# Searches of a lattice, with suppressed rows and bounds on levels.
# lattice ALGORITHM LINE…
lattice() { { sed -n '/^study:/,/^privacy:/p' h.study.yaml; printf '%s\n' "${@:2}" "algorithm: $1"; } >s.yaml; }
for algorithm in flash ola incognito datafly; do
  lattice $algorithm "$k" "$l" 'utility: {suppression: 0.05}'; same s.yaml h.csv "$algorithm"
done
grep -q '"suppressed":.[1-9]' b.json || fail 'no row is suppressed'
lattice flash "$k" "$l"; same s.yaml h.csv 'flash without suppression'
lattice flash "$k" 'utility: {measure: entropy, suppression: 0.2}'; bounded age 'max_level: 4' job 'min_level: 1'
same s.yaml h.csv 'flash with bounds on levels'
lattice flash "$k" '  - {model: t-closeness, variant: equal, t: 0.4, attribute: disease}' 'utility: {measure: dm, suppression: 0.1}'
sed -i 's/role: insensitive/role: sensitive/' s.yaml; same s.yaml h.csv 'flash with t-closeness'
{ echo x; seq 100000 | sed 's/.*/484.0/'; } >alike.csv; printf 'x\n484.0\n948.8\n' >people.csv # records show more than they have in common
printf '%s\n' 'study: s' 'columns:' '  - {name: x, role: quasi-identifying}' 'algorithm: depth-first' 'privacy:' '  - {model: k-map, k: 2, population: people.csv}' >x.yaml
same x.yaml alike.csv 'records that are alike'
lattice flash "$k" "$l" 'utility: {suppression: 0.05}'; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
"$kith" anonymize s.yaml -i h.csv -o a.csv --lattice a.tsv --force --quiet
"$kith" anonymize stored.yaml -i h.csv -o b.csv --lattice b.tsv --force --quiet
cmp a.tsv b.tsv || fail 'another lattice'
"$kith" generate adult -n 40000 --seed 4 -o many.csv --quiet # in several pieces
{ sed 's/^  measure: lm/&\n  suppression: 0.01/' many.study.yaml; echo 'algorithm: flash'; } >s.yaml; same s.yaml many.csv 'flash, 40,000 rows'

# Searches that compare any two records: their codes are in memory.
h "$k" 'utility: {measure: em, suppression: 0.2}'; same s.yaml h.csv 'weave with suppression'
grep -q '"suppressed":.[1-9]' b.json || fail 'weave suppresses no row'
h "$k" 'utility: {suppression: 0.2}' 'effort: quick'; bounded age 'max_level: 3' job 'min_level: 1'; same s.yaml h.csv 'weave with bounds on levels'
lattice mondrian "$k" 'ranges: true'; same s.yaml h.csv 'ranges'
lattice hilbert "$k"; same s.yaml h.csv 'hilbert'
lattice top-down "$k" 'utility: {suppression: 0.05}'; same s.yaml h.csv 'top-down'
h "$k" '  - {model: dissimilarity, epsilon: 0.2, delta: 0.3, k: 4, attribute: disease}' 'effort: quick'; same s.yaml h.csv 'dissimilarity'

# The mapping of a release in any order: rows of the data count although some are left out, classes as they appear.
mapped() { # STUDY DATA NAME OPTIONS…
  { cat "$1"; echo 'memory: 1MB'; } >stored.yaml
  "$kith" anonymize "$1" -i "$2" -o a.csv --mapping a.map --seed 5 --force --quiet "${@:4}"
  "$kith" anonymize stored.yaml -i "$2" -o b.csv --mapping b.map --seed 5 --force --quiet "${@:4}"
  cmp a.map b.map || fail "$3: another mapping"
  [ "$(stat -c %a b.map)" = 600 ] || fail "$3: others may read the mapping"
  "$kith" verify stored.yaml b.csv --data "$2" --mapping b.map >/dev/null || fail "$3: the mapping does not lead from release to data"
  nothing_left "$3"
}
awk -F, -v OFS=, 'NR % 7 == 3 { $3 = "" } { print } NR % 90 == 9 { gsub(/[^,]/, ""); print }' h.csv >gaps.csv
for policy in value drop; do
  h "$k" "$l" "missing: $policy"; mapped s.yaml gaps.csv "mapping, $policy"; mapped s.yaml gaps.csv "mapping in order, $policy" --keep-order
  h "$k" "$l" 'utility: {suppression: 0.05}' 'effort: quick' "missing: $policy"; mapped s.yaml gaps.csv "mapping with suppression, $policy"
  lattice flash "$k" "$l" 'utility: {suppression: 0.05}' "missing: $policy"; mapped s.yaml gaps.csv "mapping of flash, $policy"
done
grep -q ',$' b.map || fail 'no row of the mapping is suppressed'

# Persons with several rows, of which some lack whose they are; a disease that does not change; two columns that tell
# persons apart; and one row of each.
persons() { # LINE…: a study by persons
  { sed -n '/^study:/,/^privacy:/p' h.study.yaml | sed 's/^columns:/unit: pid\n&\n  - {name: pid, role: identifying}/'; printf '%s\n' "$@"; } >s.yaml
}
awk -F, -v OFS=, 'NR > 1 { $1 = int(($1 * 7919) % 2500); if (NR % 80 == 7) $1 = "" } { print }' h.csv >visits.csv
awk -F, -v OFS=, 'NR > 1 && $1 != "" { if ($1 in ill) $10 = ill[$1]; else ill[$1] = $10 } { print }' visits.csv >chronic.csv
same_persons() { # DATA NAME
  same s.yaml "$1" "$2"; mapped s.yaml "$1" "$2, mapping"
  diff <(grep -o '[^"]*\(persons\? \(have\|of\)\|without a value\|one person\)[^"]*' a.json) <(grep -o '[^"]*\(persons\? \(have\|of\)\|without a value\|one person\)[^"]*' b.json) ||
    fail "$2: other warnings of persons"
}
persons "$k" "$l" 'piece: 900'; same_persons visits.csv 'persons'; same_persons h.csv 'one row of each person'
grep -q '"persons":.[1-9]' b.json && grep -q '"largest_part":' b.json || fail 'no person is counted'
for status in 0 1; do # what is released from the disk keeps its models by persons, by a count of its own
  [ $status = 0 ] || sed -i '2s/[^,]*/x/' b.csv
  found=0; "$kith" verify s.yaml b.csv --data h.csv --mapping b.map >out 2>&1 || found=$?
  [ "$found" = "$status" ] || fail "verify of persons: exit status $found: $(cat out)"
done
persons "$k" 'piece: 900'; same s.yaml visits.csv 'persons of whom nothing is in memory but numbers'
for with in '' '--data visits.csv'; do # whose the rows are is not known then
  for more in '' '--memory 1MB'; do
    found=0; "$kith" verify s.yaml b.csv $with $more >"out$more" 2>&1 || found=$?
    [ $found = 1 ] && grep -q units "out$more" || fail "verify $with $more: exit status $found"
  done
  diff out 'out--memory 1MB' || fail "verify $with from the disk says something else"
done
persons "$k" "$l" 'piece: 900'; same_persons chronic.csv 'what does not change'
grep -q '"intersections":' b.json && grep -q 'without a value of pid' b.json || fail 'persons are not crossed'
persons "$k" '  - {model: t-closeness, variant: equal, t: 0.4, attribute: disease}' 'piece: 700'; same_persons chronic.csv 't-closeness by persons'
persons "$k" '  - {model: beta-likeness, beta: 3, attribute: disease}' '  - {model: dominance, share: 0.5}' 'piece: 700' 'missing: drop'
awk -F, -v OFS=, 'NR % 7 == 3 { $3 = "" } NR % 90 == 9 { gsub(/[^,]/, "") } { print }' visits.csv >fewer.csv
same_persons fewer.csv 'beta-likeness by persons'
persons "$k" "$l" 'piece: 900'; sed -i 's/^unit: pid/unit: [pid, ward]/; s/pid, role: identifying}/&\n  - {name: ward, role: identifying}/' s.yaml
same_persons visits.csv 'two columns of persons'
for algorithm in flash top-down; do
  persons "$k" "$l" 'utility: {suppression: 0.05}' "algorithm: $algorithm"; same_persons visits.csv "$algorithm by persons"
done
persons "$k" "$l" 'algorithm: mondrian'; same_persons visits.csv 'mondrian by persons'
persons "$k" 'utility: {suppression: 0.1}' 'effort: quick'; same_persons visits.csv 'weave with suppression, by persons'
persons '  - {model: k-anonymity, k: 2600}'; same_error s.yaml visits.csv 'too few persons' 4 'persons in the whole table'
persons "$k" '  - {model: t-closeness, variant: equal, t: 0.4, attribute: disease}'
same_error s.yaml visits.csv 'several values' 2 'persons have several values of disease'

for profile in adult survey; do
  "$kith" generate $profile -n 9000 --seed 4 -o $profile.csv --quiet
  { cat $profile.study.yaml; echo 'piece: 2000'; } >s.yaml
  same s.yaml $profile.csv "$profile"
done

# Missing cells in columns of every role, the first row among them, and values that only such rows have.
awk -F, -v OFS=, 'NR == 2 { $3 = "" } NR > 2 && NR % 7 == 3 { $5 = "" } NR % 11 == 5 { $10 = "" } NR % 5 == 2 { $11 = "" }
  NR == 31 { $3 = ""; $5 = "99999" } { print }' h.csv >holes.csv
for policy in value wildcard drop; do
  lattice flash "$k" "$l" 'utility: {suppression: 0.05}' "missing: $policy"; same s.yaml holes.csv "flash, missing: $policy"
  h "$k" "missing: $policy"; same s.yaml holes.csv "missing: $policy"
done
grep -q '"dropped":.[1-9]' b.json || fail 'no row was dropped'

# The same messages.
h "$k" 'missing: reject'; same_error s.yaml holes.csv 'rejected' 2 'holes.csv:2: missing value in column age'
awk -F, -v OFS=, 'NR == 4711 { $3 = "x7" } { print }' h.csv >wrong.csv
h "$k"; same_error s.yaml wrong.csv 'not a number' 2 "wrong.csv:4711:"
awk -F, -v OFS=, 'NR == 4712 { $6 = "poet" } NR == 5000 { $6 = "bard" } { print }' h.csv >unknown.csv
same_error s.yaml unknown.csv 'not in the hierarchy' 2 'unknown.csv:5000'
awk 'NR == 4713 { print $0 ",7"; next } { print }' h.csv >ragged.csv
same_error s.yaml ragged.csv 'ragged' 2 'ragged.csv:4713'
h '  - {model: k-anonymity, k: 7000}'; same_error s.yaml h.csv 'too few records' 4 'only 6000 records'
h '  - {model: l-diversity, variant: frequency, l: 50, attribute: disease}'
same_error s.yaml h.csv 'too diverse' 4 'the largest l that this table'
lattice flash '  - {model: k-anonymity, k: 7000}' 'utility: {suppression: 0.1}'
same_error s.yaml h.csv 'too few records for flash' 4 'no generalization meets the privacy models'

# A table without rows, from standard input, whose size nobody knows.
h "$k" 'missing: reject'; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
for study in s stored; do
  status=0; head -n 1 h.csv | "$kith" anonymize $study.yaml -i - -o c.csv --quiet 2>err || status=$?
  [ "$status" = 4 ] && grep -q 'only 0 records' err || fail "no rows, $study: exit status $status: $(cat err)"
done

# What needs all rows is refused by its name, before anything is read.
refused() { # NAME TEXT OPTIONS…
  { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
  "$kith" anonymize stored.yaml -i h.csv -o c.csv --seed 5 --quiet "${@:3}" 2>err && fail "$1 is not refused"
  grep -q -- "$2" err || fail "$1: $(cat err)"
  [ ! -e c.csv ] || fail "$1 left a release"
}
whole=(--report report.html --internal --force)
h "$k"; refused report 'an internal report needs all rows' "${whole[@]}"
# The option counts more than the study, in both directions.
"$kith" anonymize stored.yaml -i h.csv -o c.csv --seed 5 --quiet "${whole[@]}" --memory 1GB || fail 'no more memory than the study says'
rm c.csv*
"$kith" anonymize s.yaml -i h.csv -o c.csv --quiet "${whole[@]}" --memory 1MB 2>err && fail 'no less memory than the study says'
grep -q 'an internal report needs all rows' err || fail "--memory: $(cat err)"
"$kith" anonymize s.yaml -i h.csv -o a.csv --seed 5 --quiet --force --summary a.json
"$kith" anonymize s.yaml -i - -o b.csv --seed 5 --quiet --force --summary b.json --memory 1.5MB <h.csv
cmp a.csv b.csv && diff <(figures a.json) <(figures b.json) || fail '--memory: another release'
# Rows keep the order of the data only if that is asked for, and never without a warning.
"$kith" anonymize s.yaml -i h.csv -o k.csv --seed 5 --keep-order --quiet
cmp -s a.csv k.csv && fail 'the data is sorted'
"$kith" anonymize stored.yaml -i h.csv -o b.csv --seed 5 --force --no-progress --keep-order >/dev/null 2>err
cmp k.csv b.csv && grep -q '^kith: warning: .* in the order of the data: ' err || fail "the order of the data: $(cat err)"
"$kith" anonymize stored.yaml -i h.csv -o b.csv --seed 5 --force --no-progress >/dev/null 2>err
cmp a.csv b.csv || fail 'not sorted by cells'
grep 'in the order of the data' err && fail 'a warning of an order that rows do not have'
# In a random order, which no seed repeats, of the same rows.
for i in 1 2; do "$kith" anonymize stored.yaml -i h.csv -o r$i.csv --seed 5 --shuffle --force --quiet --summary b.json; done
cmp -s r1.csv r2.csv && fail 'two random orders are equal'
for i in 1 2; do cmp -s a.csv r$i.csv && fail 'not shuffled'; diff <(sort a.csv) <(sort r$i.csv) || fail 'shuffled: other rows'; done
grep -q '"order":[[:space:]]*"random"' b.json || fail 'the random order is not said'
h "$k" 'sample: 0.5'; refused sample 'sample needs all rows'
h "$k"; sed -i 's/^  - name: age$/&\n    microaggregate: mean/' s.yaml; refused means 'microaggregate needs all rows'
h "$k"; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
# Into and out of a database, whose release cannot be read back before it appears; and to standard output.
"$kith" anonymize s.yaml -i h.csv -o a.csv --seed 5 --force --quiet
"$kith" anonymize stored.yaml -i h.csv -o - --seed 5 --quiet | cmp - a.csv || fail 'standard output: another release'
"$kith" anonymize s.yaml -i h.csv -o 'sqlite:a.db?table=t' --seed 5 --quiet
"$kith" anonymize stored.yaml -i h.csv -o 'sqlite:b.db?table=t' --seed 5 --quiet
cmp a.db b.db || fail 'a database: another release'
sqlite3 data.db '.mode csv' '.import h.csv t' '.import holes.csv holes'
"$kith" anonymize stored.yaml -i 'sqlite:data.db?table=t' -o b.csv --seed 5 --force --quiet
cmp a.csv b.csv || fail 'from a database: another release'
h "$k" 'missing: reject'; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
for study in s stored; do # a message about a row of a database
  "$kith" anonymize $study.yaml -i 'sqlite:data.db?table=holes' -o c.csv --quiet 2>$study.err && fail "missing cells of a database, $study"
done
diff s.err stored.err || fail 'missing cells of a database: another message'
h "$k"; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml

# Files that are larger together, by a pattern or as a directory; smaller ones are read as always.
mkdir parts few; head -n 3001 h.csv >parts/a.csv; sed -n '1p;3002,$p' h.csv >parts/b.csv; head -n 300 h.csv >few/a.csv
"$kith" anonymize s.yaml -i h.csv -o a.csv --seed 5 --force --quiet
for input in 'parts/*.csv' parts; do
  refused "$input" 'an internal report needs all rows' -i "$input" "${whole[@]}"
  "$kith" anonymize stored.yaml -i "$input" -o b.csv --seed 5 --force --quiet
  cmp a.csv b.csv || fail "$input: another release"
done
"$kith" anonymize stored.yaml -i few -o b.csv --quiet "${whole[@]}" || fail 'few rows in a directory are refused'

# Messages name the file among several.
mkdir whole; head -n 1 h.csv >header
tail -n +2 h.csv | grep -v -e ',,' -e ',$' | split -l 1700 - whole/ # nothing is missing
for f in whole/*; do cat header "$f" >"$f.csv"; rm "$f"; done
awk -F, -v OFS=, 'NR == 500 { $3 = "" } { print }' whole/ac.csv >lacking; mv lacking whole/ac.csv
h "$k" 'missing: reject'; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml
for study in s stored; do
  status=0; "$kith" anonymize $study.yaml -i 'whole/*.csv' -o c.csv --quiet 2>err || status=$?
  [ "$status" = 2 ] && grep -q 'whole/ac.csv:500: missing value in column age' err || fail "a cell of several files, $study: $(cat err)"
done
h "$k"; { cat s.yaml; echo 'memory: 1MB'; } >stored.yaml

# A file that may not grow further: one message, and nothing is left.
status=0; (ulimit -f 100; TMPDIR=$work/tmp "$kith" anonymize stored.yaml -i h.csv -o d.csv --seed 5 --quiet 2>err) || status=$?
[ "$status" = 5 ] && [ "$(grep -c '^kith: error: ' err)" = 1 ] || fail "full disk: exit status $status: $(cat err)"
[ ! -e d.csv ] || fail 'full disk: a release'
nothing_left 'full disk'

# Killed while it reads: what it had written has no name.
mkfifo pipe
"$kith" anonymize stored.yaml -i pipe -o e.csv --seed 5 --quiet 2>/dev/null & pid=$!
exec 3>pipe; cat h.csv >&3 # more than a pipe holds: it has been read
kill -9 $pid; wait $pid 2>/dev/null || true
exec 3>&-
[ ! -e e.csv ] || fail 'killed: a release'
nothing_left 'killed'
cat h.csv >pipe & "$kith" anonymize stored.yaml -i pipe -o e.csv --seed 5 --quiet || fail 'from a pipe'
{ cat stored.yaml; echo 'missing: reject'; } >rejects.yaml # a message without a line: the pipe cannot be read again
status=0; cat holes.csv >pipe & "$kith" anonymize rejects.yaml -i pipe -o f.csv --quiet 2>err || status=$?
[ "$status" = 2 ] && grep -q 'pipe.*: missing value in column age' err || fail "a missing cell of a pipe: $(cat err)"
# Of several missing cells in a row the first one in the file is named, whatever the order of the study.
printf '%s\n' 'study: s' 'columns:' '  - {name: a, role: sensitive}' '  - {name: b, role: quasi-identifying}' '  - {name: c, role: insensitive}' 'missing: reject' \
  'privacy:' '  - {model: k-anonymity, k: 2}' >two.yaml
printf 'b,a,c\n,,x\n' >pipe & "$kith" anonymize two.yaml -i pipe -o f.csv --quiet --memory 1MB 2>err && fail 'two missing cells'
grep -q 'missing value in column b' err || fail "two missing cells: $(cat err)"
"$kith" anonymize s.yaml -i h.csv -o a.csv --seed 5 --force --quiet
cmp a.csv e.csv || fail 'from a pipe: another release'

# verify: text, JSON and exit status are those of a verification in memory, whatever is wrong; lines are named.
# verified STUDY RELEASE STATUS NAME OPTIONS…
verified() {
  for form in --quiet --json; do
    in_memory=0; "$kith" verify "$1" "$2" $form "${@:5}" >a.out 2>a.err || in_memory=$?
    stored=0; "$kith" verify "$1" "$2" $form "${@:5}" --memory 1MB >b.out 2>b.err || stored=$?
    [ "$in_memory $stored" = "$3 $3" ] || fail "$4: exit status $in_memory in memory, $stored from the disk: $(cat b.err)"
    cmp a.out b.out || fail "$4: another verdict"
  done
  nothing_left "$4"
}
"$kith" generate adult -n 40000 --seed 3 -o v.csv --quiet
{ sed 's/^  measure: lm/&\n  suppression: 0.05/' v.study.yaml; echo 'algorithm: flash'; } >vs.yaml
sed 's/^  - name: age$/&\n    max_level: 1/' vs.yaml >vl.yaml
"$kith" anonymize v.study.yaml -i v.csv -o vr.csv --seed 5 --keep-order --quiet
"$kith" anonymize vs.yaml -i v.csv -o vf.csv --seed 5 --keep-order --quiet
"$kith" anonymize vs.yaml -i v.csv -o vo.csv --seed 5 --shuffle --quiet
"$kith" generate adult -n 140000 --seed 3 -o w.csv --quiet # of several parts
"$kith" anonymize w.study.yaml -i w.csv -o wo.csv --seed 5 --quiet --memory 9MB
verified vs.yaml vo.csv 0 'rows in a random order' --data v.csv; verified w.study.yaml wo.csv 0 'sorted rows' --data w.csv
grep -q '"check":.*"matched"' b.out || fail 'verify: rows are not matched'
verified v.study.yaml vr.csv 0 'a good release'; verified v.study.yaml vr.csv 0 'beside its data' --data v.csv
verified vs.yaml vf.csv 0 'suppressed rows'; verified vs.yaml vf.csv 0 'suppressed rows beside the data' --data v.csv
verified vl.yaml vf.csv 1 'a forbidden level' --data v.csv
grep -q '"suppressed":.[1-9]' b.out || fail 'verify: nothing is suppressed'
grep -A2 '"levels"' b.out | grep -q '"holds":.false' || fail 'verify: no level is forbidden'
awk -F, -v OFS=, 'NR == 700 || NR == 15000 { $1 = "nobody" } NR == 1501 { $1 = "noone" } 1' vr.csv >broken.csv
verified v.study.yaml broken.csv 1 'a broken release'
grep -q '"line":.700' b.out || fail 'verify: the line is not named'
sed 1200d vr.csv >fewer.csv; verified v.study.yaml fewer.csv 1 'fewer rows' --data v.csv
sed '1500s/$/,"/' vr.csv >quote.csv; verified v.study.yaml quote.csv 2 'a wrong row'
awk -F, -v OFS=, 'NR == 700 || NR == 1500 { $NF = "else" } 1' vr.csv >changed.csv
status=0; "$kith" verify v.study.yaml changed.csv --data v.csv --memory 1MB --quiet 2>err || status=$?
[ $status = 2 ] && grep -q 'v.csv:700: row 699 of changed.csv does not stand for this record' err || fail "verify: a wrong cell: $(cat err)"
status=0; "$kith" verify v.study.yaml vr.csv --data v.csv --mapping vr.csv --memory 1MB --quiet 2>err || status=$?
[ $status = 2 ] && grep -q 'a mapping names every record' err || fail "verify: a mapping: $(cat err)"

# In less memory than the table takes; where the limit is too low for the program itself (sanitizers), there is nothing
# to see.
limited() { (ulimit -v 95000; "$kith" "$@"); }
if limited --version >/dev/null 2>&1; then
  "$kith" generate hospital -n 600000 --seed 9 -o large.csv --quiet
  h "$k" 'effort: quick'; sed -i 's/^piece:.*/piece: 20000/' s.yaml; { cat s.yaml; echo 'memory: 20MB'; } >stored.yaml
  limited anonymize s.yaml -i large.csv -o f.csv --seed 5 --threads 1 --quiet 2>err && fail 'the limit is too high to show anything'
  limited anonymize stored.yaml -i large.csv -o g.csv --seed 5 --threads 1 --quiet || fail 'not in bounded memory'
  "$kith" anonymize s.yaml -i large.csv -o f.csv --seed 5 --quiet
  cmp f.csv g.csv || fail 'in bounded memory: another release'
fi
