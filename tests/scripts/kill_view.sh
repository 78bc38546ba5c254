#!/usr/bin/env bash
# A joint run by the encrypted view: two sites with columns of the same people, not all of whom both
# have, and a master without data, as processes. Then the same with one of them killed at the start and
# at nine moments after all have met: the others end long before their deadline, name the one that is
# gone, and leave no release. Usage: kill_view.sh KITH …
set -u
kith=$(readlink -f "$1")
. "$(dirname "$(readlink -f "$0")")/../helpers/meeting.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
parties=(north south judge)
fail() { echo "FAILED: $*"; touch failed; }

for s in "${parties[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
"$kith" generate hospital -n 300 --seed 1 -o all.csv --quiet || exit 1
columns() { # NAME…: these columns of all.csv, rows in an order of their own
  awk -F, -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i }
    { line = $(at[want[1]]); for (i = 2; i <= n; i++) line = line "," $(at[want[i]]); print line }' all.csv |
    { IFS= read -r head; echo "$head"; sort -R; }
}
columns pid age sex | head -n -7 >north.csv # seven people fewer
columns insurance pid disease >south.csv
held=(", columns: [age, sex]" ", columns: [insurance, disease]" "")

port=$((10000 + $$ % 2000 + RANDOM % 2000)) # below those that the system gives away
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}
study() {
  echo "study: view"
  echo "columns:"
  echo "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}"
  for c in sex insurance; do echo "  - {name: $c, role: quasi-identifying}"; done
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 3}]"
  printf 'partition: vertical\nprotocol: encrypted-view\nalgorithm: flash\nids: pid\ntimeout: 120\n'
  echo "parties:"
  for i in 0 1 2; do
    free_port
    echo "  - {name: ${parties[$i]}, address: \"127.0.0.1:$port\", key: \"$(pin "${parties[$i]}.key")\"${held[$i]}}"
  done
}

delay=300 # of every message, in milliseconds
# start CASE WAIT: all three with CASE.yaml, their numbers in pids.
start() {
  pids=()
  for s in "${parties[@]}"; do
    local data=(); [ "$s" = judge ] || data=(-i "$s.csv")
    "$kith" party "$1.yaml" --as "$s" --key "$s.key" "${data[@]}" -o "$1.$s.d" --wait "$2" --delay ${delay}ms \
      --threads 1 --no-progress --quiet >"$1.$s.out" 2>"$1.$s.err" &
    pids+=($!)
  done
}

study >whole.yaml
start whole 120s
for i in 0 1 2; do wait "${pids[$i]}" || fail "the whole run: $(cat "whole.${parties[$i]}.err")"; done
# Messages follow one another in so many rounds, and each is delayed: no run takes less, in milliseconds.
rounds=$(sed -n 's/.*"rounds":[[:space:]]*\([0-9]*\).*/\1/p' whole.north.d/summary.json)
least=$((rounds * delay))
"$kith" verify whole.yaml whole.north.d/release.csv --quiet || fail "the release does not verify"
[ "$(wc -l <whole.north.d/release.csv)" = 294 ] || fail "not the people that both have"
grep -q '"unmatched":[[:space:]]*7' whole.judge.d/summary.json || fail "seven are without partner"
[ -e whole.judge.d/release.csv ] && fail "the master has a release"
cmp -s whole.north.d/release.csv whole.south.d/release.csv || fail "two releases"
grep -qE '[0-9]{8}' whole.north.d/release.csv && fail "an identifier was released"

# strike CASE VICTIM MILLISECONDS: kills the victim so long after all have met, or without MILLISECONDS at
# once. Unless the run was over, the others end with 3 and say who is gone.
strike() {
  local case=$1 victim=$2 pids code
  if [ $# = 2 ]; then
    start "$case" 12s # one that has not called the others is waited for so long
  else
    start "$case" 120s
    met "$case.yaml" "${pids[0]}" || fail "$case: the run ended before all had met: $(cat "$case".*.err)"
    sleep "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')"
  fi
  for i in 0 1 2; do [ "${parties[$i]}" = "$victim" ] && kill -KILL "${pids[$i]}" 2>/dev/null; done
  local struck=$SECONDS
  for i in 0 1 2; do
    s=${parties[$i]}
    wait "${pids[$i]}" 2>/dev/null; code=$?
    [ "$s" = "$victim" ] && continue
    [ $((SECONDS - struck)) -le 60 ] || fail "$case: $s took $((SECONDS - struck)) s"
    if [ $code = 0 ]; then
      [ "$s" = judge ] || [ -f "$case.$s.d/release.csv" ] || fail "$case: $s is done without a release"
      continue
    fi
    [ $code = 3 ] || fail "$case: exit status $code at $s: $(cat "$case.$s.err")"
    grep -q "^kith: error: .*$victim" "$case.$s.err" || fail "$case: $s says $(cat "$case.$s.err")"
    ls -A "$case.$s.d" 2>/dev/null | grep -v '^ledger' && fail "$case: $s left files"
  done
}
study >killed.yaml
strike killed north 2>/dev/null &
for k in 0 1 2 3 4 5 6 7 8; do
  study >"kill$k.yaml"
  strike "kill$k" "${parties[$((k % 3))]}" $((least * (2 * k + 3) / 22)) 2>/dev/null &
  [ $((k % 3)) = 2 ] && wait
done
struck=$(cat kill*.err | grep -c '^kith: error')
[ "$struck" -ge 6 ] || fail "only $struck parties saw another go"
[ -e failed ] && exit 1
echo "seen by $struck parties in: $(cat kill*.err | sed -n 's/^kith: error: .*(step \([a-z.]*\)).*/\1/p' | sort | uniq -c | tr -s ' \n' ' ')"
