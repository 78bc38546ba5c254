#!/usr/bin/env bash
# Processes that hold keys: `kith party` and `kith smc` write no core dump, neither to a file nor to a program
# (/proc/sys/kernel/core_pattern), and texts of other parties reach a terminal only in a plain form.
# Usage: secrecy.sh KITH …
set -u
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp "$(readlink -f "$1")" "$work/kith" || exit 1
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

port=$((18000 + $$ % 6000))
for s in north south; do ./kith cert init $s -o $s.key --quiet || exit 1; done
{
  printf 'study: secret\ncolumns: [{name: age, role: quasi-identifying}]\n'
  printf 'privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\nparties:\n'
  for s in north south; do
    port=$((port + 1))
    while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
    echo "  - {name: $s, address: \"127.0.0.1:$port\", $(./kith cert show $s.key | grep '^key')}"
  done
} >s.yaml
first=$(printf '%04X' $((port - 1)))
printf 'age\n1\n2\n3\n' >north.csv

# Root may look into every process, so that its own show nothing: they run as somebody else.
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chown -R 65534:65534 . && chmod 755 .
fi
listens() { awk -v port=":$first" '$2 ~ port "$" && $4 == "0A" { found = 1 } END { exit !found }' /proc/net/tcp; }

# dumps NAME COMMAND…: aborts a party that waits for another.
dumps() {
  local name=$1 pid code
  shift
  (ulimit -c unlimited 2>/dev/null; exec "${as[@]}" ./kith "$@" --as north --key north.key --quiet) 2>"$name.err" &
  pid=$!
  until listens; do
    kill -0 $pid 2>/dev/null || { fail "$name ended: $(cat "$name.err")"; return; }
    sleep 0.05
  done
  grep -q '^Max core file size  *0  *0 ' /proc/$pid/limits || fail "$name: $(grep core /proc/$pid/limits)"
  # The files in /proc of a process that may not be dumped belong to root.
  [ "$(stat -c %u /proc/$pid/environ)" = 0 ] || fail "$name: can be dumped"
  kill -ABRT $pid; wait $pid 2>/dev/null; code=$?
  [ $code = 134 ] || fail "$name ended with $code"
  ls core* 2>/dev/null && fail "$name: left a core"
}
dumps party party s.yaml -i north.csv -o out
dumps smc smc sum s.yaml 17

# A text that would colour the terminal of the other party.
./kith smc union s.yaml --as south --key south.key "$(printf 'red \033[31mtext')" >/dev/null 2>south.err & pid=$!
script -qec './kith smc union s.yaml --as north --key north.key --no-progress plain' shown >/dev/null </dev/null
wait $pid || fail "south: $(cat south.err)"
grep -qF 'red \x1b[31mtext' shown || fail "not shown: $(cat -v shown)"
grep -q $'\033' shown && fail "an escape reached the terminal"

[ $failed = 0 ] && echo "keys and terminals are safe"
exit $failed
