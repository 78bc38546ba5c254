# For shell tests with private PostgreSQL servers: their data and unix sockets are in a temporary directory, and they run as the
# user postgres when the test is run by root. All of them are stopped at the end.
# usage: . postgres.bash
# Sets work (the directory, which is removed at the end) and has functions for the server `main` and for others beside it.
work=$(mktemp -d /tmp/kith-postgres.XXXXXX) # a socket's path must be short
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb)")
servers=()

as_server() {
  if [ "$(id -u)" = 0 ]; then (cd "$work" && runuser -u postgres -- "$@"); else "$@"; fi
}
cleanup() {
  local s
  for s in "${servers[@]}"; do as_server "$bin/pg_ctl" -D "$work/$s.data" -m immediate stop >/dev/null 2>&1 || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
[ "$(id -u)" != 0 ] || chown postgres "$work"
chmod a+rx "$work"

# start_server NAME [SETTING=VALUE…]: the server has a port of its own, which is only the name of its socket.
start_server() {
  local name=$1 port=$((5432 + ${#servers[@]})) options="-c listen_addresses='' -c unix_socket_directories='$work' -c fsync=off" o
  shift
  for o; do options+=" -c $o"; done
  # What initdb makes takes a while: later servers have copies.
  [ -d "$work/new" ] || as_server "$bin/initdb" -D "$work/new" -U kith -A trust -E UTF8 --locale=C --no-sync >/dev/null
  as_server cp -r "$work/new" "$work/$name.data"
  servers+=("$name")
  printf 'local all guarded scram-sha-256\nlocal all all trust\n' >"$work/hba"
  as_server cp "$work/hba" "$work/$name.data/pg_hba.conf"
  as_server "$bin/pg_ctl" -D "$work/$name.data" -l "$work/$name.log" -w -o "$options -p $port" start >/dev/null ||
    { cat "$work/$name.log" >&2; exit 1; }
}
# The first server is meant unless its number is given: sql STATEMENT [NUMBER], uri TABLE [USER]
sql() { psql -q -At -v ON_ERROR_STOP=1 -h "$work" -p $((5432 + ${2:-0})) -U kith postgres -c "$1"; }
uri() { printf 'postgresql://%s@/postgres?host=%s&table=%s' "${2:-kith}" "$work" "$1"; }

# partition_over TABLE COLUMNS COUNT: a table that is partitioned by the hash of its first column over COUNT servers, which are
# started here; the first server has no rows of it, and asks the others.
partition_over() {
  local table=$1 columns=$2 count=$3 i first
  first=${columns%% *}
  sql "CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE TABLE $table ($columns) PARTITION BY HASH ($first)"
  for ((i = 0; i < count; i++)); do
    start_server "part$i"
    sql "CREATE TABLE $table ($columns)" $((i + 1))
    sql "CREATE SERVER part$i FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$work', port '$((5433 + i))', dbname 'postgres', use_remote_estimate 'true', fetch_size '5000');
      CREATE USER MAPPING FOR PUBLIC SERVER part$i OPTIONS (user 'kith', password_required 'false');
      CREATE FOREIGN TABLE ${table}_$i PARTITION OF $table FOR VALUES WITH (MODULUS $count, REMAINDER $i) SERVER part$i OPTIONS (table_name '$table')"
  done
}

fail() { echo "FAILED: $1" >&2; exit 1; }
# expect WHAT EXPECTED FOUND
expect() { [ "$2" = "$3" ] || { printf 'FAILED: %s\nexpected: %s\nfound:    %s\n' "$1" "$2" "$3" >&2; exit 1; }; }
# refused WHAT STATUS TEXT COMMAND…: the command must fail so and say this.
refused() {
  local what=$1 status=$2 text=$3 found=0
  shift 3
  "$@" >"$work/out" 2>"$work/err" || found=$?
  expect "$what: status" "$status" "$found"
  grep -qF -- "$text" "$work/err" || { cat "$work/err" >&2; fail "$what: no '$text'"; }
}
