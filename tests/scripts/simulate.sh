#!/usr/bin/env bash
# Whole simulations: processes over TLS and threads, every split, killed and interrupted ones, and
# what is left behind. Usage: simulate.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TMPDIR="$work/tmp"; mkdir tmp
failed=0
fail() { echo "FAILED: $*"; failed=1; }
same() { [ "$2" = "$3" ] || fail "$1: expected '$2', saw '$3'"; }
number() { sed -n 's/^[[:space:]]*"'"$2"'":[[:space:]]*\([0-9.e+-]*\),*$/\1/p' "$1" | head -1; }
nothing_left() { # WHAT: no data, no keys, no stage
  same "$1: temporary files" "" "$(ls -A tmp)"
  [ -d run ] && same "$1: stages" "" "$(ls -A run | grep '^\.')"
}

"$kith" generate hospital -n 300 --seed 1 -o p.csv --quiet || exit 1

# good WHAT ARGUMENTS…: a simulation whose release verifies against the whole table.
good() {
  local what=$1; shift
  rm -rf run
  "$kith" simulate "$study" -i p.csv -o run --seed 5 --quiet "$@" 2>err.txt || { fail "$what: $(cat err.txt)"; return; }
  "$kith" verify "$study" run/release.csv --data p.csv --quiet 2>err.txt || fail "$what: does not verify: $(cat err.txt)"
  same "$what: records" "$(number run/summary.json records)" "$(($(wc -l <run/release.csv) - 1))"
  for site in run/*/; do
    [ -f "$site/ledger.json" ] && [ -f "$site/ledger.txt" ] && [ -f "$site/summary.json" ] || fail "$what: $site lacks files"
    same "$what: mode of a ledger" 600 "$(stat -c %a "$site/ledger.json")"
    if [ -f "$site/release.csv" ]; then
      cmp -s <(sort "$site/release.csv") <(sort run/release.csv) || fail "$what: $site has another release"
    fi
  done
  grep -q _kith_id -r run && fail "$what: the added identifier was released"
  # One party's account is the other's: what all sent is what all received.
  same "$what: bytes sent and received" "$(bytes_of sent)" "$(bytes_of received)"
  nothing_left "$what"
}
# Bytes of all parties: the first object of that name in each ledger is the sum of its lines.
bytes_of() {
  local file
  for file in run/*/ledger.json; do
    awk -v way="\"$1\":" '$1 == way { on = 1 } on && $1 == "\"bytes\":" { print $2 + 0; exit }' "$file"
  done | awk '{ sum += $1 } END { print sum + 0 }'
}

study=p.study.yaml
good "processes" --sites 3
same "sites" 3 "$(ls -d run/site* | wc -l)"
cp run/release.csv first.csv
good "threads" --sites 3 --in-process
cmp -s <(sort first.csv) <(sort run/release.csv) || fail "threads and processes give other releases"
good "by hash" --sites 2 --in-process --split hash:zip
good "by value" --sites 2 --in-process --split by:site
good "compressed" --sites 2 --compress
good "baseline" --sites 3 --in-process --baseline
[ "$(grep -c '"objective"' run/summary.json)" = 2 ] || fail "baseline: no loss beside ours"

# Columns at several sites, and an external master without data.
for partition in vertical hybrid; do
  sed "s/^study:.*/&\npartition: $partition\nprotocol: encrypted-view/" p.study.yaml >$partition.yaml
done
study=vertical.yaml
good "vertical" --sites 2
[ -f run/master/ledger.json ] && [ ! -e run/master/release.csv ] || fail "vertical: the master's files"
good "vertical, as listed" --in-process --split columns:age,disease,zip/sex,stay,job/admitted,site,insurance --baseline
grep -A100 '"side_by_side"' run/summary.json | grep -q '"holds":[[:space:]]*false' || fail "side by side: the models hold"
sed 's/^protocol.*/&\nids: pid/' vertical.yaml >pid.yaml; study=pid.yaml
good "vertical, joined by a column" --in-process --sites 2
head -1 run/release.csv | grep -q pid && fail "the column that joins was released"
study=hybrid.yaml
good "hybrid" --in-process --split 2x2 --baseline
sed 's/^protocol.*/&\nmaster: site2/; s/hybrid/horizontal/' hybrid.yaml >inside.yaml; study=inside.yaml
good "a master with data" --in-process --sites 3
same "a master with data: folders" "site1 site2 site3" "$(cd run && ls -d s*/ | tr -d / | xargs)"
sed "s/^study:.*/&\npartition: vertical\nids: pid/" p.study.yaml >tree.yaml; study=tree.yaml
good "a tree of columns" --sites 3
sed "s/^ids.*/&\nprotocol: clustering/" tree.yaml >columns.yaml; study=columns.yaml
good "clustering columns" --sites 3
cp run/release.csv first.csv
good "clustering columns, otherwise distributed" --in-process --split columns:disease,zip,age/sex,stay,job,admitted,site,insurance
cmp -s <(sort first.csv) <(sort run/release.csv) || fail "other columns at other sites give another release"
study=p.study.yaml

sed "s/^study:.*/&\nprotocol: clustering/" p.study.yaml >clustering.yaml; study=clustering.yaml
good "clustering" --in-process --sites 3
sed -i "s/^protocol.*/&\npartition: vertical/" clustering.yaml
good "vertical clustering" --in-process --sites 2
sed "s/^study:.*/&\npartition: horizontal\npublish: own-rows/" p.study.yaml >own.yaml
rm -rf run; "$kith" simulate own.yaml -i p.csv -o run --sites 3 --in-process --quiet || fail "own rows"
"$kith" verify own.yaml run/release.csv --data p.csv --quiet || fail "own rows: does not verify"
same "own rows" "$(tail -qn +2 run/*/release.csv | sort)" "$(tail -n +2 run/release.csv | sort)"
study=p.study.yaml

# A delay shows: every round takes at least so long.
good "delay" --sites 2 --in-process --delay 1ms
awk -v s="$(number run/summary.json run)" -v r="$(number run/summary.json rounds)" 'BEGIN { exit !(s >= 0.001 * r) }' ||
  fail "delay: $(number run/summary.json rounds) rounds in $(number run/summary.json run) s"

# Existing results stay without --force, and are replaced with it.
"$kith" simulate p.study.yaml -i p.csv --sites 2 --in-process -o run --quiet 2>err.txt; same "existing: exit status" 2 $?
"$kith" simulate p.study.yaml -i p.csv --sites 2 --in-process -o run --quiet --force || fail "--force"
same "--force: sites" "site1 site2" "$(cd run && echo site*)"

# The whole table cannot be made anonymous: that is the answer, not a failure of a peer.
# It is found before any site starts, but for the encrypted view, where the master says it.
sed 's/k: 5/k: 301/' p.study.yaml >all.yaml
(cat all.yaml; echo 'protocol: encrypted-view') >view.yaml
for how in "" --in-process "view" "view --in-process"; do
  study=all.yaml; [ "${how#view}" = "$how" ] || study=view.yaml
  rm -rf run; "$kith" simulate $study -i p.csv --sites 2 -o run --quiet ${how#view} 2>err.txt
  same "infeasible $how: exit status" 4 $?
  [ -e run ] && fail "infeasible $how: something was written"
  nothing_left "infeasible $how"
done

# An identifier that occurs twice is found in the table itself.
awk -F, -v OFS=, 'NR == 3 { $1 = "10000001" } 1' p.csv >twice.csv
"$kith" simulate pid.yaml -i twice.csv --sites 2 -o run --quiet 2>err.txt
same "twice: exit status" 2 $?
grep -q "^kith: error: twice.csv:3: the identifier of line 2 again" err.txt || fail "twice: $(cat err.txt)"

# One site's data is bad in a way that only the protocol can see: that is the cause, not that the
# others lost it.
long=$(printf '%070000d' 0)
awk -F, -v OFS=, -v long="$long" 'NR == 3 { $10 = long } 1' p.csv >long.csv
for how in "" --in-process; do
  rm -rf run; "$kith" simulate p.study.yaml -i long.csv --sites 2 -o run --quiet $how 2>err.txt
  same "bad data $how: exit status" 2 $?
  grep -q "^kith: error: site[12]: site[12].csv[:0-9]*: a value of column disease has 70000 bytes" err.txt || fail "bad data $how: $(cat err.txt)"
  [ -e run ] && fail "bad data $how: something was written"
  nothing_left "bad data $how"
done

# A site is killed in the middle of the run, which ends, names it, and leaves nothing.
{ cat p.study.yaml; printf 'partition: horizontal\ntimeout: 600\n'; } >patient.yaml
simulation=(simulate patient.yaml -i p.csv --sites 3 -o run --no-progress)
rm -rf run
KITH_STRUCK="KILL message 20" KITH_STRUCK_PARTY=site2 "$struck" "${simulation[@]}" 2>err.txt; same "killed: exit status" 3 $?
same "killed" "kith: error: site2 was ended by signal 9 (Killed)" "$(cat err.txt)"
[ -e run ] && fail "killed: something was written"
nothing_left killed

# In the background, with a site that stops in the middle of the run, so that it lasts until somebody ends it.
set -m
start_endless() { # leaves the process id in $job, and those of the sites in $sites
  rm -rf run
  KITH_STRUCK="STOP message 20" KITH_STRUCK_PARTY=site2 "$struck" "${simulation[@]}" 2>err.txt & job=$!
  until sites=($(pgrep -P $job)); [ ${#sites[@]} = 3 ] && grep -q '^State:.*T (stopped)' /proc/"${sites[1]}"/status; do
    kill -0 $job 2>/dev/null || { fail "the simulation ended: $(cat err.txt)"; return; }
    sleep 0.05
  done
}

# Ctrl-C ends all.
for signal in INT TERM; do
  start_endless; kill -$signal $job; wait $job; same "$signal: exit status" 130 $?
  for s in "${sites[@]}"; do kill -0 "$s" 2>/dev/null && fail "$signal: a site goes on"; done
  [ -e run ] && fail "$signal: something was written"
  nothing_left $signal
done

# The sites do not outlive a simulation that is killed itself: this would not end otherwise.
start_endless; kill -KILL $job; wait $job 2>/dev/null
for s in "${sites[@]}"; do while kill -0 "$s" 2>/dev/null; do sleep 0.05; done; done

[ $failed = 0 ] && echo "all simulations are right"
exit $failed
