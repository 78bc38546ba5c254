#!/usr/bin/env bash
# Ctrl-C and SIGTERM: exit status 130 and nothing written, or 0 with "interrupted": true and a
# release that verifies. Usage: interrupt.sh KITH …
set -u
kith=$(readlink -f "$1")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

"$kith" generate hospital -n 200000 --seed 1 -o p.csv --quiet || exit 1

# Job control gives background jobs their own signals; otherwise they would ignore SIGINT.
set -m
study=p.study.yaml
stop() { # SIGNAL SECONDS
  rm -f r.csv* s.json
  "$kith" anonymize "$study" -i p.csv -o r.csv --summary s.json --quiet 2>err.txt &
  local job=$! code
  sleep "$2"; kill -"$1" "$job" 2>/dev/null; wait "$job" 2>/dev/null; code=$?
  if [ $code = 130 ]; then
    # Nothing is said by a program that was stopped before it had well begun.
    case "$(cat err.txt)" in
      "kith: interrupted" | "") ;;
      *) fail "$1 after $2 s: said '$(cat err.txt)'" ;;
    esac
    ls r.csv* s.json 2>/dev/null | grep . && fail "$1 after $2 s: files were left behind"
  elif [ $code = 0 ]; then
    grep -q '"interrupted":[[:space:]]*true' s.json || fail "$1 after $2 s: not said in the summary"
    "$kith" verify "$study" r.csv --quiet || fail "$1 after $2 s: the release does not verify"
  else
    fail "$1 after $2 s: exit status $code"
  fi
}
stop INT 0.05 # perhaps before it has begun
stop INT 1
stop TERM 1
# A search of the lattice has its first node soon where everything may be suppressed.
study=lattice.yaml
sed '/^algorithm/d; /^effort/d; s/^utility:.*/utility:\n  suppression: 1/' p.study.yaml >$study
echo "algorithm: breadth-first" >>$study
stop INT 2

# A table of trials keeps the rows that are finished, and names the others.
"$kith" try p.study.yaml -i p.csv --set effort=quick,300 --no-progress >t.txt 2>err.txt & job=$!
sleep 4; kill -INT $job; wait $job 2>/dev/null; code=$?
[ $code = 130 ] || fail "try: exit status $code"
if grep -q '^  1  quick  *0\.' t.txt; then
  grep -q '^row 2 is missing: the run was interrupted' t.txt || fail "try: does not name the missing row"
elif ! grep -q interrupted err.txt t.txt; then
  fail "try: said neither a table nor why there is none"
fi

# Waiting for input that does not come.
rm -f r.csv* s.json; mkfifo pipe
"$kith" anonymize p.study.yaml -i - -o r.csv 2>err.txt <pipe & job=$!
exec 9>pipe; head -c 100000 p.csv >&9
sleep 0.3; kill -INT $job
for _ in $(seq 50); do kill -0 $job 2>/dev/null || break; sleep 0.1; done
kill -0 $job 2>/dev/null && { fail "does not stop while waiting for input"; kill -KILL $job; }
exec 9>&-
wait $job 2>/dev/null; code=$?
[ $code = 130 ] || fail "waiting for input: exit status $code"
ls r.csv* 2>/dev/null | grep . && fail "waiting for input: files were left behind"

[ $failed = 0 ] && echo "all stopped cleanly"
exit $failed
