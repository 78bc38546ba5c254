#!/usr/bin/env bash
# A joint run by the encrypted view: two sites with columns of the same people, not all of whom both
# have, and a master without data, as processes. Then the same with one of them killed at several of its
# messages, in every step, and with one that never comes: the others name the one that is gone, without waiting
# for a deadline, and nobody leaves a release. Usage: kill_view.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
. "$2/tests/helpers/strike.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
parties=(north south judge)
own=([north]="-i north.csv" [south]="-i south.csv")

make_keys
"$kith" generate hospital -n 300 --seed 1 -o all.csv --quiet || exit 1
columns() { # NAME…: these columns of all.csv, rows in an order of their own
  awk -F, -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i }
    { line = $(at[want[1]]); for (i = 2; i <= n; i++) line = line "," $(at[want[i]]); print line }' all.csv |
    { IFS= read -r head; echo "$head"; sort -R; }
}
columns pid age sex | head -n -7 >north.csv # seven people fewer
columns insurance pid disease >south.csv
held=(", columns: [age, sex]" ", columns: [insurance, disease]" "")
study() {
  echo "study: view"
  echo "columns:"
  echo "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}"
  for c in sex insurance; do echo "  - {name: $c, role: quasi-identifying}"; done
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 3}]"
  printf 'partition: vertical\nprotocol: encrypted-view\nalgorithm: flash\nids: pid\ntimeout: 600\n'
  echo "parties:"
  for i in 0 1 2; do
    free_port
    echo "  - {name: ${parties[$i]}, address: \"127.0.0.1:$port\", key: \"$(pin "${parties[$i]}")\"${held[$i]}}"
  done
}
run=(party s.yaml --threads 1 --quiet)

whole "${run[@]}"
"$kith" verify whole/s.yaml whole/north.d/release.csv --quiet || fail "the release does not verify"
[ "$(wc -l <whole/north.d/release.csv)" = 294 ] || fail "not the people that both have"
grep -q '"unmatched":[[:space:]]*7' whole/judge.d/summary.json || fail "seven are without partner"
[ -e whole/judge.d/release.csv ] && fail "the master has a release"
cmp -s whole/north.d/release.csv whole/south.d/release.csv || fail "two releases"
grep -qE '[0-9]{8}' whole/north.d/release.csv && fail "an identifier was released"

for victim in 0 1 2; do
  for message in $(moments 5 "$victim"); do
    place "kill.$victim.$message"
    aside kill_at "kill.$victim.$message" "${parties[$victim]}" "$message" "${run[@]}"
  done
done
wait
check_steps

# North never comes. The others wait for it as long as they were told; whoever is tired of it first tells the other.
place absent
declare -A job=()
for s in south judge; do
  (cd absent && exec "$kith" "${run[@]}" ${own[$s]:-} --as $s --key $s.key --wait 5s --no-progress -o $s.d >$s.out 2>$s.err) &
  job[$s]=$!
done
for s in south judge; do
  wait "${job[$s]}"; code=$?
  [ $code = 3 ] || fail "north never comes: exit status $code at $s: $(cat absent/$s.err)"
  grep -q '^kith: error: .*north.*(step connect)' absent/$s.err || fail "north never comes: $s says $(cat absent/$s.err)"
  nothing_left absent $s
done
[ -e failed ] && exit 1
echo "killed in: $(tr '\n' ',' <<<"$steps")"
