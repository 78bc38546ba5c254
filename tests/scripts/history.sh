#!/usr/bin/env bash
# What several runs of the same parties give away. Identical runs give one release, whatever protocol
# makes it; runs that would show a difference need `again: true`, and the message says why.
# Usage: history.sh KITH SOURCE BUILD
set -euo pipefail
kith=$1 struck=$3/tests/kith_struck
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "history: $1" >&2; exit 1; }
[ -x "$struck" ] || fail "build kith_struck first"
sites=(north south east)
for s in "${sites[@]}"; do "$kith" cert init $s -o $s.key -q; done
pin() { "$kith" cert show "$1" --json | grep -o 'sha256:[0-9a-f]*'; }
ports=()
port=$((20000 + RANDOM % 12000))
while [ ${#ports[@]} -lt 3 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=($port)
done

# study NAME PARTIES KEYS [COLUMNS OF north, OF south]
study() {
  cat <<END
study: $1
columns:
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: {intervals: [5, 20]}}
  - {name: zip, role: quasi-identifying, type: integer, domain: {range: [0, 999]}, hierarchy: {intervals: [10, 100]}}
  - {name: sex, role: quasi-identifying}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: ${k:-4}}]
timeout: ${timeout:-300}
END
  printf '%b\nparties:\n' "$3"
  for i in $(seq 0 $(($2 - 1))); do
    columns=; [ $# -lt 5 ] || { [ $i = 0 ] && columns=", columns: [$4]" || columns=", columns: [$5]"; }
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:${ports[$i]}\", key: \"$(pin ${sites[$i]}.key)\"$columns}"
  done
}
rows() { # COUNT OFFSET
  echo id,age,zip,sex,ill
  awk -v n="$1" -v o="$2" 'BEGIN { s = 7 + o; for (i = 0; i < n; i++) { s = (s * 48271) % 2147483647
    a = s % 100; s = (s * 48271) % 2147483647; z = s % 1000; s = (s * 48271) % 2147483647
    printf "p%d,%d,%d,%s,ill%d\n", i, a, z, s % 2 ? "f" : "m", s % 5 } }'
}
rows 150 1 >north.csv; rows 90 2 >south.csv; rows 1 3 >east.csv
rows 120 5 >wide.csv
cut -d, -f1,2,3 wide.csv >left.csv; cut -d, -f1,4,5 wide.csv >right.csv
declare -A data=([north]=north.csv [south]=south.csv [east]=east.csv)

# run DIRECTORY PARTIES [OPTIONS]: all of them take part; statuses in codes, messages in NAME.err
run() {
  local pids=() s; codes=
  for s in "${sites[@]:0:$2}"; do
    "$kith" party s.yaml --as $s --key $s.key ${data[$s]:+-i ${data[$s]}} -o "$1.$s" --wait 10min -q --no-progress ${3:-} >$s.out 2>$s.err &
    pids+=($!)
  done
  for s in "${pids[@]}"; do wait $s && codes=${codes}0 || codes=$codes$?; done
}
good() { run "$@"; [ "${codes//0/}" = "" ] || fail "$1: $codes $(cat ./*.err)"; }
refused() { # WHAT PARTIES PATTERN: exit 2 everywhere, and somebody says the pattern
  run never $2; [ "${codes//2/}" = "" ] || fail "$1: $codes $(cat ./*.err)"
  grep -q "$3" ./*.err || fail "$1: $(cat ./*.err)"
  grep -q "all parties add 'again: true'" ./*.err || fail "$1: no hint: $(cat ./*.err)"
  [ ! -e never.north/release.csv ] || fail "$1: there is a release"
  rm -rf never.*
}
forget() { rm -f ./*.key.runs; }

# --- identical runs ---
one_release() { # NAME PARTIES
  for i in 1 2 3; do good "$1$i" $2; done
  cmp "${1}1.north/release.csv" "${1}2.north/release.csv" && cmp "${1}1.north/release.csv" "${1}3.north/release.csv" ||
    fail "three identical runs of $1 give different releases"
  cmp "${1}1.north/release.csv" "${1}1.south/release.csv" || fail "$1: the sites have different releases"
  [ "$(wc -l <"${1}1.north/release.csv")" -gt 100 ] || fail "$1: rows are missing"
  forget
}
study weave 2 'partition: horizontal' >s.yaml;                                            one_release weave 2
k=8 study blur 2 'partition: horizontal\nblur: true' >s.yaml;                            one_release blur 2
study clusters 2 'partition: horizontal\nprotocol: clustering' >s.yaml;                   one_release clusters 2
study hidden 2 'partition: horizontal\nprotocol: clustering\nhide_sizes: true' >s.yaml;   one_release hidden 2
# Some persons are at both sites: where each counts is drawn, but not anew.
awk -F, -v OFS=, 'NR > 1 { $1 = "p" NR + 90 } 1' south.csv >shared.csv; data[south]=shared.csv
for protocol in weave clustering; do
  study homes 2 "partition: horizontal\nprotocol: $protocol\nunit: id\noverlap: matched" |
    sed 's/^columns:/&\n  - {name: id, role: identifying}/' >s.yaml
  one_release homes 2; rm -rf homes*
done
data[south]=south.csv
data[east]=
study view 3 'partition: horizontal\nprotocol: encrypted-view\nalgorithm: flash\nutility: {suppression: 0.1}' >s.yaml
one_release view 3
# the order of codes is random in every run, and other searches depend on it
study local 3 'partition: horizontal\nprotocol: encrypted-view\nalgorithm: sequential' >s.yaml
good local 3
refused 'a local search on the view' 3 'algorithm sequential on the encrypted view gives another release in every run'
forget; data[east]=east.csv
data[north]=left.csv data[south]=right.csv
split='partition: vertical\nprotocol: clustering\nids: id'
study columns 2 "$split" 'age, zip' 'sex, ill' >s.yaml;              one_release columns 2
study noise 2 "$split\nnoise: 0.3" 'age, zip' 'sex, ill' >s.yaml;    one_release noise 2
data[north]=north.csv data[south]=south.csv

# --- what is no difference, and what is one ---
study s 2 'partition: horizontal\nprotocol: clustering' >s.yaml
good first 2
port=${ports[0]}; ports[0]=${ports[2]}; ports[2]=$port
"$kith" cert init north -o north.key -q --force
timeout=20 study s 2 'partition: horizontal\nprotocol: clustering\nlimit: 2h' >s.yaml
good moved 2 # addresses, certificates and time limits say nothing about the release
cmp first.north/release.csv moved.north/release.csv || fail "another address gives another release"
study s 3 'partition: horizontal\nprotocol: clustering' >s.yaml
refused 'one more party' 2 'took part in the study s before (.*), with other parties'
study s 2 'partition: horizontal\nprotocol: clustering\nblock: 1' >s.yaml
refused 'other parameters' 2 'with other parameters'
study s 2 'partition: horizontal\nprotocol: clustering' >s.yaml
mv south.csv kept.csv; rows 91 2 >south.csv; mv north.csv kept2.csv; rows 151 1 >north.csv
refused 'other data' 2 'with other data'
mv kept.csv south.csv; mv kept2.csv north.csv
study other 2 'partition: horizontal' >s.yaml
refused 'another name' 2 'gave the same data to the study s before'
study other 2 'partition: horizontal\nagain: true' >s.yaml
good meant 2

# --- seeds are parameters ---
forget
study seeded 2 'partition: horizontal\nprotocol: clustering' >s.yaml
good seed1 2 '--seed 1'
good seed2 2 '--seed 1'
cmp seed1.north/release.csv seed2.north/release.csv || fail "one seed gives two releases"
refused 'no seed' 2 'with other parameters'

# --- runs that published nothing ---
forget
split='partition: vertical\nprotocol: clustering\nids: id'
study gone 2 "$split" 'age, zip' 'sex, ill' >s.yaml
data[north]=left.csv data[south]=twice.csv
(cat right.csv; sed -n 2p right.csv) >twice.csv
run failed 2
[ "$codes" = 22 ] || fail "identifiers twice: $codes $(cat ./*.err)"
grep -q '^begun ' north.key.runs && ! grep -qv '^begun \|^failed ' north.key.runs || fail "the failed run is an earlier one: $(cat north.key.runs)"
[ "$(stat -c %a north.key.runs)" = 600 ] || fail "mode of the list after a failed run"
data[south]=right.csv # mended: no `again: true` is needed
good mended 2
! grep -q 'with other data' ./*.err || fail "a failed run counts: $(cat ./*.err)"
grep -q '^kith: warning: an earlier run of the study gone (20.*Z) ended before it published anything; it had disclosed ' north.err ||
  fail "no warning: $(cat north.err)"
good mended2 2 # now there is a release, and nothing to warn of
! grep -q warning ./*.err || fail "a warning after a run that published: $(cat ./*.err)"
cmp mended.north/release.csv mended2.north/release.csv || fail "the repeated run gives another release"
head -100 left.csv >left2.csv; head -100 right.csv >right2.csv; data[north]=left2.csv data[south]=right2.csv
refused 'other data after a release' 2 'took part in the study gone before (.*), with other data'
data[north]=left.csv data[south]=right.csv
# interrupted in the first steps: south waits for north, which is gone. It looks for signals a few times per
# second, and its messages are held back so that the run is not over by then.
forget
study cut 2 "$split" 'age, zip' 'sex, ill' >s.yaml
"$kith" party s.yaml --as south --key south.key -i right.csv -o cut.south --wait 10min -q --no-progress 2>south.err & pid=$!
KITH_STRUCK="TERM message 2" "$struck" party s.yaml --as north --key north.key -i left.csv -o cut.north --delay 500ms --wait 10min -q --no-progress 2>north.err && fail "an interrupted run succeeds" || true
[ -s north.key.runs ] || fail "the interrupted run had not begun"
wait $pid && fail "the other one succeeds" || true
good cut2 2
# a process that is killed has no time for a word
forget
study dead 2 "$split" 'age, zip' 'sex, ill' >s.yaml
"$kith" party s.yaml --as south --key south.key -i right.csv -o dead.south --wait 10min -q --no-progress 2>south.err & pid=$!
KITH_STRUCK="KILL message 2" "$struck" party s.yaml --as north --key north.key -i left.csv -o dead.north --wait 10min -q --no-progress 2>north.err && fail "a killed run succeeds" || true
[ -s north.key.runs ] || fail "the killed run had not begun"
wait $pid && fail "the other one succeeds" || true
good dead2 2 --force
grep -q 'it had disclosed what its ledger lists, if it got to write one' north.err || fail "after a killed run: $(cat north.err)"
data[north]=north.csv data[south]=south.csv

# --- the same rows in another order are the same data ---
turned() { head -1 "$1"; tail -n +2 "$1" | sort -t, -k3,3 -k1,1r; } # FILE
for how in 'blur: true' 'protocol: clustering' 'protocol: mondrian\nmondrian: relaxed'; do
  forget
  k=8 study turned 2 "partition: horizontal\n$how" >s.yaml
  good asread 2 --force
  turned north.csv >north2.csv; turned south.csv >south2.csv
  data[north]=north2.csv data[south]=south2.csv
  good turned 2 --force
  cmp asread.north/release.csv turned.north/release.csv || fail "$how: rows in another order give another release"
  k=8 study renamed 2 "partition: horizontal\n$how" >s.yaml
  refused "$how: rows in another order" 2 'gave the same data to the study turned before'
  data[north]=north.csv data[south]=south.csv
done
# ... but not where rows are aligned: there the order says who is who
forget
data[north]=left.csv data[south]=right.csv
study aligned 2 'partition: vertical\nids: aligned' 'age, zip' 'sex, ill' >s.yaml
good aligned 2
turned left.csv >left2.csv; turned right.csv >right2.csv; data[north]=left2.csv data[south]=right2.csv
refused 'aligned rows in another order' 2 'with other data'
data[north]=north.csv data[south]=south.csv

# --- who leaves and comes back with other data ---
forget
study leaves 2 'partition: horizontal' >s.yaml
KITH_STRUCK_STEPS=north.steps "$struck" party s.yaml --as north --key north.key -i north.csv -o counted.north --wait 10min -q --no-progress 2>north.err & pid=$!
"$kith" party s.yaml --as south --key south.key -i south.csv -o counted.south --wait 10min -q --no-progress 2>south.err || fail "counting messages: $(cat south.err)"
wait $pid || fail "counting messages: $(cat north.err)"
leave() { # STEP: north is killed at its second message of that step
  local at; at=$(grep -n "$1" north.steps | sed -n '2s/:.*//p'); [ -n "$at" ] || fail "no step $1: $(sort -u north.steps)"
  forget
  "$kith" party s.yaml --as south --key south.key -i south.csv -o left.south --force --wait 10min -q --no-progress 2>south.err & pid=$!
  KITH_STRUCK="KILL message $at" "$struck" party s.yaml --as north --key north.key -i north.csv -o left.north --force --wait 10min -q --no-progress 2>north.err && fail "a killed run succeeds" || true
  wait $pid && fail "the other one succeeds" || true
}
head -100 north.csv >fewer.csv
leave 'first tree'
grep -q '^opened ' north.key.runs && grep -q '^opened ' south.key.runs || fail "no word about answers: $(cat ./*.runs)"
good same 2 --force # the same data: no question
leave 'first tree'; data[north]=fewer.csv
run never 2
[ "$codes" = 23 ] || fail "other data after answers: $codes $(cat ./*.err)"
grep -q 'took part in the study leaves before (20.*Z), with other data; that run ended without a release, but answers about records had been opened' north.err || fail "$(cat north.err)"
grep -q 'north will not take part because of a run before' south.err || fail "$(cat south.err)"
rm north.key.runs # who hides that it was there is not believed
refused 'other data and no list' 2 'an earlier run of the study leaves ended without a release after answers about records had been opened; south took part with the same data as now, but north with other data or not at all'
grep -q 'south took part with the same data as now' south.err || fail "the one that stayed is not told: $(cat south.err)"
study leaves 2 'partition: horizontal\nagain: true' >s.yaml
good meant2 2 --force
study leaves 2 'partition: horizontal' >s.yaml
leave 'domains' # before any answer other data are free
! grep -q '^opened ' ./*.key.runs || fail "answers before there are any: $(cat ./*.runs)"
good mended3 2 --force
data[north]=north.csv
# north ends before the questions that south had got to: the same data may be tried with other parameters, other data not
leave 'first tree'; sed -i '/^opened /d' north.key.runs
data[north]=fewer.csv
refused 'other data after answers that north did not see' 2 'south took part with the same data as now, but north with other data or not at all'
data[north]=north.csv
k=5 study leaves 2 'partition: horizontal' >s.yaml
good retried 2

# --- newcomers: the others have run this study ---
forget
study new 2 'partition: horizontal' >s.yaml
good new1 2
rm south.key.runs
refused 'a newcomer' 2 'the study new was run before by north, but not by south'
[ "$(grep -c 'was run before by north' north.err south.err | grep -c ':1')" = 2 ] || fail "not all were told: $(cat ./*.err)"
[ ! -e south.key.runs ] || fail "a run that did not begin is in the list"
study new 2 'partition: horizontal\nagain: true' >s.yaml
good new2 2

# --- the secret of the choices ---
for s in north south; do
  [ "$(stat -c '%a %s' $s.key.choices)" = '600 32' ] || fail "mode or size of $s.key.choices"
  [ "$(stat -c %a $s.key.runs)" = 600 ] || fail "mode of $s.key.runs"
done
forget
study secret 2 'partition: horizontal\nprotocol: clustering' >s.yaml
good secret1 2
cp north.key.choices saved.choices; cp south.key.choices saved2.choices; rm north.key.choices south.key.choices
"$kith" party s.yaml --as north --key north.key -i north.csv -o never --no-progress 2>err.txt && fail "a lost secret"
grep -q '^kith: note: north.key.choices did not exist and was made' err.txt || fail "no note: $(cat err.txt)"
refused 'a lost secret' 2 'its random choices would be others now, since north.key.choices is another one'
[ "$(stat -c '%a %s' north.key.choices)" = '600 32' ] || fail "no new secret was made"
! cmp -s north.key.choices saved.choices || fail "the new secret is the old one"
cp saved.choices north.key.choices; cp saved2.choices south.key.choices
good secret2 2
cmp secret1.north/release.csv secret2.north/release.csv || fail "a secret from a backup gives another release"
alone() { # PATTERN: north is told before it calls anyone
  "$kith" party s.yaml --as north --key north.key -i north.csv -o never -q --no-progress 2>err.txt && fail "no word about $1"
  grep -q "$1" err.txt || fail "$1: $(cat err.txt)"; }
chmod 644 north.key.choices; alone 'north.key.choices holds a secret, but others can read it (mode 0644)'; chmod 600 north.key.choices
printf short >north.key.choices; alone 'north.key.choices is damaged: it has 5 bytes instead of 32'
cp saved.choices north.key.choices

# --- lists of earlier versions: four fields, and choices that were drawn anew ---
forget
digest=$(printf old | b2sum -l 256 | cut -d' ' -f1)
study old 2 'partition: horizontal' >s.yaml
for s in north south; do echo "2026-01-02T03:04:05Z $digest $digest $digest" >$s.key.runs; done
refused 'a list of an earlier version' 2 'took part in the study old before (2026-01-02T03:04:05Z), with other data'
study young 2 'partition: horizontal' >s.yaml
good young 2
echo "all as it should be"
