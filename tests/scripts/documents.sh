#!/usr/bin/env bash
# docs/summary.md tells what every key of a document is, and its tables list none that no document has
# (tests/helpers/document_keys.py, which takes the kind of a document from the beginning of its name).
# include/kith/keys.h has the keys of these tables.
# usage: documents.sh KITH SOURCE
set -euo pipefail
kith=$1 source=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "documents: $1" >&2; exit 1; }
python3 "$source/tests/helpers/document_keys.py" "$source/docs/summary.md" | cmp - "$source/include/kith/keys.h" ||
  fail "make keys.h anew: python3 tests/helpers/document_keys.py docs/summary.md >include/kith/keys.h"
simulate() { # NAME OPTION…: with study NAME.yaml
  "$kith" simulate "$1.yaml" -i p.csv -o "$1" --in-process --seed 1 -q "${@:2}"
  cp "$1/summary.json" "simulate-$1.json"
  for site in "$1"/*/; do cp "$site/summary.json" "party-$1-$(basename "$site").json"; done
}
"$kith" generate hospital -n 300 --seed 1 -o p.csv -q
awk -F, 'NR == 1 { print $0 ",weight" } NR > 1 { print $0 "," 2 + NR % 3 }' p.csv >weighted.csv
cp p.study.yaml study.yaml
sed '/l-diversity/d; /makes up more/d' study.yaml >k.yaml
sed 's/hierarchy: {intervals.*/microaggregate: mean/; /domain: {range/d' k.yaml >means.yaml
{ cat k.yaml; echo 'algorithm: flash'; } >lattice.yaml
{ cat k.yaml; printf 'sample: 0.8\nalgorithm: sequential\n'; } >sample.yaml
{ sed 's|^columns:|&\n  - {name: pid, role: identifying}|' study.yaml; echo 'unit: pid'; } >persons.yaml
for study in study lattice means sample; do
  explain=--explain
  [ $study = study ] || [ $study = lattice ] || explain=
  "$kith" anonymize $study.yaml -i p.csv -o $study.csv --seed 1 -q $explain --mapping $study.map --summary anonymize-$study.json
  mv $study.csv.meta.json anonymize-companion-$study.json
  "$kith" verify $study.yaml $study.csv --data p.csv --mapping $study.map -q --summary verify-$study.json
done
# Persons with two rows each.
awk 'NR > 1 { print } { print }' p.csv >visits.csv
"$kith" anonymize persons.yaml -i visits.csv -o persons.csv --seed 1 -q --mapping persons.map --summary anonymize-persons.json
"$kith" verify persons.yaml persons.csv --data visits.csv --mapping persons.map -q --summary verify-persons.json
"$kith" measure persons.yaml visits.csv persons.csv --mapping persons.map -q --summary measure-persons.json
# Releases that break their study, and what cannot be checked.
sed 's/  - name: age/&\n    max_level: 0/; s/k: 5/k: 50/' lattice.yaml >strict.yaml
sed '2s/^[^,]*/99/' study.csv >wrong.csv
sed 's/$/,x/; 1s/x$/name/' study.csv >wide.csv
may_fail() { "$kith" "$@" -q || { status=$?; [ $status = 1 ] || [ $status = 4 ] || fail "$*: $status"; }; }
may_fail verify strict.yaml lattice.csv --data p.csv --summary verify-strict.json
may_fail verify strict.yaml lattice.csv --summary verify-without.json
may_fail verify study.yaml wrong.csv --data p.csv --summary verify-wrong.json
may_fail verify study.yaml wide.csv --summary verify-wide.json
"$kith" measure means.yaml p.csv means.csv --mapping means.map -q --summary measure-means.json
# A model about a population, a cell that is not that of its record, a series of releases.
sed '/k: 5/a\  - {model: k-map, k: 3, population: p.csv}' study.yaml >map.yaml
"$kith" anonymize map.yaml -i p.csv -o map.csv -q --seed 1
"$kith" measure map.yaml p.csv map.csv -q --summary measure-map.json
"$kith" anonymize study.yaml -i p.csv -o kept.csv -q --seed 1 --keep-order --summary anonymize-kept.json
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sex") c = i } NR == 2 { $c = $c == "male" ? "female" : "male" } 1' \
  kept.csv >false.csv
may_fail verify study.yaml false.csv --data p.csv --summary verify-false.json
cp "$source"/tests/cli/fixtures/series/* .
printf 'age,disease\n20-29,flu\n20-29,cold\n60-69,gout\n60-69,flu\n' >again.csv
may_fail verify again.yaml again.csv --data second.csv --summary verify-again.json
"$kith" anonymize study.yaml -i weighted.csv -o weighed.csv -q --keep-order --seed 1
"$kith" measure study.yaml weighted.csv weighed.csv -q --queries 20 --classify disease --population 3000 --weights weight \
  --special-uniques 2 --summary measure-all.json
"$kith" try study.yaml lattice.yaml -i p.csv --set k=5,400 -q --summary try.json --seed 1
{ cat k.yaml; printf 'partition: vertical\n'; } >columns.yaml
{ cat k.yaml; printf 'partition: horizontal\nprotocol: clustering\n'; } >clustering.yaml
{ cat study.yaml; printf 'partition: horizontal\nprotocol: encrypted-view\nmaster: external\n'; } >view.yaml
{ cat k.yaml; printf 'partition: horizontal\npublish: virtual\n'; } >virtual.yaml
{ cat persons.yaml; printf 'partition: horizontal\noverlap: matched\n'; } >homes.yaml
simulate study --sites 3 --baseline
simulate columns --sites 2 --baseline
simulate clustering --sites 2
simulate view --sites 2
simulate homes --sites 2
simulate virtual --sites 2 --query 'select count(*) where age > 40'
"$kith" compare study.yaml -i p.csv --sites 2 --in-process --seed 1 -q --summary compare.json
"$kith" estimate study.yaml -i p.csv --sites 3 -q --latency 5ms --megabits 50 --summary estimate.json
"$kith" estimate view.yaml -i p.csv --sites 3 -q --summary estimate-view.json
python3 "$source/tests/helpers/document_keys.py" "$source/docs/summary.md" \
  {anonymize,party,simulate,verify,measure}-*.json try.json compare.json estimate*.json
