#!/usr/bin/env bash
# kith anonymize over ranks of MPI: the release and its summary are those of one process, for any number
# of ranks; what goes wrong on one rank ends all of them with one message and without a release.
# usage: anonymize_ranks.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1
# shellcheck source=tests/helpers/ranks.bash
. "$2/tests/helpers/ranks.bash"
export KITH_MPI=$(ranks_plugin "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
fail() { echo "FAILED: $1" >&2; exit 1; }

# join DIRECTORY: its parts as one file
join() {
  local part first=1
  for part in "$1"/part-*.csv; do
    if [ -n "$first" ]; then cat "$part"; else tail -n +2 "$part"; fi
    first=
  done
}
# What a summary says of the release: all but times, memory and the number of ranks, and what one process
# alone has looked at.
facts() { python3 -S -E -c '
import json, sys
d = json.load(open(sys.argv[1]))
for key in ("seconds", "peak_rss_bytes", "ranks", "sent_bytes", "other_releases"):
    d.pop(key, None)
d["warnings"] = [w for w in d["warnings"] if not any(t in w for t in ("is released as it is", " is a person, ", "were not searched"))]
print(json.dumps(d, sort_keys=True, indent=1))' "$1"; }

# same NAME STUDY INPUT [OPTION]…: one process and several ranks give the same. Two numbers of ranks, others from call to
# call, or all of them.
pairs=('1 3' '2 7' '3 4') n_calls=0
same() {
  local name=$1 study=$2 input=$3 n numbers='1 2 3 4 7'
  [ "${KITH_EXHAUSTIVE:-}" = full ] || numbers=${pairs[n_calls++ % 3]}
  shift 3
  for n in $numbers; do
    ranks $n "$kith" anonymize "$study" -i "$input" -o "$work/parts" --mapping "$work/many.map" --seed 5 "$@" --threads 1 --no-progress --json >"$work/many.json" ||
      fail "$name: $n ranks"
    join "$work/parts" | cmp - "$work/one.csv" || fail "$name: $n ranks have another release"
    facts "$work/many.json" >"$work/many"
    diff "$work/one" "$work/many" || fail "$name: the summary of $n ranks is another one"
    cmp "$work/many.map" "$work/one.map" || fail "$name: $n ranks have another mapping"
    [ "$(stat -c %a "$work/many.map")" = 600 ] || fail "$name: others may read the mapping"
    rm -r "$work/parts" "$work/many.map"
  done
}
# alone STUDY [OPTION]…: the release to compare with
alone() {
  local study=$1
  shift
  "$kith" anonymize "$study" -i "$work/data.csv" -o "$work/one.csv" --mapping "$work/one.map" --force --seed 5 "$@" --json >"$work/one.json"
  facts "$work/one.json" >"$work/one"
}

# Persons with several rows on several ranks, of which some lack whose they are; a disease that does not change; two
# columns that tell persons apart; one row of each; and searches of a lattice.
"$kith" generate hospital -n 2500 --seed 3 -o "$work/hospital.csv" --force --quiet
awk -F, -v OFS=, 'NR > 1 { $1 = int(($1 * 7919) % 900); if (NR % 80 == 7) $1 = "" } { print }' "$work/hospital.csv" >"$work/visits.csv"
awk -F, -v OFS=, 'NR > 1 && $1 != "" { if ($1 in ill) $10 = ill[$1]; else ill[$1] = $10 } { print }' "$work/visits.csv" >"$work/chronic.csv"
# persons NAME DATA LINE…: a study by persons, as one process and as several ranks have it
persons() {
  local name=$1
  cp "$work/$2.csv" "$work/data.csv"
  { sed -n '/^study:/,/^privacy:/p' "$work/hospital.study.yaml" | sed 's/^columns:/unit: pid\n&\n  - {name: pid, role: identifying}\n  - {name: ward, role: identifying}/'
    echo '  - {model: k-anonymity, k: 4}'; shift 2; printf '%s\n' "$@"; } >"$work/study.yaml"
  grep -q two-columns <<<"$name" && sed -i 's/^unit: pid/unit: [pid, ward]/' "$work/study.yaml"
  grep -q two-columns <<<"$name" || sed -i '/name: ward, role: identifying/d' "$work/study.yaml"
  alone "$work/study.yaml"
  same "$name" "$work/study.yaml" "$work/data.csv"
}
l='  - {model: l-diversity, variant: frequency, l: 2, attribute: disease}'
persons persons visits 'piece: 400'
# told STATUS TEXT ARGUMENT…: ranks say what one process says of the persons
told() {
  local status=$1 text=$2 found n
  shift 2
  found=0; "$kith" "$@" >"$work/alone" 2>/dev/null || found=$?
  [ $found = "$status" ] && grep -q -- "$text" "$work/alone" || fail "$1: status $found: $(cat "$work/alone")"
  for n in 2 3; do
    found=0; ranks $n "$kith" "$@" >"$work/many" 2>/dev/null || found=$?
    [ $found = "$status" ] || fail "$1: status $found of $n ranks"
    diff "$work/alone" "$work/many" || fail "$1: $n ranks say something else"
  done
}
told 0 classes_of_one_person describe "$work/data.csv" "$work/study.yaml" --json
told 1 units verify "$work/study.yaml" "$work/one.csv" --json
told 1 units verify "$work/study.yaml" "$work/one.csv" --data "$work/data.csv" --json
told 0 '"units"' measure "$work/study.yaml" "$work/data.csv" "$work/one.csv" --json
grep -q '"largest_part"' "$work/one" && grep -q 'without a value of pid' "$work/one" || fail 'no person is counted'
persons 'l-diversity by persons' chronic "$l" 'piece: 400'
grep -q '"intersections"' "$work/one" || fail 'persons are not crossed'
persons two-columns visits "$l" '  - {model: dominance, share: 0.5}' 'piece: 400'
persons 'beta-likeness by persons' visits '  - {model: beta-likeness, beta: 3, attribute: disease}' 'missing: drop' 'piece: 400'
persons 't-closeness by persons' chronic '  - {model: t-closeness, variant: equal, t: 0.4, attribute: disease}' 'piece: 400'
persons 'one row of each person' hospital "$l" 'piece: 400'
persons 'flash by persons' visits "$l" 'utility: {suppression: 0.05}' 'algorithm: flash'
persons 'datafly by persons' chronic 'utility: {suppression: 0.02}' 'algorithm: datafly'

# Shares that are equally near to their bounds: the one of the first class is told.
{ echo g,s; for i in 1 2 3 4 5 6 7 8; do for g in a3 b5 c5 d3 e5 f5 g5 h5; do [ "$i" -le "${g#?}" ] && echo "$g,in" || echo "$g,out"; done; done; } >"$work/data.csv"
cat >"$work/study.yaml" <<'END'
study: shares
columns:
  - {name: g, role: quasi-identifying}
  - {name: s, role: sensitive}
privacy:
  - {model: k-anonymity, k: 8}
  - {model: delta-presence, min: 0.25, max: 0.75, subset: {column: s, values: [in]}}
END
alone "$work/study.yaml"
same "equal distances" "$work/study.yaml" "$work/data.csv"

for profile in hospital adult survey; do
  "$kith" generate $profile -n 2500 --seed 3 -o "$work/data.csv" --force --quiet
  { cat "$work/data.study.yaml"; echo "piece: 400"; } >"$work/study.yaml"
  alone "$work/study.yaml"
  same "$profile" "$work/study.yaml" "$work/data.csv"
done
alone "$work/study.yaml" --keep-order
same "--keep-order" "$work/study.yaml" "$work/data.csv" --keep-order

# A random order has the same rows, never comes twice, and is verified like any other.
shuffled() {
  ranks 3 "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/parts" --seed 5 --shuffle --force --no-progress \
    --json >"$work/many.json" || fail "--shuffle"
  grep -q '"order":[[:space:]]*"random"' "$work/many.json" || fail "--shuffle: no order in the summary"
  join "$work/parts" >"$work/$1"
  sort "$work/$1" | cmp - <(sort "$work/one.csv") || fail "--shuffle has other rows"
}
shuffled once
shuffled again
! cmp -s "$work/once" "$work/again" || fail "--shuffle draws the same order twice"
! cmp -s "$work/once" "$work/one.csv" || fail "--shuffle keeps the order of the data"
rm -r "$work/parts"

# Most rows look equal, and are shared out all the same.
{ echo age,sex; for i in $(seq 1200); do echo "$((i % 7)),$((i % 3 / 2))"; done; } >"$work/data.csv"
cat >"$work/other.yaml" <<'END'
study: equal
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: sex, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 300}]
END
alone "$work/other.yaml"
same "equal rows" "$work/other.yaml" "$work/data.csv"
ranks 4 "$kith" anonymize "$work/other.yaml" -i "$work/data.csv" -o "$work/parts" --no-progress --quiet
[ "$(cat "$work"/parts/part-*.csv | sort | uniq -c | sort -n | awk 'END { print $1 }')" -ge 800 ] || fail "few rows are equal"
[ "$(wc -l "$work"/parts/part-*.csv | awk '$2 != "total" && $1 > 500' | wc -l)" = 0 ] || fail "a rank has most of the rows that are equal"
rm -r "$work/parts"
"$kith" generate survey -n 2500 --seed 3 -o "$work/data.csv" --force --quiet

# Parts as input; t-closeness; missing values that are wildcards, or whose rows are left out.
mkdir "$work/in"
sed -i '900s/.*/,,,,,,,,/' "$work/data.csv" # a row that is left out, but counts in the mapping
split -l 700 -d -a 2 --filter='{ [ $FILE = '"$work"'/in/00 ] || head -n 1 '"$work"'/data.csv; cat; } >$FILE.csv' \
  "$work/data.csv" "$work/in/"
for missing in wildcard drop; do
  { sed -e '/^missing:/d' -e 's/{model: l-diversity.*attribute: \([a-z]*\)}/{model: t-closeness, variant: equal, t: 0.3, attribute: \1}/' \
      "$work/study.yaml"; echo "missing: $missing"; } >"$work/other.yaml"
  grep -q t-closeness "$work/other.yaml" || fail "no t-closeness in the study"
  alone "$work/other.yaml"
  same "t-closeness, missing: $missing" "$work/other.yaml" "$work/in/*.csv"
done

# Bounds on levels. bounded SED…: with a study that is changed so
bounded() {
  sed "$@" "$work/study.yaml" >"$work/other.yaml"
  ! cmp -s "$work/study.yaml" "$work/other.yaml" || fail "no bound in the study"
  alone "$work/other.yaml"
}
low='s/{intervals: \[2, 4\]}/&\n    min_level: 1/'
bounded -e "$low"
same "min_level" "$work/other.yaml" "$work/data.csv"

# Searches of a lattice, which also suppress records and keep to bounds on levels.
# lattice ALGORITHM MISSING MEASURE [SED]…: with a study that is changed so
lattice() {
  local algorithm=$1 missing=$2 measure=$3
  shift 3
  { sed -e '/^missing:/d' -e '/^piece:/d' -e "s/^  measure:.*/  measure: $measure\n  suppression: 0.1/" "$@" "$work/study.yaml"
    echo "algorithm: $algorithm"; echo "missing: $missing"; } >"$work/other.yaml"
  rm -f "$work"/*.tsv
  alone "$work/other.yaml" --lattice "$work/one.tsv"
  grep -q '"suppressed":[[:space:]]*[1-9]' "$work/one.json" || fail "$algorithm suppresses nothing"
  same "$algorithm" "$work/other.yaml" "$work/data.csv"
  ranks 3 "$kith" anonymize "$work/other.yaml" -i "$work/data.csv" -o "$work/parts" --lattice "$work/many.tsv" --seed 5 --quiet
  cmp "$work/one.tsv" "$work/many.tsv" || fail "$algorithm: ranks have another lattice"
  [ "$(stat -c %a "$work/many.tsv")" = 600 ] || fail "$algorithm: others may read the lattice"
  rm -r "$work/parts"
}
lattice flash wildcard lm
lattice ola value entropy -e 's/{intervals: \[5, 10, 20\]}/&\n    max_level: 3/' -e 's/{intervals: \[2, 4\]}/&\n    min_level: 1/' \
  -e 's/{model: l-diversity.*attribute: \([a-z]*\)}/{model: t-closeness, variant: equal, t: 0.4, attribute: \1}/'
lattice datafly drop dm

# refused NAME TEXT COMMAND…: status 2, one message, nothing left behind.
refused() {
  local name=$1 text=$2 status=0
  shift 2
  ranks 3 "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 2 ] || fail "$name: status $status"
  [ "$(grep -c '^kith: error: ' "$work/err")" = 1 ] || { cat "$work/err" >&2; fail "$name: not one message"; }
  grep -qF -- "$text" "$work/err" || { cat "$work/err" >&2; fail "$name: no '$text'"; }
  [ -z "$(find "$work" -name '*parts*' -o -name '.*parts*')" ] || fail "$name: something is left of the release"
}
refused "a mapping that exists" "one.map exists already" \
  "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/parts" --mapping "$work/one.map" --quiet
refused "a lattice that exists" "one.tsv exists already" \
  "$kith" anonymize "$work/other.yaml" -i "$work/data.csv" -o "$work/parts" --lattice "$work/one.tsv" --quiet
sed '2000s/$/,"/' "$work/data.csv" >"$work/wrong.csv"
refused "a wrong row" "wrong.csv:2000" \
  "$kith" anonymize "$work/study.yaml" -i "$work/wrong.csv" -o "$work/parts" --seed 5
awk -F, -v OFS=, 'NR == 2300 { $6 = "poet" } { print }' "$work/hospital.csv" >"$work/poet.csv" # the first rank has no such row
refused "a value that is in no hierarchy" "poet.csv:2300: 'poet'" \
  "$kith" anonymize "$work/hospital.study.yaml" -i "$work/poet.csv" -o "$work/parts"
# Two pieces with a class each, both of which show nothing: together 2 of 3 persons have a cold.
{ echo pid,a,ill; for row in 1,1,flu 2,2,cold 1,3,flu 3,4,cold 7,8,flu 8,8,hiv; do printf '%s\n' $row $row; done; } >"$work/colds.csv"
cat >"$work/colds.yaml" <<'END'
study: colds
columns:
  - {name: pid, role: identifying}
  - {name: a, role: quasi-identifying}
  - {name: ill, role: sensitive}
unit: pid
privacy:
  - {model: k-anonymity, k: 2}
  - {model: l-diversity, variant: frequency, l: 2, attribute: ill}
piece: 4
END
cp "$work/colds.csv" "$work/data.csv"
alone "$work/colds.yaml"
same "classes of two ranks that break a model together" "$work/colds.yaml" "$work/data.csv"
"$kith" generate survey -n 2500 --seed 3 -o "$work/data.csv" --force --quiet
mkfifo "$work/pipe" # nobody writes to it: it is refused before it is opened
refused "a pipe" "pipe is not a file: several processes cannot read it" \
  "$kith" anonymize "$work/study.yaml" -i "$work/pipe" -o "$work/parts" --seed 5
grep -v '^piece:' "$work/study.yaml" | cat - <(echo "sample: 0.5") >"$work/other.yaml"
refused "a sample" "sample needs all rows" "$kith" anonymize "$work/other.yaml" -i "$work/data.csv" -o "$work/parts"

for name in release.parquet release.csv.gz -; do
  refused "$name as release" "kith: hint: use -o DIRECTORY" "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$name"
  [ ! -e "$name" ] || fail "$name has appeared"
done
refused "an option" "one process, started without the launcher" \
  "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/parts" --memory 1GB

# A release that is there is seen before anything is read.
mkdir "$work/old"
refused "a release that exists" "old exists already" "$kith" anonymize "$work/study.yaml" -i "$work/nowhere.csv" -o "$work/old"

# A rank that is struck while it searches takes the others with it, and no release appears. What SIGKILL leaves is
# hidden, and the next run removes it.
cat >"$work/victim" <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-$PMIX_RANK}}
[ "$rank" != 1 ] || export KITH_STRUCK="$STRIKE weave 2"
exec "$0.kith" anonymize "$(dirname "$0")/study.yaml" -i "$(dirname "$0")/data.csv" -o "$(dirname "$0")/parts" --seed 5
END
chmod +x "$work/victim"; ln -s "$3/tests/kith_struck" "$work/victim.kith"
# struck SIGNAL STATUS
struck() {
  local status=0
  STRIKE=$1 ranks 3 "$work/victim" >"$work/out" 2>"$work/err" || status=$?
  [ $status = "$2" ] || { cat "$work/err" >&2; fail "$1: status $status"; }
  [ ! -e "$work/parts" ] || fail "$1: a release has appeared"
}
struck TERM 130
[ -z "$(find "$work" -name '.*parts*')" ] || fail "TERM: something is left of the release"
struck KILL $ranks_killed
ranks 2 "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/parts" --seed 5 --no-progress >/dev/null 2>"$work/err"
[ -z "$(find "$work" -name '.*parts*')" ] || fail "what was left of a killed run is still there"
# warnings COUNT: how often the last run has warned of the order of the data
warnings() {
  [ "$(grep -c '^kith: warning: .* in the order of the data: ' "$work/err")" = "$1" ] || fail "not $1 warning of the order: $(cat "$work/err")"
}
warnings 0
ranks 2 "$kith" anonymize "$work/study.yaml" -i "$work/data.csv" -o "$work/parts" --keep-order --force --no-progress >/dev/null 2>"$work/err"
warnings 1
echo "passed"
