# Progress and Ctrl-C: a bar on a terminal (a pseudo terminal made by script(1)), one line per phase
# elsewhere, nothing with --quiet or --no-progress; interrupted work leaves no file. How long something has to
# last to be shown is in tests/unit/cli/test_progress.c; here the signal comes when it is shown.
set -eu
kith=$1
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "progress: $*" >&2; exit 1; }
endless="generate survey -n 100000000000 --threads 1"
set -m # otherwise the shell makes processes in the background ignore SIGINT

# said FILE PATTERN PID: waits until the file has a line like this; the process must not end before.
said() {
  until grep -q "$2" "$1" 2>/dev/null; do
    kill -0 "$3" 2>/dev/null || { cat "$1"; fail "ended without '$2'"; }
    sleep 0.05
  done
}
interrupt() { # PID: its status is left in $status
  kill -INT "$1"; status=0; wait "$1" || status=$?
  [ $status = 130 ] || fail "status $status instead of 130"
}

# Elsewhere: one line, and the interruption; more lines only if the work lasts much longer. Those that hide it
# have run for longer by then.
"$kith" $endless --quiet -o - >/dev/null 2>quiet & quiet=$!
"$kith" $endless --no-progress -o - >/dev/null 2>hidden & hidden=$!
"$kith" $endless -o - >/dev/null 2>err & shown=$!
said err '^kith: generate …$' $shown
for job in $quiet $hidden $shown; do interrupt $job; done
[ "$(head -1 err)" = 'kith: generate …' ] && [ "$(tail -1 err)" = 'kith: interrupted' ] || { cat err; fail "lines"; }
grep -v '^kith: generate.*…$\|^kith: interrupted$' err && fail "other lines"
for file in quiet hidden; do [ "$(cat $file)" = "kith: interrupted" ] || { cat $file; fail "not hidden"; }; done
rm err quiet hidden

# no partial file
"$kith" $endless -q -o x.csv 2>err & job=$!
until ls -A | grep -q 'x\.csv'; do kill -0 $job || fail "no file is begun"; sleep 0.05; done
interrupt $job
rm -f err
[ -z "$(ls -A)" ] || { ls -A; fail "something is left"; }

# a terminal
script -qec true probe >/dev/null 2>&1 </dev/null ||
  { echo "no pseudo terminals here: terminal not tested"; exit 0; }
script -qefc "echo \$\$ >number; exec '$kith' $endless -o - >/dev/null" seen >/dev/null </dev/null & job=$!
said seen 'generate      \[\.\{30\}\]   0%' $job
kill -INT "$(cat number)"; status=0; wait $job || status=$?
[ $status = 130 ] || fail "status $status on a terminal"
clear=$(printf '\r\033[K')
tr -d '\n' <seen | grep -qF "${clear}kith: interrupted" || { cat -v seen; fail "bar not cleared"; }
echo ok
