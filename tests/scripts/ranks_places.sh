#!/usr/bin/env bash
# What works where: every line of the table in docs/scale.md, from the disk and over ranks. `yes` gives what one process
# gives with all rows in memory; what has a letter is refused by name.
# usage: ranks_places.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 source=$2
# shellcheck source=tests/helpers/ranks.bash
. "$source/tests/helpers/ranks.bash"
export KITH_MPI=$(ranks_plugin "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
fail() { echo "FAILED: $1" >&2; exit 1; }

# The table: what|from the disk|over ranks, in the order of the page.
sed -n '/^## What works where/,/^## Tables larger/p' "$source/docs/scale.md" |
  sed -n 's/^| \(.*\) | \(yes\|[AB]\) | \(yes\|[AB]\) |$/\1|\2|\3/p' >promised
[ "$(wc -l <promised)" -ge 35 ] || fail "the table has only $(wc -l <promised) lines"
: >tried

# line WHAT: looks it up; $disk and $ranks are what is promised
line() {
  what=$1
  grep -qF -- "$what|" promised || fail "the table has no line '$what'"
  IFS='|' read -r _ disk ranks < <(grep -F -- "$what|" promised | awk -F'|' -v w="$what" '$1 == w')
  [ -n "$disk" ] || fail "the table has no line '$what'"
  echo "$what" >>tried
}
# refused PROMISE STATUS ERRORS NAME: whether a run was refused, with a message that has this name; it fails unless the promise
# is kept
refused() {
  if [ "$1" = yes ]; then
    [ "$2" = "$status" ] || fail "$what: status $2 instead of $status: $(cat "$3")"
    return 1
  fi
  [ "$2" = 2 ] || fail "$what: status $2, and the table says $1"
  [ "$(grep -c '^kith: error: ' "$3")" = 1 ] && grep '^kith: \(error\|hint\): ' "$3" | grep -qiE -- "$4" ||
    fail "$what is not refused by name: $(cat "$3")"
}
join() {
  local part first=1
  for part in "$1"/part-*.csv; do
    if [ -n "$first" ]; then cat "$part"; else tail -n +2 "$part"; fi
    first=
  done
}
# What a summary says of the release.
facts() { python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
for key in ("seconds", "peak_rss_bytes", "ranks", "sent_bytes", "other_releases", "warnings"):
    d.pop(key, None)
print(json.dumps(d, indent=1))' "$1"; }

# released WHAT NAME [OPTION]…: of s.yaml, data.csv. NAME is what a message that refuses it has.
released() {
  local name=$2 found
  line "$1"
  shift 2
  rm -rf in on over*
  mkdir in on over
  compare=cmp
  case " $* " in *' --shuffle '*) compare='same_rows' ;; esac
  status=0
  "$kith" anonymize s.yaml -i "$data" -o in/r.csv --seed 5 --summary in/s.json --no-progress "$@" >in/out 2>in/err || status=$?
  [ $status = 0 ] || fail "$what: $(cat in/err)"
  move in
  found=0
  "$kith" anonymize s.yaml -i "$data" -o on/r.csv --seed 5 --summary on/s.json --no-progress --memory 1MB "$@" >on/out 2>on/err || found=$?
  move on
  refused "$disk" $found on/err "$name" || same on
  found=0
  ranks 2 "$kith" anonymize s.yaml -i "$data" -o over/r --seed 5 --summary over/s.json --no-progress "$@" >over/out 2>over/err || found=$?
  move over
  refused "$ranks" $found over/err "$name" || { join over/r >over/r.csv; same over; }
}
# Files that options name lie here.
move() { local f; for f in beside.*; do [ ! -e "$f" ] || mv "$f" "$1/"; done; }
same_rows() { sort "$1" | cmp - <(sort "$2"); }
same() {
  local f
  $compare in/r.csv "$1/r.csv" || fail "$what: another release in $1"
  diff <(facts in/s.json) <(facts "$1/s.json") || fail "$what: another summary in $1"
  for f in in/beside.*; do
    [ ! -e "$f" ] || [ "$f" = in/beside.html ] || cmp "$f" "$1/${f#in/}" || fail "$what: another ${f#in/} in $1"
  done
}

"$kith" generate hospital -n 6000 --seed 3 -o h.csv --quiet
awk -F, -v OFS=, 'NR > 1 { $1 = int(($1 * 7919) % 2500) } NR > 1 { if ($1 in ill) $10 = ill[$1]; else ill[$1] = $10 } { print }' h.csv >visits.csv
study() { { sed -n '/^study:/,/^privacy:/p' h.study.yaml; printf '%s\n' "$@"; } >s.yaml; }
# column NAME KEY: one more key of a column
column() { sed -i "s/^  - name: $1$/&\n    $2/" s.yaml; }
k='  - {model: k-anonymity, k: 4}' l='  - {model: l-diversity, variant: frequency, l: 2, attribute: disease}'
data=h.csv
study "$k" "$l" 'piece: 900'; released '`weave`' weave
released '`anonymize --keep-order`' keep-order --keep-order
released '`anonymize --shuffle`' shuffle --shuffle
released '`anonymize --mapping`' mapping --mapping beside.map
released '`anonymize --report`' report --report beside.html
released '`anonymize --explain`' explain --explain
released '`anonymize --report --internal`' internal --report beside.html --internal
# several WHAT KEY MODELS WORD…: the same line for each of these words in the key
several() {
  local what=$1 key=$2 more=$3 word
  shift 3
  for word in "$@"; do
    study "$k" "$more" "$(printf "$key" "$word")"
    released "$what" "${word%%,*}"
  done
}
several '`flash`, `ola`, `incognito`, `breadth-first`, `depth-first`, `datafly`' 'algorithm: %s' "$l" flash ola incognito breadth-first depth-first datafly
several '`sequential`, `mondrian`, `agglomerative`, `k-member`, `hilbert`, `top-down`' 'algorithm: %s' '' sequential mondrian agglomerative k-member hilbert top-down
several 'measures of cells: `lm`, `em`, `entropy`, `tree`, `mi`, `precision`' 'utility: {measure: %s}' "$l" lm em entropy tree mi precision
several 'measures of classes: `dm`, `arx-loss`' 'utility: {measure: %s}' "$l" dm arx-loss
several 'measures that depend on sensitive values: `pmi`, `wmi`' 'utility: {measure: %s, class: disease}
algorithm: sequential' "$l" pmi 'wmi, w: 0.25'
study "$k" "$l" 'utility: {suppression: 0.1}'; released 'suppression with `weave`' suppression
study "$k" "$l" 'piece: 900'; column age 'max_level: 4'; released '`max_level` with `weave`' max_level
study "$k" "$l" 'piece: 900'; column age 'min_level: 1'; released '`min_level` with `weave`' min_level
study "$k" "$l" 'utility: {suppression: 0.05}' 'algorithm: flash'; column age 'max_level: 4'; column job 'min_level: 1'
released 'suppression and bounds on levels with `flash`' suppression
released '`anonymize --lattice`' lattice --lattice beside.lattice
study "$k" '  - {model: dissimilarity, epsilon: 0.2, delta: 0.3, k: 4, attribute: disease}' 'effort: quick'; released dissimilarity dissimilarity
study "$k" 'algorithm: mondrian' 'ranges: true'; released '`ranges: true`' ranges
study "$k" 'sample: 0.5'; released '`sample`' sample
study "$k"; column age 'microaggregate: mean'; released '`microaggregate`' microaggregate
study '  - {model: m-invariance, m: 2, attribute: disease}' 'algorithm: flash' 'utility: {suppression: 1}'; released m-invariance m-invariance
data=visits.csv
persons() { study "$@"; sed -i 's/^columns:/unit: pid\n&\n  - {name: pid, role: identifying}/' s.yaml; }
persons "$k" "$l" 'piece: 900'; released '`unit`' unit
persons "$k" "$l" 'intersections: refuse'; released '`intersections: refuse`' intersections
data=h.csv
study "$k"
line '`anonymize --memory`'
found=0; ranks 2 "$kith" anonymize s.yaml -i h.csv -o over/r --force --memory 1GB >over/out 2>over/err || found=$?
refused "$ranks" $found over/err memory || true

# told WHAT NAME STATUS DISK ARGUMENT…: of a command that writes no release; DISK are the options with which it works from
# the disk.
told() {
  local name=$2 from_disk=$4 found=0
  line "$1"
  status=$3
  shift 4
  "$kith" "$@" >in/out 2>in/err || found=$?
  [ $found = "$status" ] || fail "$what: status $found: $(cat in/err)"
  found=0
  "$kith" "$@" $from_disk >on/out 2>on/err || found=$?
  refused "$disk" $found on/err "$name|memory" || diff in/out on/out || fail "$what: another answer from the disk"
  found=0
  ranks 2 "$kith" "$@" >over/out 2>over/err || found=$?
  refused "$ranks" $found over/err "$name" || diff in/out over/out || fail "$what: another answer of ranks"
}
small='--memory 1MB'
study "$k" "$l" 'piece: 900'
"$kith" anonymize s.yaml -i h.csv -o sorted.csv --mapping sorted.map --seed 5 --quiet
"$kith" anonymize s.yaml -i h.csv -o same.csv --keep-order --seed 5 --quiet
told '`verify`' verify 0 "$small" verify s.yaml sorted.csv
told '`verify --data`, in the order of the data' data 0 "$small" verify s.yaml same.csv --data h.csv
told '`verify --data`, sorted' data 0 "$small" verify s.yaml sorted.csv --data h.csv
awk -F, -v OFS=, 'NR == 700 { $NF = "else" } 1' sorted.csv >wrong.csv
told '`verify --data` of a release that does not cover the data' 'from the disk' 1 "$small" verify s.yaml wrong.csv --data h.csv
told '`verify --mapping`' mapping 0 "$small" verify s.yaml sorted.csv --data h.csv --mapping sorted.map
line '`verify --memory`'
found=0; ranks 2 "$kith" verify s.yaml sorted.csv --memory 1GB >over/out 2>over/err || found=$?
refused "$ranks" $found over/err memory || true
told '`describe`' memory 0 "$small" describe h.csv
told '`describe` with a study' memory 0 "$small" describe h.csv s.yaml
told '`describe --exposure`' 'encrypted view' 0 "$small" describe h.csv s.yaml --exposure --seed 1
told '`measure`' memory 0 "$small" measure s.yaml h.csv sorted.csv
told '`measure --queries --classify --population`' memory 0 "$small" measure s.yaml h.csv same.csv --queries 100 --classify disease --population 60000 --seed 1
told '`measure --mapping`' mapping 0 "$small" measure s.yaml h.csv sorted.csv --mapping sorted.map
told '`measure --special-uniques`' 'special uniques' 0 "$small" measure s.yaml h.csv sorted.csv --special-uniques 2
study "$k" "$l" 'utility: {suppression: 0.05}' 'algorithm: flash'; column age 'max_level: 4'; column job 'min_level: 1'
"$kith" anonymize s.yaml -i h.csv -o sorted.csv --force --seed 5 --quiet
told '`verify --data` with bounds on levels' levels 0 "$small" verify s.yaml sorted.csv --data h.csv
study '  - {model: lkc, l: 2, k: 4, c: 0.9, attribute: disease, values: [influenza]}'
told '`verify` of lkc that classes by fewer columns decide' lkc 1 "$small" verify s.yaml h.csv

missing=$(cut -d'|' -f1 promised | sort | comm -23 - <(sort -u tried))
[ -z "$missing" ] || fail "nothing tries: $missing"
echo "passed"
