#!/usr/bin/env bash
# A table of a private PostgreSQL server by way of the disk, under a limit of memory, beside the same table in memory without one.
#   bench/postgres_memory.sh BUILD ROWS LIMIT_KB [alone]    bench/postgres_memory.sh build/release 20000000 200000
# With `alone` the run in memory is left out.
set -eu
kith=$(realpath "$1")/kith; rows=$2; limit=$3; alone=${4:-}
# shellcheck source=tests/helpers/postgres.bash
. "$(dirname "$0")/../tests/helpers/postgres.bash"
start_server main work_mem=64MB maintenance_work_mem=256MB max_wal_size=8GB
sql "CREATE TABLE people AS SELECT i AS id, 18 + (random() * random() * 70)::int AS age, (random() * 31)::int AS town,
  (random() * random() * 15)::int AS job, (random() * 1)::int AS sex, (random() * 19)::int AS illness
  FROM generate_series(1, $rows) i; ALTER TABLE people ADD PRIMARY KEY (id); ANALYZE people"
cat >"$work/study.yaml" <<'STUDY'
study: people
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20, 40]}}
  - {name: town, role: quasi-identifying, type: integer, hierarchy: {intervals: [4, 16]}}
  - {name: job, role: quasi-identifying, type: integer, hierarchy: {intervals: [4, 8]}}
  - {name: sex, role: quasi-identifying, hierarchy: suppress}
  - {name: illness, role: sensitive}
privacy:
  - {model: k-anonymity, k: 10}
  - {model: l-diversity, variant: distinct, l: 3, attribute: illness}
effort: quick
STUDY
sed '$a memory: 100MB' "$work/study.yaml" >"$work/disk.yaml"
TIMEFORMAT='%R s; of a processor kith %U s and %S s of the system'
# Processor time of all processes of the server that have ended, in hundredths of a second: kith's are among them when it has.
served() {
  until [ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")" = 1 ]; do sleep 0.1; done
  as_server head -n 1 "$work/main.data/postmaster.pid" | { read -r pid; sed 's/.*) //' "/proc/$pid/stat"; } | awk -v hz="$(getconf CLK_TCK)" '{ printf "%d", ($14 + $15) * 100 / hz }'
}
# run NAME STUDY TABLE
run() {
  local before
  before=$(served)
  { time "$kith" anonymize "$work/$2.yaml" -i "$(uri people)&order=id" -o "$(uri "$3")" --seed 5 --threads 1 --json --quiet \
    >"$work/$3.json"; } 2>"$work/time" || { cat "$work/time" >&2; exit 1; }
  echo " and the server $(awk -v n=$(($(served) - before)) 'BEGIN { printf "%.1f s", n / 100 }')" >>"$work/time"
  python3 -c '
import json, sys
d = json.load(open(sys.argv[2]))
print("%s: %s, %.0f MB, %d classes, lm %.6f" % (sys.argv[1], open(sys.argv[3]).read().replace("\n", ""), d["peak_rss_bytes"] / 1e6, d["classes"], d["loss"]["lm"]))' \
    "$1" "$work/$3.json" "$work/time"
}
(ulimit -v "$limit"; run "from the disk, at most $limit kB" disk by_disk)
[ -z "$alone" ] || exit 0
run "in memory" study in_memory
expect "rows that differ" 0 "$(sql 'SELECT count(*) FROM (SELECT * FROM by_disk EXCEPT ALL SELECT * FROM in_memory) d')"
echo "the same rows"
