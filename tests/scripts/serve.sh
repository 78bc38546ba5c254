#!/usr/bin/env bash
# Three serving sites, clients and parties that ask, over TLS on loopback: answers compared with those
# of one table, refusals, the limit per day, ledgers, killed clients and sites, strangers at the door.
# Usage: serve.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") union=$(readlink -f "$3")/tests/query_union struck=$(readlink -f "$3")/tests/kith_struck
work=$(mktemp -d)
declare -A pids=()
finish() { for p in "${pids[@]}"; do kill -9 "$p" 2>/dev/null; done; rm -rf "$work"; }
trap finish EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }
same() { [ "$2" = "$3" ] || { fail "$1: expected '$2', saw '$3'"; }; }

ports=()
port=$((20000 + RANDOM % 20000))
while [ ${#ports[@]} -lt 3 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=("$port")
done
sites=(north south east)
for s in "${sites[@]}" alice bob carol dave mallory; do
  "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"
done
pin() { "$kith" cert show "$1.key" | sed -n 's/^key: "\(.*\)"/\1/p'; }
study() { # QUERIES [KEY OF BOB]
  cat <<END
study: cardio
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: sex, role: quasi-identifying}
  - {name: diagnosis, role: sensitive}
  - {name: cost, role: insensitive, type: integer}
privacy: [{model: k-anonymity, k: 2}]
partition: horizontal
protocol: mondrian
publish: virtual
publish_insensitive: true
timeout: 10
queries: {$1}
clients: [{name: alice, key: "$(pin alice)"}, {name: bob, key: "$(pin "${2:-bob}")"}, {name: carol, key: "$(pin carol)"}, {name: dave, key: "$(pin dave)"}]
parties:
END
  for i in 0 1 2; do
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:${ports[$i]}\", key: \"$(pin "${sites[$i]}")\"}"
  done
}
study 'rows: true, per_day: 1000' >s.yaml
study 'rows: false, per_day: 3' >few.yaml
study 'rows: true, per_day: 1000' mallory >forged.yaml
"$kith" study check s.yaml --quiet 2>/dev/null || fail "the study is not right"

# Tables as 'kith party' writes them: N generalized rows, some cells missing, in TABLE; RUN is the
# run that they are of.
table() { # TABLE N SEED RUN
  awk -v out="$1" -v n="$2" -v seed="$3" -v run="$4" 'BEGIN {
    srand(seed); beside = out "_kith"
    print "kind,column_name,number,first,last,text" >beside
    print "about,study,,,,cardio\nabout,digest,,,,d\nabout,run,,,," run "\nabout,rows,,,,150" >beside
    print "about,classes,,,,9\nabout,format,,,,1" >beside
    for (i = 0; i < 100; i++) print "value,age," i ",,," i >beside
    for (i = 0; i < 10; i++) { age[i] = i * 10 ".." i * 10 + 9; print "cell,age," i "," i * 10 "," i * 10 + 9 "," age[i] >beside }
    age[10] = "*"; print "cell,age,10,0,99,*" >beside
    split("f m", s, " "); split("flu cold gout", g, " "); split("1 5 20", c, " ")
    for (i = 1; i <= 2; i++) { print "value,sex," i - 1 ",,," s[i] >beside; print "cell,sex," i - 1 "," i - 1 "," i - 1 "," s[i] >beside }
    s[3] = "*"; print "cell,sex,2,0,1,*" >beside
    for (i = 1; i <= 3; i++) { print "value,diagnosis," i - 1 ",,," g[i] >beside; print "cell,diagnosis," i - 1 "," i - 1 "," i - 1 "," g[i] >beside }
    for (i = 1; i <= 3; i++) { print "value,cost," i - 1 ",,," c[i] >beside; print "cell,cost," i - 1 "," i - 1 "," i - 1 "," c[i] >beside }
    c[4] = ""; print "cell,cost,3,3,3," >beside
    print "age,sex,diagnosis,cost" >out
    for (i = 0; i < n; i++)
      print age[int(11 * rand())] "," s[1 + int(3 * rand())] "," g[1 + int(3 * rand())] "," c[1 + int(4 * rand())] >out
  }'
}
table north.csv 20 1 aa; table south.csv 50 2 aa; table east.csv 80 3 aa; table other.csv 50 2 bb
cp north.csv_kith all.csv_kith
{ cat north.csv; tail -n +2 south.csv; tail -n +2 east.csv; } >all.csv

ask() { "$kith" query "$1" --as "$2" --key "$2.key" --no-progress "${@:4}" "$3"; }

# Nobody serves, and nobody is called.
wrong() { # WHAT STUDY QUERY PATTERN
  ask "$2" alice "$3" >out 2>err; same "$1: exit status" 2 $?
  grep -q "$4" err || fail "$1: $(cat err)"
}
wrong 'unknown column' s.yaml 'SELECT count(*) WHERE agee = 3' "query:1:23: no released column 'agee'"
wrong 'syntax' s.yaml 'SELECT count(*) WHERE' 'query:1:22'
wrong 'join' s.yaml 'SELECT count(*) FROM cardio JOIN x' 'JOIN'
wrong 'rows' few.yaml 'SELECT age' 'allows no queries for rows'
wrong 'another study' s.yaml 'SELECT count(*) FROM births' 'the name of the study, cardio'
ask s.yaml mallory 'SELECT count(*)' >out 2>err; same "no client: exit status" 2 $?
grep -q "no party or client 'mallory'" err || fail "no client: $(cat err)"
"$kith" query s.yaml --as bob --key mallory.key 'SELECT count(*)' 2>err; same "wrong key: exit status" 2 $?
ask s.yaml south 'SELECT count(*)' 2>err; same "a party without rows: exit status" 2 $?
ask s.yaml alice 'SELECT count(*)' --rows all.csv 2>err; same "a client with rows: exit status" 2 $?
ask s.yaml alice 'SELECT count(*)' 2>err; same "nobody serves: exit status" 3 $?
grep -q "north at 127.0.0.1:${ports[0]} does not answer" err || fail "nobody serves: $(cat err)"

start() { # SITE STUDY [TABLE]
  "${program:-$kith}" serve "$2" --as "$1" --key "$1.key" --rows "${3:-$1.csv}" --no-progress 2>>"$1.err" &
  pids[$1]=$!
}
listening() { # SITE: waits until its port answers
  for i in 0 1 2; do
    [ "${sites[$i]}" = "$1" ] || continue
    until (exec 3<>"/dev/tcp/127.0.0.1/${ports[$i]}") 2>/dev/null; do
      kill -0 "${pids[$1]}" 2>/dev/null || { fail "$1 does not serve: $(cat "$1.err")"; return; }
      sleep 0.05
    done
  done
}
start_all() { local s; for s in "${sites[@]}"; do start "$s" "$1"; done; for s in "${sites[@]}"; do listening "$s"; done; }
stop() { # SITE: cleanly
  kill -TERM "${pids[$1]}"; wait "${pids[$1]}"; same "SIGTERM at $1: exit status" 0 $?
  unset "pids[$1]"
}
stop_all() { local s; for s in "${sites[@]}"; do stop "$s"; done; }
# To the last digit: what one table has, three sites have, however its rows are distributed to them.
equal() { cmp -s <(sort "$1") <(sort "$2"); } # ONE OTHER
right() { # QUERIER QUERY [OPTION]…
  case $1 in north | south | east) as=() ;; *) as=(client) ;; esac
  "$union" s.yaml all.csv "$2" "${as[@]}" >expected || fail "query_union: $2"
  ask s.yaml "$1" "$2" --format csv "${@:3}" >"$1.answer" 2>"$1.asked" || fail "$1: $2: $(cat "$1.asked")"
  equal expected "$1.answer" || fail "$1: $2: expected $(cat expected), saw $(cat "$1.answer")"
}

start_all s.yaml
queries=('SELECT count(*)'
  'SELECT count(*) WHERE age < 35'
  "SELECT count(*), sum(cost), avg(cost) WHERE sex = 'f' AND age BETWEEN 25 AND 60"
  'SELECT min(cost), max(cost), min(age), max(age), avg(age) WHERE cost IS NOT NULL'
  "SELECT diagnosis, count(*) WHERE age > 41 OR sex <> 'm' GROUP BY diagnosis"
  "SELECT sex, diagnosis, sum(cost) AS total, count(*) WHERE NOT diagnosis IN ('flu') GROUP BY sex, diagnosis"
  'SELECT count(*) WHERE cost IS NULL'
  "SELECT age, sex, cost WHERE age < 25 AND sex = 'f'"
  "SELECT diagnosis WHERE age > 200")
for q in "${queries[@]}"; do right alice "$q"; right south "$q" --rows south.csv; right north "$q" --rows north.csv; done
ask s.yaml alice 'SELECT count(*)' -o answer.txt || fail 'output to a file'
same 'output to a file' 150 "$(awk 'END { print $1 }' answer.txt)"
ask s.yaml alice 'SELECT count(*)' -o answer.txt 2>err; same 'an existing file: exit status' 2 $?
same 'JSON' '[[150,150,150]]' "$(ask s.yaml alice 'SELECT count(*)' --format json | tr -d ' \t\n' | sed 's/.*"rows"://; s/}$//')"

# lines SITE NUMBER: its ledger has so many lines. A site writes the last one when the querier may have its answer.
lines() {
  until [ "$(wc -l <"$1.queries.jsonl")" -ge "$2" ]; do sleep 0.05; done
  same "lines at $1" "$2" "$(wc -l <"$1.queries.jsonl")"
}

# Ledgers: a line for every query, for their owner only. north did not answer its own queries.
same 'mode of a ledger' 600 "$(stat -c %a north.queries.jsonl)"
lines north $((2 * ${#queries[@]} + 2))
lines south $((2 * ${#queries[@]} + 2))
lines east $((3 * ${#queries[@]} + 2))
same 'not complete' 0 "$(grep -vc '"outcome":"complete"' east.queries.jsonl)"
grep -q '"who":"alice","query":"SELECT count(\*)","left":"numbers","count":3,' east.queries.jsonl || fail "ledger: $(head -1 east.queries.jsonl)"
# The first site tells clients, and nobody else, what the release shows; its ledger says so.
domains='"domains":[{"column":"age","labels":11},{"column":"sex","labels":3},{"column":"diagnosis","labels":3},{"column":"cost","labels":4}]'
same 'domains at north' $((${#queries[@]} + 2)) "$(grep -cF "$domains" north.queries.jsonl)"
same 'domains for parties' 0 "$(grep -v '"who":"alice"' north.queries.jsonl | grep -c '"domains"')"
same 'domains at east' 0 "$(grep -c '"domains"' east.queries.jsonl)"
"$kith" ledger show north.queries.jsonl >shown.txt || fail "ledger show: exit status $?"
tr -s ' \n' '  ' <shown.txt | grep -q 'left (domains): .* age (11), sex (3), diagnosis (3), cost (4)' || fail "ledger show: $(cat shown.txt)"
"$kith" ledger show east.queries.jsonl >shown.txt || fail "ledger show: exit status $?"
grep -q '  alice asked: SELECT count(\*)$' shown.txt && grep -q '^  left (3 numbers): numbers under masks' shown.txt ||
  fail "ledger show: $(cat shown.txt)"
grep -q "\"who\":\"south\",\"query\":\"SELECT age, sex, cost WHERE age < 25 AND sex = 'f'\",\"left\":\"rows\"," east.queries.jsonl || fail "ledger of rows"

# Several at a time.
jobs=()
for c in alice bob carol dave; do
  (for i in 1 2 3 4 5; do
    ask s.yaml "$c" "SELECT count(*) WHERE age < 35" --format csv >>"$c.many" 2>&1 || echo failed >>"$c.many"
  done) &
  jobs+=($!)
done
wait "${jobs[@]}"
"$union" s.yaml all.csv 'SELECT count(*) WHERE age < 35' client >expected
for c in alice bob carol dave; do
  same "answers of $c" 5 "$(awk -F, -v want="$(tail -1 expected)" 'BEGIN { split(want, w, ",") } $1 == w[1] && $3 == w[3]' "$c.many" | wc -l)"
done

# Refusals.
"$kith" query forged.yaml --as bob --key mallory.key 'SELECT count(*)' --no-progress 2>err; same "unknown certificate: exit status" 3 $?
grep -q 'north does not know this certificate' err || fail "unknown certificate: $(cat err)"
ask few.yaml alice 'SELECT count(*)' 2>err; same "another study: exit status" 3 $?
grep -q 'north has another study' err || fail "another study: $(cat err)"

# Strangers: rubbish, half a preamble, a preamble and rubbish, TLS with nothing behind it, a thousand
# connections that say nothing.
for p in "${ports[@]}"; do
  { head -c 300 /dev/urandom >"/dev/tcp/127.0.0.1/$p"; printf 'KITHQ1\nA' >"/dev/tcp/127.0.0.1/$p"; } 2>/dev/null
  { { printf 'KITHQ1\nA'; head -c 3000 /dev/urandom; } >"/dev/tcp/127.0.0.1/$p"; } 2>/dev/null
  { { printf 'KITHQ1\nJ'; head -c 3000 /dev/urandom; } >"/dev/tcp/127.0.0.1/$p"; } 2>/dev/null
done
right bob 'SELECT count(*) WHERE age < 35'
ulimit -n 4096 2>/dev/null || ulimit -n "$(ulimit -Hn)"
(
  for i in $(seq 1000); do { exec {fd}<>"/dev/tcp/127.0.0.1/${ports[$((i % 3))]}"; } 2>/dev/null || break; done
  echo "$i" >crowd; exec sleep 600
) &
crowd=$!
until [ -s crowd ]; do sleep 0.05; done
[ "$(cat crowd)" -gt 500 ] || fail "only $(cat crowd) connections"
right bob 'SELECT count(*) WHERE age < 35'
kill -9 "$crowd"; wait "$crowd" 2>/dev/null

# Clients that vanish before a certain message, and one that stops answering when it has the lock.
struck() { # PLAN: alice, who strikes herself
  KITH_STRUCK=$1 exec "$struck" query s.yaml --as alice --key alice.key --no-progress 'SELECT age, sex, cost' >/dev/null 2>&1
}
for plan in "KILL message 1" "KILL message 2" "KILL message 3" "KILL poll 1" "KILL poll 2" "KILL poll 4"; do
  (struck "$plan"); same "a client that vanishes ($plan): exit status" 137 $?
  right bob 'SELECT count(*)'
done 2>/dev/null
struck "STOP message 1" & c=$!
until grep -q '^State:.*T (stopped)' /proc/$c/status; do sleep 0.02; done
right bob 'SELECT count(*)'
kill -9 "$c"; wait "$c" 2>/dev/null

# A site that is killed: between queries, and while they are asked. It is named, the others go on.
kill -9 "${pids[south]}"; wait "${pids[south]}" 2>/dev/null
ask s.yaml alice 'SELECT count(*)' 2>err; same "a site is down: exit status" 3 $?
grep -q "south at 127.0.0.1:${ports[1]} does not answer" err || fail "a site is down: $(cat err)"
start south s.yaml; listening south
right alice 'SELECT count(*)'
for message in 1 2 3; do
  stop south
  export KITH_STRUCK="KILL message $message"; program=$struck start south s.yaml; unset KITH_STRUCK; listening south
  ask s.yaml alice 'SELECT age, sex, cost' >/dev/null 2>err; same "killed in the middle: exit status" 3 $?
  grep -q 'lost the connection to south\|south failed' err || fail "killed in the middle: $(cat err)"
  wait "${pids[south]}" 2>/dev/null
  start south s.yaml; listening south
  right bob 'SELECT count(*)'
done

# Another release at one site.
stop south; start south s.yaml other.csv; listening south
ask s.yaml alice 'SELECT count(*)' 2>err; same "another release: exit status" 3 $?
grep -q south err || fail "another release: $(cat err)"
stop south; start south s.yaml; listening south
right alice 'SELECT count(*)'
"$kith" serve s.yaml --as east --key east.key --rows east.csv 2>err; same "two processes: exit status" 2 $?
grep -q 'in use by another process' err || fail "two processes: $(cat err)"
stop_all
grep -q '"outcome":"failed: ' north.queries.jsonl || fail 'no failed query in the ledger'

# The limit per day survives a restart; other queriers have their own.
rm -f ./*.jsonl
start_all few.yaml
for i in 1 2 3; do ask few.yaml alice 'SELECT count(*)' >/dev/null 2>err || fail "query $i: $(cat err)"; done
for i in 1 2; do
  ask few.yaml alice 'SELECT count(*)' 2>err; same "too many: exit status" 3 $?
  grep -q 'the next is allowed at 20..-..-.. ..:..:.. UTC' err || fail "too many: $(cat err)"
  ask few.yaml bob 'SELECT count(*)' >/dev/null 2>err || fail "another querier: $(cat err)"
  stop_all; start_all few.yaml
done
stop_all
echo 'nonsense' >>north.queries.jsonl
"$kith" serve few.yaml --as north --key north.key --rows north.csv 2>err; same "a damaged ledger: exit status" 2 $?
grep -q 'north.queries.jsonl:6: ' err || fail "a damaged ledger: $(cat err)"
"$kith" serve s.yaml --as alice --key alice.key --rows north.csv --ledger x 2>err; same "a client serves: exit status" 2 $?

# From a run: own rows in databases, written by 'kith party', served, and asked for.
awk 'BEGIN { srand(4); for (s = 1; s <= 3; s++) { f = "data" s ".csv"; print "age,sex,diagnosis,cost" >f
  for (i = 0; i < 30; i++) print int(100 * rand()) "," (rand() < 0.5 ? "f" : "m") "," (rand() < 0.3 ? "flu" : "cold") "," int(9 * rand()) >f } }'
jobs=(); i=0
for s in "${sites[@]}"; do
  i=$((i + 1))
  "$kith" party s.yaml --as "$s" --key "$s.key" -i "data$i.csv" -o "run.$s" --rows "sqlite:$s.db?table=cardio" --wait 10min --quiet 2>"$s.err" & jobs+=($!)
done
for j in "${jobs[@]}"; do wait "$j" || fail "party: $(cat ./*.err)"; done
rm -f ./*.jsonl
for s in "${sites[@]}"; do start "$s" s.yaml "sqlite:$s.db?table=cardio"; done
for s in "${sites[@]}"; do listening "$s"; done
same 'records of a run' '90,90,90' "$(ask s.yaml alice 'SELECT count(*)' --format csv | tail -1)"
same 'sums of a run' "$(awk -F, 'FNR > 1 { n += $4 } END { print n }' data?.csv)" "$(ask s.yaml alice 'SELECT sum(cost)' --format csv | tail -1 | cut -d, -f3)"
ask s.yaml alice 'SELECT count(*) WHERE age < 40' --format csv | tail -1 | awk -F, -v n="$(awk -F, 'FNR > 1 && $1 < 40' data?.csv | wc -l)" '{ exit !($1 <= n && n <= $3) }' || fail 'bounds of a run'
stop_all
exit $failed
