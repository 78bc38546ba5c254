#!/usr/bin/env bash
# A killed process leaves temporary files. The next run for the same target removes them, and never those of
# a run that lives. Processes stop at pipes, so that they are killed at a known place.
set -euo pipefail
kith=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "leftovers: $1" >&2; exit 1; }
left() { find "$@" -name '.*.kith-*' | sort; }
{ echo age,disease; for i in $(seq 40); do echo "$((20 + i % 8)),ill$((i % 3))"; done; } >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [2, 4, 8]}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
algorithm: flash
END
mkfifo pipe
mkdir out

# Stops with the temporary files of release and companion there: nobody reads the lattice.
start() {
  "$kith" anonymize s.yaml -i d.csv -o out/r.csv --force --lattice pipe --quiet & job=$!
  until [ "$(left out | wc -l)" = "$1" ]; do kill -0 $job || fail "it ended early"; sleep 0.02; done
}
start 2; kill -KILL $job; wait $job 2>/dev/null || true
[ "$(left out | wc -l)" = 2 ] || fail "the killed process left $(left out)"
[ ! -e out/r.csv ] || fail "a killed process released something"
touch out/.r.csv.kith-BACKUP out/.other.csv.kith-abcdef
"$kith" anonymize s.yaml -i d.csv -o out/r.csv --quiet
[ "$(ls -A out | tr '\n' ' ')" = ".other.csv.kith-abcdef .r.csv.kith-BACKUP r.csv r.csv.meta.json " ] ||
  fail "after the next run: $(ls -A out)"
rm out/.[or]*

# While one run stops, another makes the same release: the files of the first are left alone.
start 2; first=$(left out)
"$kith" anonymize s.yaml -i d.csv -o out/r.csv --force --quiet
[ "$(left out)" = "$first" ] || fail "the files of a living run: $first, then $(left out)"
cat pipe >lattice.txt
wait $job || fail "the first run failed"
[ "$(ls -A out | tr '\n' ' ')" = "r.csv r.csv.meta.json " ] || fail "after both: $(ls -A out)"
[ -s lattice.txt ] || fail "no lattice"

# Keys and other small private files go the same way, and so does what the program itself saves.
touch .north.key.kith-abcdef .north.key.choices.kith-abcdef .sum.json.kith-abcdef
"$kith" cert init north -o north.key --quiet
"$kith" verify s.yaml out/r.csv --summary sum.json --quiet
[ -z "$(left .)" ] || fail "keys, summary: $(left .)"

# Simulations have directories: one in the place of their results, one with keys and the sites' data.
mkdir tmp; export TMPDIR=$work/tmp
printf 'algorithm: weave\n' >>s.yaml; sed -i '/^algorithm: flash/d' s.yaml
"$kith" simulate s.yaml -i pipe --sites 2 -o run --in-process --quiet & job=$!
until [ -n "$(left tmp)" ] && [ -n "$(left run 2>/dev/null)" ]; do kill -0 $job || fail "simulate ended early"; sleep 0.02; done
kill -KILL $job; wait $job 2>/dev/null || true
[ -n "$(left tmp run)" ] || fail "the killed simulation left nothing"
"$kith" simulate s.yaml -i d.csv --sites 2 -o run --in-process --quiet --seed 1
[ -z "$(left tmp run)" ] || fail "simulate: $(left tmp run)"
[ -z "$(ls -A tmp)" ] || fail "simulate: $(ls -A tmp)"
echo "no leftovers"
