#!/usr/bin/env bash
# A joint run by the ID-based protocol between two processes, then the same with one of them killed when
# it has used a certain part of the processor time of a whole run, from connecting to the release:
# the other one ends long before its deadline, names the one that is gone, and neither leaves a release.
# Usage: kill_id_based.sh KITH …
set -u
kith=$(readlink -f "$1")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sites=(north south)
fail() { echo "FAILED: $*"; touch failed; }

for s in "${sites[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
rows() { # FIRST: 26 rows of five tuples, one of which is rare
  echo sex,age,disease
  for i in $(seq 0 24); do echo "$((i % 2)),$((i % 2 * 10 + i % 4 / 2)),ill$((i % 3))"; done
  echo "0,$1,ill9"
}
rows 41 >north.csv
rows 42 | sed 2d >south.csv

port=$((18000 + $$ % 2000 + RANDOM % 2000)) # below those that the system gives away
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}
study() {
  echo "study: ids"
  echo "columns: [{name: sex, role: quasi-identifying}, {name: age, role: quasi-identifying}, {name: disease, role: sensitive}]"
  echo "privacy: [{model: k-anonymity, k: 3}]"
  printf 'protocol: id-based\nlists: 6\ntimeout: 120\nparties:\n'
  for s in "${sites[@]}"; do
    free_port
    echo "  - {name: $s, address: \"127.0.0.1:$port\", key: \"$(pin "$s.key")\"}"
  done
}

# start CASE WAIT: both with CASE.yaml, their numbers in pids. Every message is held back a little, so that
# no step is over before it can be seen.
start() {
  pids=()
  for s in "${sites[@]}"; do
    "$kith" party "$1.yaml" --as "$s" --key "$s.key" -i "$s.csv" -o "$1.$s.d" --wait "$2" --delay 40ms \
      --threads 1 --no-progress --quiet >"$1.$s.out" 2>"$1.$s.err" &
    pids+=($!)
  done
}

# used PID: nanoseconds of processor time that the process has used so far; nothing if it is gone. It goes
# on as the work does, however busy the machine is.
used() {
  local time
  read -r time _ 2>/dev/null <"/proc/$1/schedstat" && echo "$time"
}

study >whole.yaml
start whole 120s
all=(0 0)
while [ -n "$(jobs -rp)" ]; do # what is read last is the whole
  for i in 0 1; do time=$(used "${pids[$i]}"); all[i]=${time:-${all[$i]}}; done
  sleep 0.01
done
for i in 0 1; do wait "${pids[$i]}" || fail "the whole run: $(cat "whole.${sites[$i]}.err")"; done
"$kith" verify whole.yaml whole.north.d/release.csv --quiet || fail "the release does not verify"
cmp -s whole.north.d/release.csv whole.south.d/release.csv || fail "two releases"
grep -q '41\|42' whole.north.d/release.csv && fail "a rare value was released"
[ "${all[0]}" -gt 0 ] && [ "${all[1]}" -gt 0 ] || { fail "no processor time: ${all[*]}"; exit 1; }

# strike CASE VICTIM TIME: kills the victim, 0 or 1, when it has used so much. Unless the run was over,
# the other ends with 3 and says who is gone.
strike() {
  local case=$1 victim=$2 pids time code other=$((1 - $2))
  start "$case" $([ "$3" = 1 ] && echo 5s || echo 60s) # one that never calls is waited for so long
  while time=$(used "${pids[$victim]}") && [ "$time" -lt "$3" ]; do sleep 0.01; done
  kill -KILL "${pids[$victim]}" 2>/dev/null
  local struck=$SECONDS
  wait "${pids[$victim]}" 2>/dev/null
  wait "${pids[$other]}" 2>/dev/null; code=$?
  [ $((SECONDS - struck)) -le 60 ] || fail "$case: ${sites[$other]} took $((SECONDS - struck)) s"
  if [ $code = 0 ]; then
    [ -f "$case.${sites[$other]}.d/release.csv" ] || fail "$case: done without a release"
    return
  fi
  [ $code = 3 ] || fail "$case: exit status $code: $(cat "$case.${sites[$other]}.err")"
  grep -q "^kith: error: .*${sites[$victim]}" "$case.${sites[$other]}.err" ||
    fail "$case: ${sites[$other]} says $(cat "$case.${sites[$other]}.err")"
  ls -A "$case.${sites[$other]}.d" 2>/dev/null | grep -v '^ledger' && fail "$case: files were left"
  [ -e "$case.${sites[$victim]}.d/release.csv" ] && fail "$case: the victim has a release"
  return 0
}
# Thousandths of a whole run. Most are early: on a machine that is less busy now than during the whole run
# the same work takes less time, and a late moment may never come.
moments=(0 30 60 90 120 160 200 250 300 350 400 450 500 600 750 900)
for k in "${!moments[@]}"; do
  study >"kill$k.yaml"
  victim=$((k % 2))
  strike "kill$k" $victim $((all[victim] * moments[k] / 1000 + 1)) 2>/dev/null &
  [ $((k % 4)) = 3 ] && wait
done
struck=$(cat kill*.err | grep -c '^kith: error')
[ "$struck" -ge 6 ] || fail "only $struck parties saw the other go"
steps=$(cat kill*.err | sed -n 's/^kith: error: .*(step \([a-z ]*\)).*/\1/p' | sort -u)
[ "$(wc -l <<<"$steps")" -ge 3 ] || fail "killed in: $steps"
[ -e failed ] && exit 1
echo "killed in: $(tr '\n' ',' <<<"$steps")"
