#!/usr/bin/env bash
# A joint run on columns among three processes, then the same with one of them killed at a dozen
# moments, from the matching of identifiers to the release: the others end long before their deadline,
# name the one that is gone, and leave no release. Usage: kill_columns.sh KITH …
set -u
kith=$(readlink -f "$1")
. "$(dirname "$(readlink -f "$0")")/../helpers/meeting.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sites=(north south east)
fail() { echo "FAILED: $*"; touch failed; }

for s in "${sites[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
"$kith" generate hospital -n 200 --seed 1 -o all.csv --quiet || exit 1
columns() { # NAME…: these columns of all.csv, rows in an order of their own
  awk -F, -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i }
    { line = $(at[want[1]]); for (i = 2; i <= n; i++) line = line "," $(at[want[i]]); print line }' all.csv |
    { IFS= read -r head; echo "$head"; sort -R; }
}
columns pid age sex zip >north.csv
columns job insurance pid >south.csv
columns disease site pid >east.csv
held=("[age, sex, zip]" "[job, insurance]" "[site, disease]")

port=$((26000 + $$ % 3000 + RANDOM % 3000)) # below those that the system gives away
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}
study() {
  echo "study: columns"
  echo "columns:"
  for c in age sex zip job insurance site; do echo "  - {name: $c, role: quasi-identifying}"; done
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 5}, {model: l-diversity, variant: distinct, l: 2, attribute: disease}]"
  echo "partition: vertical"
  echo "ids: pid"
  echo "max_passes: 4"
  echo "timeout: 120"
  echo "parties:"
  for i in 0 1 2; do
    free_port
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:$port\", key: \"$(pin "${sites[$i]}.key")\", columns: ${held[$i]}}"
  done
}

delay=40 # of every message, in milliseconds
# start CASE: all three with CASE.yaml, their numbers in pids.
start() {
  pids=()
  for s in "${sites[@]}"; do
    "$kith" party "$1.yaml" --as "$s" --key "$s.key" -i "$s.csv" -o "$1.$s.d" --wait 120s --delay ${delay}ms \
      --threads 1 --no-progress --quiet >"$1.$s.out" 2>"$1.$s.err" &
    pids+=($!)
  done
}

study >whole.yaml
start whole
for i in 0 1 2; do wait "${pids[$i]}" || fail "the whole run: $(cat "whole.${sites[$i]}.err")"; done
# Messages follow one another in so many rounds, and each is delayed: no run takes less, in milliseconds.
rounds=$(sed -n 's/.*"rounds":[[:space:]]*\([0-9]*\).*/\1/p' whole.north.d/summary.json)
least=$((rounds * delay))
"$kith" verify whole.yaml whole.north.d/release.csv --quiet || fail "the release does not verify"
head -1 whole.north.d/release.csv | grep -q pid && fail "the identifier was released"
cmp -s whole.north.d/release.csv whole.east.d/release.csv || fail "two releases"

# strike CASE VICTIM MILLISECONDS: kills the victim so long after all have met. Unless the run was over, the
# others end with 3 and say who is gone.
strike() {
  local case=$1 victim=$2 pids code
  start "$case"
  met "$case.yaml" "${pids[0]}" || fail "$case: the run ended before all had met: $(cat "$case".*.err)"
  sleep "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')"
  for i in 0 1 2; do [ "${sites[$i]}" = "$victim" ] && kill -KILL "${pids[$i]}" 2>/dev/null; done
  local struck=$SECONDS
  for i in 0 1 2; do
    s=${sites[$i]}
    wait "${pids[$i]}" 2>/dev/null; code=$?
    [ "$s" = "$victim" ] && continue
    [ $((SECONDS - struck)) -le 60 ] || fail "$case: $s took $((SECONDS - struck)) s"
    if [ $code = 0 ]; then
      [ -f "$case.$s.d/release.csv" ] || fail "$case: $s is done without a release"
      continue
    fi
    [ $code = 3 ] || fail "$case: exit status $code at $s: $(cat "$case.$s.err")"
    grep -q "^kith: error: .*$victim" "$case.$s.err" || fail "$case: $s says $(cat "$case.$s.err")"
    ls -A "$case.$s.d" 2>/dev/null | grep -v '^ledger' && fail "$case: $s left files"
  done
}
for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
  study >"kill$k.yaml"
  strike "kill$k" "${sites[$((k % 3))]}" $((least * (2 * k + 3) / 28)) 2>/dev/null &
  [ $((k % 6)) = 5 ] && wait
done
struck=$(cat kill*.err | grep -c '^kith: error')
[ "$struck" -ge 12 ] || fail "only $struck parties saw another go"
steps=$(cat kill*.err | sed -n 's/^kith: error: .*(step \([a-z.]*\)).*/\1/p' | sort -u | wc -l)
[ "$steps" -ge 2 ] || fail "all in one step: $(cat kill*.err)"
[ -e failed ] && exit 1
echo "killed in $steps steps"
