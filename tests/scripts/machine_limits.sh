#!/usr/bin/env bash
# A machine that refuses something: streams that are closed or full, readers that have gone, files that may not
# grow, a full disk, a directory that cannot be written, little memory. Every command ends with its result or with
# one message and exit status 5; files are complete or not there, and nothing temporary is left.
# Usage: machine_limits.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out" "$work/tmp"
cd "$work" || exit 1
export TMPDIR=$work/tmp
failed=0
fail() { echo "FAILED: $*"; failed=1; }

"$kith" generate hospital -n 2000 --seed 1 -o p.csv --quiet
"$kith" anonymize p.study.yaml -i p.csv -o r.csv --summary r.json --seed 1 --quiet
head -n 40 p.csv >few.csv
cat >s.yaml <<'STUDY'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
STUDY

# ended NAME STATUSES: how the last command ended; its status is in `status`, what it said in `err`.
ended() {
  local messages
  messages=$(grep -c '^kith: error: ' err)
  [[ " $2 " == *" $status "* ]] || fail "$1: exit status $status: $(cat err)"
  [ "$status" != 5 ] || [ "$messages" = 1 ] || fail "$1: $messages messages: $(cat err)"
  [ "$status" = 5 ] || [ "$messages" = 0 ] || fail "$1: exit status $status, but $(cat err)"
  [ -z "$(find . -name '.*.kith-*')$(ls -A tmp)" ] || fail "$1: left $(find . -name '.*.kith-*') $(ls -A tmp)"
}

# Commands that write files into the directory $1, one line each: what they leave there if they succeed, and
# arguments.
writers() {
  cat <<LINES
new.csv generate hospital -n 2000 --seed 1 -o $1/new.csv
r.csv anonymize p.study.yaml -i p.csv -o $1/r.csv --seed 1
t.db anonymize p.study.yaml -i p.csv -o sqlite:$1/t.db?table=t --seed 1
age.csv hierarchy build intervals:2,4,8 -i p.csv --column age -o $1/age.csv
x.yaml study init p.csv -o $1/x.yaml
s.json verify p.study.yaml r.csv --summary $1/s.json
s.json measure p.study.yaml p.csv r.csv --summary $1/s.json
r.html report r.json --release r.csv -o $1/r.html
n.key cert init north -o $1/n.key
run/release.csv simulate s.yaml -i few.csv --sites 2 -o $1/run --in-process --no-progress --seed 1
LINES
}
# Complete or not there: a table has its last line, a page its end.
judge_files() { # NAME DIRECTORY MAIN FILE
  local f
  while IFS= read -r f; do
    case $f in
    *.csv | *.yaml | *.json | *.key | *.txt) [ -z "$(tail -c 1 "$f")" ] && [ -s "$f" ] || fail "$1: $f is not complete" ;;
    *.html) tail -n 2 "$f" | grep -q '</html>' || fail "$1: $f is not complete" ;;
    *-journal | *-wal) fail "$1: left $f" ;;
    esac
  done < <(find "$2" -type f)
  [ "$status" != 0 ] || [ -e "$2/$3" ] || fail "$1: succeeded without $3"
  [ "$status" = 0 ] || [ ! -e "$2/$3" ] || fail "$1: failed, but left $3"
}

# Printers, and what they print must not get into any file.
for stream in '>&-' '>/dev/full'; do
  for words in 'describe p.csv' 'study check p.study.yaml p.csv' 'study digest p.study.yaml' 'verify p.study.yaml r.csv' \
    'measure p.study.yaml p.csv r.csv' 'hierarchy show hierarchies/hospital-job.csv' 'anonymize --help' '--help' \
    'anonymize p.study.yaml -i p.csv -o - --seed 1' 'study init p.csv -o -' 'try s.yaml -i few.csv --set k=2,3' \
    'estimate s.yaml -i few.csv --sites 2 --no-progress'; do
    eval "$kith $words $stream 2>err"; status=$?
    ended "kith $words $stream" 5
    grep -q 'standard output' err || fail "kith $words $stream: $(cat err)"
  done
done
for streams in '>&-' '2>&- >/dev/null' '<&- >&- 2>&-' '>/dev/full'; do
  touch err
  eval "$kith anonymize p.study.yaml -i p.csv -o out/r.csv --seed 1 $streams" 2>err; status=$?
  cmp -s r.csv out/r.csv || fail "$streams: the release has other bytes"
  rm -rf out/*
done

# A reader that goes away after one line.
for words in 'anonymize p.study.yaml -i p.csv -o - --seed 1' 'describe p.csv' 'study init p.csv -o -' 'anonymize --help'; do
  # shellcheck disable=SC2086
  { "$kith" $words 2>err; echo $? >status; } | head -n 1 >/dev/null
  status=$(cat status)
  ended "kith $words | head -n 1" '0 5'
done

# Files that may not grow beyond 1 KiB.
while read -r main words; do
  # shellcheck disable=SC2086
  (ulimit -f 1; "$kith" $words >/dev/null 2>err </dev/null); status=$?
  ended "ulimit -f: kith $words" '0 5'
  judge_files "ulimit -f: kith $words" out "$main"
  rm -rf out/*
done < <(writers out)

# Less and less memory, down to what the program itself needs.
for limit in 400000 200000 100000 60000 50000 40000 36000 33000 30000 28000 26000 25000 24000; do
  (ulimit -v $limit; "$kith" --version >/dev/null 2>&1) || break
  for words in 'anonymize p.study.yaml -i p.csv -o out/r.csv --seed 1 --threads 1' 'measure p.study.yaml p.csv r.csv --threads 1' \
    'generate hospital -n 2000 -o out/g.csv' 'cert init north -o out/n.key' 'report r.json --release r.csv -o out/r.html' \
    'simulate s.yaml -i few.csv --sites 2 -o out/run --in-process --no-progress'; do
    # shellcheck disable=SC2086
    (ulimit -v $limit; "$kith" $words >/dev/null 2>err); status=$?
    ended "ulimit -v $limit: kith $words" '0 5'
    rm -rf out/*
  done
done

# A full disk and one that cannot be written, where this user may mount one.
if unshare -rm mount -t tmpfs -o size=64k none "$work/out" 2>/dev/null; then
  for disk in 0 1 3 read-only; do
    while read -r main words; do
      # shellcheck disable=SC2086
      unshare -rm bash -c '
        mount -t tmpfs -o size=64k none "$1/out" || exit 98
        case $2 in
        read-only) mount -o remount,ro "$1/out" ;;
        *) dd if=/dev/zero of="$1/out/filler" bs=4096 count=$((16 - $2)) 2>/dev/null ;;
        esac
        "$4" ${*:5} >/dev/null 2>err </dev/null; status=$?
        rm -f "$1/out/filler"; mkdir "$1/seen"; cp -a "$1/out/." "$1/seen"; exit $status' \
        - "$work" "$disk" - "$kith" $words
      status=$?
      ended "disk $disk: kith $words" '0 5'
      [ "$disk" != read-only ] || [ "$status" = 5 ] || fail "read-only: kith $words: exit status $status"
      judge_files "disk $disk: kith $words" seen "$main"
      rm -rf seen
    done < <(writers out)
  done
else
  echo "skipped: no file system can be mounted here"
fi
exit $failed
