#!/usr/bin/env bash
# RELEASE.meta.json is for those who receive the release: two tables with the same release have the same companion.
# What tells more (summary, lattice, table of settings) can be read by its owner only.
set -eu
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
umask 022
fail() { echo "companion: $1"; exit 1; }
[ -x "$struck" ] || fail "build kith_struck first"

# The second table has other ages and other pairs of age and disease, which no cell shows: ages are released
# as 30 to 39 and 40 to 49, and the order of the rows stays that of the classes.
cat > one.csv <<'CSV'
age,disease
30,flu
31,flu
32,cold
33,cold
40,flu
41,cold
42,cold
43,ulcer
CSV
cat > other.csv <<'CSV'
age,disease
30,cold
30,cold
31,flu
30,flu
40,ulcer
41,cold
40,flu
40,cold
CSV
cat > study.yaml <<'YAML'
study: companion
columns:
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [20, 59]}, hierarchy: {intervals: [10]}}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: distinct, l: 2, attribute: disease}
YAML
cp study.yaml levels.yaml
echo 'levels: {age: 1}' >> levels.yaml
for table in one other; do
  "$kith" anonymize levels.yaml -i $table.csv -o $table.release.csv --summary $table.json -q
done
cmp <(sort one.release.csv) <(sort other.release.csv) || fail "the two releases differ: nothing is compared"
! cmp -s <(grep -v seconds one.json) <(grep -v seconds other.json) || fail "the summaries do not differ"
cmp one.release.csv.meta.json other.release.csv.meta.json || fail "the companion tells more than the release"
grep -q '"levels"' one.release.csv.meta.json || fail "the companion lacks the levels"

(cat study.yaml; echo 'algorithm: flash') > flash.yaml
(cat study.yaml; echo 'partition: horizontal') > joint.yaml
"$kith" anonymize flash.yaml -i one.csv -o again.csv --lattice lattice.tsv -q
"$kith" try study.yaml -i one.csv --set k=2,3 --csv settings.csv -q
"$kith" simulate joint.yaml -i one.csv --sites 2 --in-process -o run -q --no-progress
for file in one.json lattice.tsv settings.csv run/summary.json; do
  [ "$(stat -c %a $file)" = 600 ] || fail "others can read $file"
done
for file in one.release.csv one.release.csv.meta.json run/release.csv run/release.csv.meta.json; do
  [ "$(stat -c %a $file)" = 644 ] || fail "$file does not have the mode of new files"
done

# A release never appears without its summary: another file has that name by the time when the release is
# complete, and stays. The run reads from a pipe, and so waits for the last rows.
mkfifo rows
"$kith" anonymize levels.yaml -i rows -o late.csv --summary late.json -q 2>late.err &
run=$!
exec 3>rows
head -n 5 one.csv >&3
echo 'of another run' >late.json
tail -n +6 one.csv >&3
exec 3>&-
status=0
wait $run || status=$?
[ $status = 2 ] || fail "exit status $status where the summary's name was taken"
grep -q 'late.json exists already' late.err || fail "no message about the summary: $(cat late.err)"
[ "$(cat late.json)" = 'of another run' ] || fail "the file of another run was replaced"
[ ! -e late.csv ] && [ ! -e late.csv.meta.json ] || fail "a release appeared without its summary"

# The same when all has been written: by now a directory has the summary's name, and what `--force` had replaced
# comes back.
cp other.release.csv old.csv
cp other.release.csv.meta.json old.csv.meta.json
KITH_STRUCK='STOP finish 1' "$struck" anonymize levels.yaml -i one.csv -o old.csv --summary old.json --mapping old.map \
  --force --seed 1 -q 2>old.err &
run=$!
while [ -e /proc/$run ] && [ "$(sed 's/.*) //' /proc/$run/stat | cut -c1)" != T ]; do sleep 0.02; done
[ -e /proc/$run ] || fail "the run did not stop: $(cat old.err)"
mkdir old.json
kill -CONT $run
status=0
wait $run || status=$?
[ $status = 5 ] || fail "exit status $status where the summary could not appear: $(cat old.err)"
cmp old.csv other.release.csv || fail "the older release did not come back"
cmp old.csv.meta.json other.release.csv.meta.json || fail "the older companion did not come back"
[ ! -e old.map ] || fail "a mapping stayed without its release"
[ -z "$(find . -name '.*kith-*')" ] || fail "temporary files stayed: $(find . -name '.*kith-*')"
