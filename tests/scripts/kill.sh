#!/usr/bin/env bash
# What happens to real processes: at several messages of a run one of three is killed (SIGKILL); others
# are stopped (SIGSTOP) or interrupted (SIGINT), also in long local work. The rest ends with its own exit status,
# names the one that failed and the step, and leaves no partial output; only one that is stopped is waited for.
# Usage: kill.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
. "$2/tests/helpers/strike.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
parties=(north south east)

make_keys
for s in "${parties[@]}"; do
  { echo "age,disease"; for i in $(seq 40); do echo "$((RANDOM % 100)),d$((i % 5))"; done; } >"$s.csv"
done
seq 1 2000 >many.txt
timeout=600 protocol=
study() {
  echo "study: joint"
  echo "columns:"
  echo "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 99]}}"
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 2}]"
  echo "partition: horizontal"
  echo "timeout: $timeout"
  echo "${protocol:+protocol: $protocol}"
  echo "parties:"
  for s in "${parties[@]}"; do
    free_port
    echo "  - {name: $s, address: \"127.0.0.1:$port\", key: \"$(pin "$s")\"}"
  done
}

# kills NAME COUNT ARGUMENT…: each party at COUNT of its messages.
kills() {
  local name=$1 count=$2 victim message
  shift 2
  whole "$@"
  for victim in 0 1 2; do
    for message in $(spread "$count" "${sent[$victim]}"); do
      place "$name.$victim.$message"
      aside kill_at "$name.$victim.$message" "${parties[$victim]}" "$message" "$@"
    done
  done
  echo "$name: ${sent[*]} messages"
  mv whole "whole.$name"
}
median=(smc median s.yaml --range 0:1000000 17 400 9000)

# The others need a sign of life from each other within this time, but no more than that.
timeout=20
place stop
aside strike stop south "STOP message 20" 137 "no message [a-z.]+ from [a-z]+ within 20 s|[a-z]+ ended the run: south failed" "${median[@]}"
timeout=600

# Ctrl-C in the middle of rounds, and while a party seals its own texts. A party looks for it a few times per
# second: messages are held back, so that the run is not over by then.
interrupted() { strike "$1" "$2" "$3" 130 "$2 ended the run: it was interrupted" "${@:4}"; }
place interrupt; aside interrupted interrupt east "INT message 5" "${median[@]}" --delay 100ms
place alone; aside interrupted alone north "INT poll 50" smc union s.yaml -i many.txt --delay 100ms

kills median 4 "${median[@]}"
kills weave 4 party s.yaml -i @.csv
protocol=mondrian kills mondrian 3 party s.yaml -i @.csv
wait
for s in north east; do
  grep -q 'from south\|waits for south\|: south failed' stop/$s.err || fail "stop: $s says $(cat stop/$s.err)"
done
[ ! -e failed ] && echo "whoever is killed, the others end well"
[ ! -e failed ]
