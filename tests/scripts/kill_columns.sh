#!/usr/bin/env bash
# A joint run on columns among three processes, by the joint tree and by clustering, then the same with one of
# them killed at several of its messages, in every step from the matching of identifiers to the release: the
# others name the one that is gone, without waiting for a deadline, and nobody leaves a release.
# Usage: kill_columns.sh KITH SOURCE BUILD
set -u
kith=$(readlink -f "$1") struck=$(readlink -f "$3")/tests/kith_struck
. "$2/tests/helpers/strike.bash"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
parties=(north south east)

make_keys
"$kith" generate hospital -n 200 --seed 1 -o all.csv --quiet || exit 1
columns() { # NAME…: these columns of all.csv, rows in an order of their own
  awk -F, -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i }
    { line = $(at[want[1]]); for (i = 2; i <= n; i++) line = line "," $(at[want[i]]); print line }' all.csv |
    { IFS= read -r head; echo "$head"; sort -R; }
}
columns pid age sex zip >north.csv
columns job insurance pid >south.csv
columns disease site pid >east.csv
held=("[age, sex, zip]" "[job, insurance]" "[site, disease]")
study() {
  echo "study: columns"
  echo "columns:"
  for c in age sex zip job insurance site; do echo "  - {name: $c, role: quasi-identifying}"; done
  echo "  - {name: disease, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 5}, {model: l-diversity, variant: distinct, l: 2, attribute: disease}]"
  echo "partition: vertical"
  echo "ids: pid"
  echo "$keys"
  echo "timeout: 600"
  echo "parties:"
  for i in 0 1 2; do
    free_port
    echo "  - {name: ${parties[$i]}, address: \"127.0.0.1:$port\", key: \"$(pin "${parties[$i]}")\", columns: ${held[$i]}}"
  done
}
run=(party s.yaml -i @.csv --threads 1 --quiet)

for keys in "protocol: weave" "protocol: clustering
max_passes: 4"; do
  here=$work/$(head -1 <<<"${keys#protocol: }")
  mkdir "$here"
  find "$work" -maxdepth 1 -type f -exec cp -t "$here" {} +
  cd "$here" || exit 1
  whole "${run[@]}"
  "$kith" verify whole/s.yaml whole/north.d/release.csv --quiet || fail "the release does not verify"
  head -1 whole/north.d/release.csv | grep -q pid && fail "the identifier was released"
  cmp -s whole/north.d/release.csv whole/east.d/release.csv || fail "two releases"

  for victim in 0 1 2; do
    for message in $(moments 3 "$victim"); do
      place "kill.$victim.$message"
      aside kill_at "kill.$victim.$message" "${parties[$victim]}" "$message" "${run[@]}"
    done
  done
  wait
  check_steps
  [ -e "$work/failed" ] && exit 1
  echo "$(head -1 <<<"$keys"), killed in: $(tr '\n' ',' <<<"$steps")"
done
exit 0
