#!/usr/bin/env bash
# What happens to real processes: at a dozen moments of a run one of three is killed (SIGKILL); others
# are stopped (SIGSTOP) or interrupted (SIGINT), also in long local work. The rest ends long before its
# deadline with its own exit status, names the one that failed and the step, and leaves no partial output.
# Usage: kill.sh KITH …
set -u
kith=$(readlink -f "$1")
. "$(dirname "$(readlink -f "$0")")/../helpers/meeting.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sites=(north south east)
fail() { echo "FAILED: $*"; touch failed; }

for s in "${sites[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
pins=(); for s in "${sites[@]}"; do pins+=("$(pin "$s.key")"); done

port=$((14000 + $$ % 6000 + RANDOM % 6000))
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}
study() { # TIMEOUT [NAME [LINE…]]: ports of its own
  echo "study: ${2:-joint}"
  echo "columns:"
  echo "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 99]}}"
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 2}]"
  echo "partition: horizontal"
  echo "timeout: $1"
  printf '%s\n' "${@:3}"
  echo "parties:"
  for i in 0 1 2; do
    free_port
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:$port\", key: \"${pins[$i]}\"}"
  done
}

# run CASE SIGNAL VICTIM SECONDS COMMAND…: starts all three (@ in the command is the party's name), sends
# the signal to the victim so long after they have met, and judges the others. Every message is delayed,
# so that no run is over by then, however fast the machine. CASE.yaml is the study.
run() {
  local case=$1 signal=$2 victim=$3 delay=$4 s pids=() code hit
  shift 4
  set -m # else the shell makes background processes ignore SIGINT
  for s in "${sites[@]}"; do
    "$kith" "${@//@/$s}" --as "$s" --key "$s.key" --wait 120s --no-progress -o "$case.$s.d" \
      >"$case.$s.out" 2>"$case.$s.err" &
    pids+=($!)
  done
  for i in 0 1 2; do [ "${sites[$i]}" = "$victim" ] && hit=${pids[$i]}; done
  met "$case.yaml" "$hit" || fail "$case: $victim ended before all had met: $(cat "$case.$victim.err")"
  sleep "$delay"
  kill "-$signal" "$hit" || fail "$case: $victim had ended before $delay s: $(cat "$case.$victim.err")"
  local begun=$SECONDS
  for i in 0 1 2; do
    s=${sites[$i]}
    [ "$s" = "$victim" ] && continue
    wait "${pids[$i]}"; code=$?
    [ $code = 3 ] || fail "$case: exit status $code at $s"
    [ $((SECONDS - begun)) -le 60 ] || fail "$case: $s took $((SECONDS - begun)) s"
    [ -s "$case.$s.out" ] && fail "$case: $s printed something"
    grep -q "^kith: error: .*$victim.*(step [^)]*)" "$case.$s.err" || fail "$case: $s says $(cat "$case.$s.err")"
    for file in "$case.$s.d"/* "$case.$s.d"/.[!.]*; do
      case $file in
        */ledger.json) grep -q '"outcome":[[:space:]]*"failed"' "$file" || fail "$case: ledger of $s" ;;
        */ledger.txt | *'*'*) ;;
        *) fail "$case: $s left $file" ;;
      esac
    done
  done
  [ "$signal" = STOP ] && kill -KILL "$hit"
  wait "$hit" 2>/dev/null; code=$?
  [ "$signal" != INT ] || [ $code = 130 ] || fail "$case: $victim ended with $code"
  [ "$signal" != INT ] || grep -q "$victim ended the run: it was interrupted" "$case".*.err || fail "$case: not told"
}

# Ten seconds of rounds and more, of which the first two are enough: a dozen moments at a time.
# Every run has a study and data of its own: a party that was killed forgets what the others remember,
# and does not give the same data to two studies.
data() { # CASE: CASE.SITE.csv
  for s in "${sites[@]}"; do
    { echo "age,disease"; for i in $(seq 40); do echo "$((RANDOM % 100)),d$((i % 5))"; done; } >"$1.$s.csv"
  done
}
range="--range 0:1000000 --delay 80ms"
for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
  study 120 >"kill$k.yaml"
  moment=$(awk -v k=$k 'BEGIN { print 0.2 + 0.15 * k }')
  run "kill$k" KILL "${sites[$((k % 3))]}" "$moment" smc median "kill$k.yaml" $range 17 400 9000 2>/dev/null &
done
for k in 0 1 2 3 4 5 6 7; do
  study 120 "joint$k" >"joint$k.yaml"
  data "joint$k"
  moment=$(awk -v k=$k 'BEGIN { print 0.2 + 0.2 * k }')
  run "joint$k" KILL "${sites[$((k % 3))]}" "$moment" party "joint$k.yaml" -i "joint$k.@.csv" --delay 80ms 2>/dev/null &
done
for k in 0 1 2 3 4 5; do
  study 120 "split$k" "protocol: mondrian" >"split$k.yaml"
  data "split$k"
  moment=$(awk -v k=$k 'BEGIN { print 0.2 + 0.4 * k }')
  run "split$k" KILL "${sites[$((k % 3))]}" "$moment" party "split$k.yaml" -i "split$k.@.csv" --delay 80ms 2>/dev/null &
done
study 10 >stop.yaml # not less: on a busy machine the others need seconds to get that far
run stop STOP south 1 smc median stop.yaml $range 1 2 2>/dev/null &
study 120 >interrupt.yaml
run interrupt INT east 1 smc median interrupt.yaml $range 1 2 2>/dev/null &
seq 1 60000 >many.txt # sealing them takes each party some seconds
study 120 >alone.yaml
run alone INT north 1 smc union alone.yaml -i many.txt 2>/dev/null &
wait
[ ! -e failed ] && echo "whoever is killed, the others end well"
[ ! -e failed ]
