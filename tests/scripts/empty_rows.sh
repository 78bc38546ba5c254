#!/usr/bin/env bash
# Rows without any value, as spreadsheets leave them below a table, are left out and counted: by describe, study
# init and check, anonymize in memory and from the disk, verify, measure, simulations and parties of joint runs.
set -u
kith=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failed=0
fail() { echo "empty rows: $1"; failed=1; }

# The same records twice; in the second file with rows of nothing, or of words that mean missing.
python3 - <<'PYTHON'
import random
random.seed(1)
rows = [f"{i};{random.choice('mf')};{random.randint(20, 60)};{random.choice('abc')}" for i in range(1, 61)]
def write(name, rows):
    open(name, "w").write("pid;sex;age;dx\n" + "".join(r + "\n" for r in rows))
write("full.csv", rows)
write("holes.csv", rows[:3] + [";;;"] + rows[3:30] + [";k.A.;;"] + rows[30:] + [";;;", ";;;"])
write("north.csv", rows[:30] + [";;;"])
write("south.csv", ["; ;;"] + rows[30:] + [";k.A.;;"])
# With an identifier a row is not empty where sites find each other's rows by it.
open("people.csv", "w").write("pid;sex;age\n" + "".join(";".join(r.split(";")[:3]) + "\n" for r in rows) + "61;;\n;;\n")
open("cases.csv", "w").write("pid;dx\n" + "".join(r.split(";")[0] + ";" + r.split(";")[3] + "\n" for r in rows) + ";\n61;a\n")
PYTHON
cat >s.yaml <<'END'
study: s
columns:
  - {name: sex, role: quasi-identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  - {name: dx, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
missing_values: ["", "k.A."]
trim: true
END
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(*(d.get(k) for k in sys.argv[1:]))' "$@"; }

"$kith" describe holes.csv | grep -q '^3 rows without any value are left out$' || fail "describe"
[ "$("$kith" describe holes.csv s.yaml --json | json records empty)" = "60 4" ] || fail "describe with a study"
"$kith" study init holes.csv | grep -q '61 records' || fail "study init"
"$kith" study check s.yaml holes.csv -q 2>&1 | grep -q 'holes.csv:5: 4 rows without any value are left out' || fail "study check"
sed 's/k: 3/k: 61/' s.yaml >large.yaml
"$kith" study check large.yaml holes.csv -q 2>&1 | grep -q 'holes.csv has 60 records' || fail "study check counts them"

# A study that rejects missing values has nothing to reject.
for study in s.yaml reject.yaml; do
  { cat s.yaml; echo 'missing: reject'; } >reject.yaml
  "$kith" anonymize $study -i full.csv -o full.r.csv -q -f --seed 1
  "$kith" anonymize $study -i holes.csv -o holes.r.csv -f --seed 1 --mapping map.csv --summary s.json >said || fail "anonymize: $study"
  cmp full.r.csv holes.r.csv || fail "$study: another release"
done
grep -q '^4 rows without any value are left out$' said || fail "$(cat said)"
[ "$(json records dropped empty <s.json)" = "60 0 4" ] || fail "$(json records dropped empty <s.json)"
# The rows of a mapping are those of the file: row 4 and 32 are empty, row 5 is the fourth record.
[ "$(cut -d';' -f1 map.csv | sed 1d | sort -n | tr '\n' ' ')" = "$(seq 62 | sed '4d; 32d' | tr '\n' ' ')" ] || fail "mapping"
"$kith" verify s.yaml holes.r.csv --data holes.csv >said || fail "verify: $(cat said)"
[ "$("$kith" measure s.yaml holes.csv holes.r.csv --json | json records)" = 60 ] || fail "measure"

# From the disk.
for _ in $(seq 300); do sed 1d holes.csv; done | cat <(head -1 holes.csv) - >many.csv
grep -v '^;' many.csv >all.csv
for data in many all; do
  "$kith" anonymize s.yaml -i $data.csv -o $data.r.csv --memory 1MB --seed 1 --summary $data.json -q -f || fail "disk: $data"
done
cmp many.r.csv all.r.csv || fail "another release from the disk"
[ "$(json records empty <many.json)" = "18000 1200" ] || fail "$(cat many.json)"

# Over sites: as one simulates them, and as parties read their own files.
for how in "weave horizontal" "clustering vertical" "encrypted-view horizontal"; do
  read -r protocol partition <<<"$how"
  { cat s.yaml; echo "protocol: $protocol"; echo "partition: $partition"; } >j.yaml
  "$kith" simulate j.yaml -i holes.csv --sites 2 -o run -f -q --in-process --no-progress --seed 1 >said 2>&1 || fail "$how: $(cat said)"
  [ "$(json records empty <run/summary.json)" = "60 4" ] || fail "simulate: $how"
done
ports=()
port=$((20000 + RANDOM % 20000))
while [ ${#ports[@]} -lt 2 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=("$port")
done
for name in north south; do "$kith" cert init $name -o $name.key --quiet; done
pin() { "$kith" cert show "$1" | sed -n 's/^key: "\(.*\)"/\1/p'; }
together() { # DATA OF NORTH / OF SOUTH
  "$kith" party p.yaml --as north --key north.key -i "$1" -o north.d -f --wait 10min --no-progress >north.out 2>&1 & local a=$!
  "$kith" party p.yaml --as south --key south.key -i "$2" -o south.d -f --wait 10min --no-progress >south.out 2>&1 & local b=$!
  wait $a || fail "north: $(cat north.out)"
  wait $b || fail "south: $(cat south.out)"
}
parties() { # COLUMNS OF NORTH / OF SOUTH
  echo "timeout: 300"
  echo "parties:"
  echo "  - {name: north, address: \"127.0.0.1:${ports[0]}\", key: \"$(pin north.key)\"$1}"
  echo "  - {name: south, address: \"127.0.0.1:${ports[1]}\", key: \"$(pin south.key)\"$2}"
}
{ cat s.yaml; echo "protocol: weave"; echo "partition: horizontal"; parties "" ""; } >p.yaml
together north.csv south.csv
[ "$(json records own_records empty <north.d/summary.json)" = "60 30 1" ] || fail "north: $(cat north.out)"
[ "$(json records own_records empty <south.d/summary.json)" = "60 30 2" ] || fail "south: $(cat south.out)"
grep -q '^2 rows without any value are left out$' south.out || fail "$(cat south.out)"
{ cat s.yaml; echo "protocol: clustering"; echo "partition: vertical"; echo "ids: pid"; echo "again: true"
  parties ", columns: [sex, age]" ", columns: [dx]"; } >p.yaml
together people.csv cases.csv
[ "$(json records own_records empty <north.d/summary.json)" = "61 61 1" ] || fail "vertical: $(cat north.out)"
[ $failed = 0 ] && echo "empty rows are no records"
exit $failed
