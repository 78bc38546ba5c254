#!/usr/bin/env bash
# kith verify over ranks of MPI: text, JSON and exit status are those of one process, for good and for bad releases.
# usage: ranks_verify.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1
# shellcheck source=tests/helpers/ranks.bash
. "$2/tests/helpers/ranks.bash"
export KITH_MPI=$(ranks_plugin "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
fail() { echo "FAILED: $1" >&2; exit 1; }

# same NAME STATUS RANKS ARGUMENT…: `kith verify` says the same alone and over these numbers of ranks.
same() {
  same_as_alone "$1" "$3" verify "${@:4}"
  [ $status = "$2" ] || { cat one one.err >&2; fail "$1: status $status"; }
}

"$kith" generate adult -n 2000 --seed 3 -o data.csv --quiet
study=data.study.yaml
"$kith" anonymize $study -i data.csv -o release.csv --seed 5 --keep-order --quiet
same "a good release" 0 "4" $study release.csv
same "with its data" 0 "3 7" $study release.csv --data data.csv
# Rows with a value that their classes do not have; two of them are equally bad.
awk -F, -v OFS=, 'NR == 700 || NR == 1500 { $1 = "nobody" } NR == 1501 { $1 = "noone" } 1' release.csv >broken.csv
same "a broken release" 1 "2 7" $study broken.csv
# In several files, no line is named.
mkdir parts
split -l 900 -d -a 2 --filter='{ [ $FILE = parts/00 ] || head -n 1 broken.csv; cat; } >$FILE.csv' broken.csv parts/
same "several files" 1 "3" $study 'parts/*.csv'
sed '1500s/$/,"/' release.csv >wrong.csv
same "a wrong row" 2 "3" $study wrong.csv
# A row is missing; a row is wrong, which one process finds out alone.
sed '1200d' release.csv >fewer.csv
same "fewer rows" 1 "3" $study fewer.csv --data data.csv
awk -F, -v OFS=, 'NR == 700 || NR == 1500 { $NF = "else" } 1' release.csv >changed.csv
same "wrong rows" 1 "2 3" $study changed.csv --data data.csv
ranks 3 "$kith" anonymize $study -i data.csv -o sorted --seed 5 --quiet
same "rows in another order" 0 "2 7" $study sorted --data data.csv
grep -qF 'cover (matched)' one || { cat one >&2; fail "the rows are not in another order"; }
cat sorted/part-00000.csv <(tail -q -n +2 sorted/part-0000[12].csv) | awk -F, -v OFS=, 'NR == 700 || NR == 1500 { $NF = "else" } 1' >changed.csv
same "wrong rows in another order" 1 "3" $study changed.csv --data data.csv
{ sed 's/^  measure: lm/&\n  suppression: 0.05/' $study; echo "algorithm: flash"; } >flash.yaml
"$kith" anonymize flash.yaml -i data.csv -o flash.csv --seed 5 --keep-order --quiet
same "suppressed rows" 0 "3" flash.yaml flash.csv --data data.csv
grep -q '^suppressed' one || fail "nothing is suppressed"
echo "passed"
