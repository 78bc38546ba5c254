#!/usr/bin/env bash
# Ctrl-C while a PostgreSQL server is waited for: kith ends with 130 and leaves nothing, and the server drops the statement. What a
# search has found when it is interrupted is still written. The test waits for what it sees in the server, never for a time.
# usage: postgres_interrupt.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 struck=$3/tests/kith_struck
. "$2/tests/helpers/postgres.bash"
set -m # otherwise the shell makes processes in the background ignore SIGINT
start_server main

sql "CREATE TABLE people AS SELECT i AS id, 20 + i * 7919 % 60 AS age, 10000 + i * 31 % 97 AS zip, 'd' || i % 7 AS illness FROM generate_series(1, 20000) i;
  ALTER TABLE people ADD PRIMARY KEY (id); CREATE TABLE old AS SELECT 'before' AS age;
  CREATE VIEW slow AS SELECT people.* FROM people, (SELECT pg_sleep(600) OFFSET 0) s"
study() { # MEMORY
  cat <<END_OF_STUDY
study: people
memory: $1
piece: 2000
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: illness, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
END_OF_STUDY
}
study 1GB >"$work/memory.yaml"
sed '/^memory/d' "$work/memory.yaml" >"$work/plain.yaml"
study 1MB >"$work/disk.yaml" # less than the rows need

# How many connections of kith are there, and are at work?
connected() { sql "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'psql' AND $1"; }
until_connected() { until [ "$(connected "$2")" = "$1" ]; do alive; sleep 0.02; done; }
alive() { [ -z "${job:-}" ] || kill -0 "$job" 2>/dev/null || { cat "$work/err" >&2; fail "$what: it has ended before"; }; }
ended() { # how the process ends that was interrupted
  local status=0
  wait "$job" 2>/dev/null || status=$?
  job=
  expect "$what: status" 130 $status
  expect "$what: message" "kith: interrupted" "$(cat "$work/err")"
  until_connected 0 true
  expect "$what: tables" "$tables" "$(names)"
  expect "$what: the old table" before "$(sql 'SELECT age FROM old')"
}
names() { sql "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"; }
# stopped WHAT CONDITION ARGUMENT…: kith is interrupted when a statement of it is seen for which the condition holds
stopped() {
  what=$1
  local condition=$2
  shift 2
  "$kith" "$@" --no-progress >"$work/out" 2>"$work/err" & job=$!
  until_connected 1 "state = 'active' AND $condition"
  kill -INT $job
  ended
}
tables=$(names)
sleeping="wait_event = 'PgSleep'" locked="wait_event_type = 'Lock'"

stopped "rows of a view" "$sleeping" anonymize "$work/plain.yaml" -i "$(uri slow)" -o "$(uri new)"
stopped "a release" "$sleeping" verify "$work/memory.yaml" "$(uri slow)"
stopped "description" "$sleeping" describe "$(uri slow)"
stopped "rows to be counted" "$sleeping" anonymize "$work/memory.yaml" -i "$(uri slow)" -o "$(uri new)" --memory 1MB

# lock TABLE MODE: another session holds the lock until its input, which is descriptor 8, ends.
lock() {
  mkfifo "$work/session"
  psql -q -h "$work" -U kith postgres <"$work/session" >/dev/null & session=$!
  exec 8>"$work/session"
  rm "$work/session"
  echo "BEGIN; LOCK TABLE $1 IN $2 MODE;" >&8
  until [ "$(sql "SELECT count(*) FROM pg_locks WHERE relation = '$1'::regclass AND granted AND mode = '${3}'")" = 1 ]; do sleep 0.02; done
}
unlock() { exec 8>&-; wait $session; }
lock people 'ACCESS EXCLUSIVE' AccessExclusiveLock
for engine in memory disk; do
  stopped "a table that is locked, $engine" "$locked" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri new)"
done
stopped "a table that is locked, describe" "$locked" describe "$(uri people)"
unlock
# Whoever reads the table that is to be replaced keeps it from being dropped.
lock old 'ACCESS SHARE' AccessShareLock
for engine in memory disk; do
  stopped "a table that is being read, $engine" "$locked" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri old)" --force
done
unlock

# A server that takes no rows: its process is stopped when kith is about to write, and goes on when kith has ended.
what="a server that does not read"
KITH_STRUCK="STOP write 1" "$struck" anonymize "$work/memory.yaml" -i "$(uri people)" -o "$(uri new)" --no-progress >"$work/out" 2>"$work/err" & job=$!
state() { local line; line=$(cat "/proc/$job/stat"); line=${line##*) }; echo "${line%% *}"; }
until [ "$(state)" = T ]; do alive; sleep 0.02; done
server=$(sql "SELECT pid FROM pg_stat_activity WHERE query LIKE 'COPY%FROM STDIN'")
as_server kill -STOP "$server"
kill -CONT $job
until [ "$(state)" = S ]; do alive; sleep 0.02; done # it waits for the server; had it not begun to, it would end as well
kill -INT $job
status=0
wait $job 2>/dev/null || status=$?
as_server kill -CONT "$server"
expect "$what: status" 130 $status
job=
until_connected 0 true
expect "$what: tables" "$tables" "$(names)"

# A server that does not answer at all.
what="a server that is silent"
python3 - "$work/.s.PGSQL.6000" "$work/came" <<'END' & silent=$!
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen()
for caller in 1, 2:
    connection = s.accept()[0]
    open(sys.argv[2], "w").close()
    while connection.recv(1000):
        pass
END
until [ -S "$work/.s.PGSQL.6000" ]; do sleep 0.02; done
"$kith" describe "$(uri people)&port=6000" --no-progress >"$work/out" 2>"$work/err" & job=$!
until [ -e "$work/came" ]; do alive; sleep 0.02; done
kill -INT $job
ended
# Who says how long the connection may take is heard.
refused "a server that is silent for too long" 5 "timeout expired" "$kith" describe "$(uri people)&port=6000&connect_timeout=2"
wait $silent

# A search that is interrupted has a release, and it is written.
for engine in memory disk; do
  for phase in 'grow 1' 'weave 2'; do
    KITH_STRUCK="INT $phase" "$struck" anonymize "$work/$engine.yaml" -i "$(uri people)" -o "$(uri kept)" --force --json --quiet >"$work/out" 2>"$work/err" ||
      fail "interrupted search, $engine, $phase: $(cat "$work/err")"
    grep -q '"interrupted":[[:space:]]*true' "$work/out" || fail "interrupted search, $engine, $phase: not said"
    "$kith" verify "$work/$engine.yaml" "$(uri kept)" --quiet || fail "interrupted search, $engine, $phase: does not verify"
  done
done
