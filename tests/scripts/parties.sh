#!/usr/bin/env bash
# Real processes over TLS on loopback: certificates, dry run, computations, ledgers, refusals, kill.
# Usage: parties.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }
same() { [ "$2" = "$3" ] || { fail "$1: expected '$2', saw '$3'"; }; }

# Ports that nobody listens on.
ports=()
port=$((20000 + RANDOM % 20000))
while [ ${#ports[@]} -lt 3 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=("$port")
done

sites=(north south east)
for s in "${sites[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
same "mode of a key" 600 "$(stat -c %a north.key)"
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
study() { # K
  echo "study: joint"
  echo "columns: [{name: age, role: quasi-identifying}]"
  echo "privacy: [{model: k-anonymity, k: $1}]"
  echo "timeout: 300"
  echo "parties:"
  for i in 0 1 2; do
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:${ports[$i]}\", key: \"$(pin "${sites[$i]}".key)\"}"
  done
}
study 2 >s.yaml
"$kith" study check s.yaml --quiet || fail "the study is not right"

# all COMMAND…: every party runs `kith COMMAND… --as NAME --key FILE ${args_NAME}`; exit statuses in
# codes, output in NAME.out and NAME.err.
declare -A args=([north]="" [south]="" [east]="")
codes=""
all() {
  local pids=() s
  for s in "${sites[@]}"; do
    "$kith" "$@" --as "$s" --key "$s.key" --wait 10min --no-progress ${args[$s]} >"$s.out" 2>"$s.err" &
    pids+=($!)
  done
  codes=""
  for s in "${pids[@]}"; do wait "$s"; codes="$codes$?"; done
}
everywhere() { # WHAT EXPECTED
  same "$1: exit statuses" 000 "$codes"
  for s in "${sites[@]}"; do same "$1 at $s" "$2" "$(tr '\n' ' ' <"$s.out")"; cat "$s.err"; done
}

all party s.yaml --dry-run
same "dry run: exit statuses" 000 "$codes"
grep -q "yes: all parties are connected and hold the same study" south.out || fail "dry run: $(cat south.out south.err)"

args=([north]="-o north.d -- 1 2 -30" [south]="-o south.d -- 10 20 30" [east]="-o east.d -- 100 200 300")
all smc sum s.yaml
everywhere sum "111 222 300 "
args=([north]="1 1 0" [south]="1 0 0" [east]="1 1 0")
all smc and s.yaml; everywhere and "1 0 0 "
all smc or s.yaml; everywhere or "1 1 0 "
printf '5\n9\n40\n' >ages.txt
args=([north]="-i ages.txt" [south]="7" [east]="")
all smc max s.yaml --range 0:120; everywhere max "40 "
all smc min s.yaml --range 0:120; everywhere min "5 "
all smc median s.yaml --range 0:120; everywhere median "7 "
args=([north]="flu cough" [south]="flu" [east]="asthma")
all smc union s.yaml; everywhere union "asthma cough flu "

# Ledgers: private, and one party's account is the other's.
same "mode of a ledger" 600 "$(stat -c %a north.d/ledger.json)"
count() { # DIRECTORY PEER sent|received
  awk -v peer="\"$2\"" -v way="\"$3\":" '$1 == "\"peer\":" { on = index($2, peer) }
    $1 == way { in_way = 1 } $1 == "\"bytes\":" && in_way { if (on) sum += $2; in_way = 0 }
    END { print sum + 0 }' "$1/ledger.json"
}
for a in "${sites[@]}"; do
  for b in "${sites[@]}"; do
    [ "$a" = "$b" ] && continue
    same "bytes from $a to $b" "$(count "$a.d" "$b" sent)" "$(count "$b.d" "$a" received)"
    [ "$(count "$a.d" "$b" sent)" -gt 0 ] || fail "nothing was sent from $a to $b"
  done
done
grep -q "^  aggregate  sum: 3 values in 1 answer" north.d/ledger.txt || fail "ledger: $(cat north.d/ledger.txt)"
args=([north]="-o north.d 1" [south]="1" [east]="1")
"$kith" smc sum s.yaml --as north --key north.key -o north.d 1 2>err.txt
same "existing ledger: exit status" 2 $?
grep -q "north.d/ledger.json exists already" err.txt || fail "existing ledger: $(cat err.txt)"

# Other studies and commands are refused; the first key that differs is named.
study 3 >other.yaml
two() { # NORTH'S STUDY AND ARGUMENTS / SOUTH'S, for a study of these two
  "$kith" smc $1 --as north --key north.key --wait 10min --no-progress >north.out 2>north.err & local a=$!
  "$kith" smc $2 --as south --key south.key --wait 10min --no-progress >south.out 2>south.err & local b=$!
  wait $a; codes=$?; wait $b; codes="$codes$?"
}
for s in s other; do sed -i '/name: east/d' $s.yaml; done
two "sum s.yaml 1" "sum other.yaml 1"
same "another study: exit statuses" 33 "$codes"
same "another study" "kith: error: south does not agree with this party: privacy.0.k differs" "$(cat north.err)"
two "sum s.yaml 1" "and s.yaml 1"
same "another operation" "kith: error: north does not agree with this party: smc.operation differs" "$(cat south.err)"
two "sum s.yaml 1" "sum s.yaml 1 2"
same "another length" "kith: error: south does not agree with this party: smc.values differs" "$(cat north.err)"
two "sum s.yaml 1 --delay 200ms" "sum s.yaml 2 --delay 200ms --json"
same "delay: exit statuses" 00 "$codes"
awk -F'[:,]' '/"seconds"/ { exit !($2 >= 0.4) }' south.out || fail "delay: $(cat south.out)"

# A million bits between two processes.
for s in north south; do
  awk -v seed=$((${#s} + RANDOM)) -v s="$s" 'BEGIN { srand(seed + (s == "north")); for (i = 0; i < 1000000; i++) print int(2 * rand()) }' >"$s.bits"
done
two "and s.yaml -i north.bits" "and s.yaml -i south.bits"
same "a million bits: exit statuses" 00 "$codes"
paste -d' ' north.bits south.bits | awk '{ print $1 * $2 }' >expected.bits
cmp -s expected.bits north.out || fail "a million bits: north has another result"
cmp -s expected.bits south.out || fail "a million bits: south has another result"

# A party that is killed takes the others with it; they do not wait for a deadline.
"$kith" smc sum s.yaml --as north --key north.key --wait 10min 1 2>north.err & a=$!
KITH_STRUCK="KILL message 1" "$struck" smc sum s.yaml --as south --key south.key --wait 10min 1 2>south.err & b=$!
wait $b 2>/dev/null; same "killed: exit status of the victim" 137 $?
wait $a; same "killed: exit status" 3 $?
grep -q "lost the connection to south: .* (step" north.err || fail "killed: $(cat north.err)"

# Ctrl-C while waiting for the others.
set -m
"$kith" smc sum s.yaml --as north --key north.key 1 2>north.err & a=$!
until grep -q 'waiting for south' north.err; do sleep 0.05; done
kill -INT $a; wait $a; same "interrupted: exit status" 130 $?

[ $failed = 0 ] && echo "all parties agree"
exit $failed
