#!/usr/bin/env bash
# A joint run by the ID-based protocol between two processes, then the same with one of them killed at many of
# its messages, from the first to the last, and in every step: the other one names the one that is
# gone, without waiting for a deadline, and neither leaves a release. Usage: kill_id_based.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
. "$2/tests/helpers/strike.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
parties=(north south)

make_keys
rows() { # FIRST: 26 rows of five tuples, one of which is rare
  echo sex,age,disease
  for i in $(seq 0 24); do echo "$((i % 2)),$((i % 2 * 10 + i % 4 / 2)),ill$((i % 3))"; done
  echo "0,$1,ill9"
}
rows 41 >north.csv
rows 42 | sed 2d >south.csv
study() {
  echo "study: ids"
  echo "columns: [{name: sex, role: quasi-identifying}, {name: age, role: quasi-identifying}, {name: disease, role: sensitive}]"
  echo "privacy: [{model: k-anonymity, k: 3}]"
  printf 'protocol: id-based\nlists: 6\ntimeout: 600\nparties:\n'
  for s in "${parties[@]}"; do
    free_port
    echo "  - {name: $s, address: \"127.0.0.1:$port\", key: \"$(pin "$s")\"}"
  done
}
run=(party s.yaml -i @.csv --threads 1 --quiet)

whole "${run[@]}"
"$kith" verify whole/s.yaml whole/north.d/release.csv --quiet || fail "the release does not verify"
cmp -s whole/north.d/release.csv whole/south.d/release.csv || fail "two releases"
grep -q '41\|42' whole/north.d/release.csv && fail "a rare value was released"

for victim in 0 1; do
  for message in $(moments $((sent[victim] / 3)) "$victim"); do
    case=kill.$victim.$message
    place "$case"
    aside kill_at "$case" "${parties[$victim]}" "$message" "${run[@]}"
  done
done
wait
check_steps
[ -e failed ] && exit 1
echo "killed in: $(tr '\n' ',' <<<"$steps")"
