#!/usr/bin/env bash
# Ctrl-C and SIGTERM: a search that has a result ends with 0, "interrupted": true and a release that
# verifies; all else with 130 and nothing written. The signals come at points of the work, not at times
# (helpers/struck.c). Usage: interrupt.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

"$kith" generate hospital -n 20000 --seed 1 -o p.csv --quiet || exit 1

# Job control gives background jobs their own signals; otherwise they would ignore SIGINT.
set -m
study=p.study.yaml
anonymize() { "$@" anonymize "$study" -i p.csv -o r.csv --summary s.json --quiet 2>err.txt; }
nothing_written() { # WHAT CODE
  [ "$2" = 130 ] || fail "$1: exit status $2"
  ls -A | grep 'r\.csv\|s\.json' && fail "$1: files were left behind"
}
# stop PLAN: the program has nothing to show.
stop() {
  rm -f r.csv* s.json
  KITH_STRUCK=$1 anonymize "$struck"; nothing_written "$1" $?
  [ "$(cat err.txt)" = "kith: interrupted" ] || fail "$1: said '$(cat err.txt)'"
}
# keep PLAN: the program keeps the best release so far.
keep() {
  local code
  rm -f r.csv* s.json
  KITH_STRUCK=$1 anonymize "$struck"; code=$?
  [ $code = 0 ] || { fail "$1: exit status $code: $(cat err.txt)"; return; }
  grep -q '"interrupted":[[:space:]]*true' s.json || fail "$1: not said in the summary"
  "$kith" verify "$study" r.csv --quiet || fail "$1: the release does not verify"
}
keep "INT grow 1"
keep "INT weave 1"
keep "TERM weave 2"
stop "INT write 1"
stop "TERM verify 1"
# A search of the lattice has its first node soon where everything may be suppressed.
study=lattice.yaml
sed '/^algorithm/d; /^effort/d; s/^utility:.*/utility:\n  suppression: 1/' p.study.yaml >$study
echo "algorithm: breadth-first" >>$study
stop "INT search 1"
keep "INT search 5"
study=p.study.yaml

# A table of trials keeps the rows that are finished, and names the others.
KITH_STRUCK="INT try:_1_of_2 1" "$struck" try p.study.yaml -i p.csv --set effort=quick,3000 --no-progress >t.txt 2>err.txt; code=$?
[ $code = 130 ] || fail "try: exit status $code"
grep -q '^  1  quick  *0\.' t.txt || fail "try: the finished row is not there: $(cat t.txt err.txt)"
grep -q '^row 2 is missing: the run was interrupted' t.txt || fail "try: does not name the missing row"

# While it waits for input: at once, perhaps before it has begun; and when more than a pipe holds has been read,
# but not the end.
mkfifo pipe
for bytes in 0 200000; do
  rm -f r.csv* s.json
  "$kith" anonymize p.study.yaml -i - -o r.csv 2>err.txt <pipe & job=$!
  exec 9>pipe; head -c $bytes p.csv >&9
  until [ "$(readlink /proc/$job/exe)" = "$kith" ]; do sleep 0.01; done # before that it is a shell
  kill -INT $job; wait $job 2>/dev/null; nothing_written "waiting for input after $bytes bytes" $?
  exec 9>&-
done

[ $failed = 0 ] && echo "all stopped cleanly"
exit $failed
