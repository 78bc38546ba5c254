#!/usr/bin/env bash
# kith measure over ranks of MPI: text, summary and messages are those of one process, and the report is made, too.
# usage: ranks_measure.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1
# shellcheck source=tests/helpers/ranks.bash
. "$2/tests/helpers/ranks.bash"
KITH_MPI=$(ranks_plugin "$3"); export KITH_MPI
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
fail() { echo "FAILED: $1" >&2; exit 1; }

# same NAME RANKS ARGUMENT…: `kith measure` says the same alone and over these numbers of ranks.
same() { same_as_alone "$1" "$2" measure "${@:3}"; }

"$kith" generate hospital -n 3000 --seed 3 -o data.csv --quiet
study=data.study.yaml
"$kith" anonymize $study -i data.csv -o release.csv --seed 5 --keep-order --quiet
same "a release" "2 3 7" $study data.csv release.csv --queries 200 --classify disease --population 20000 --seed 4 --all
grep -q '^kl' one || fail "kl is not shown"
same "weights" "3" $study data.csv release.csv --weights stay
# In parts, as ranks write it.
ranks 3 "$kith" anonymize $study -i data.csv -o release --seed 5 --quiet
same "rows in another order, in several files" "2" $study data.csv release/ --queries 200 --classify disease --population 20000 --seed 4 --all
# Suppressed rows, and an algorithm by which ranks cannot search.
{ sed 's/^  measure: lm/&\n  suppression: 0.05/' $study; echo "algorithm: sequential"; } >other.yaml
"$kith" anonymize other.yaml -i data.csv -o other.csv --seed 5 --keep-order --quiet
same "another algorithm" "3" other.yaml data.csv other.csv
# What is wrong is said in the words of one process.
sed '1200d' release.csv >fewer.csv
same "fewer rows" "3" $study data.csv fewer.csv
[ ! -s one ] || fail "fewer rows are measured"
same "no such column" "3" $study data.csv release.csv --classify nothing
same "a population that is too small" "3" $study data.csv release.csv --population 100
# A report is one file, which the first rank writes.
ranks 3 "$kith" measure $study data.csv release.csv --report page.html >out
grep -q '</html>' page.html || fail "no report"
status=0
ranks 3 "$kith" measure $study data.csv release.csv --special-uniques 2 >out 2>err || status=$?
[ $status = 2 ] || { cat out err >&2; fail "special uniques: status $status"; }
[ "$(grep -c '^kith: error: ' err)" = 1 ] || { cat err >&2; fail "special uniques: not one message"; }
grep -qF "special uniques are not supported with MPI ranks" err || { cat err >&2; fail "special uniques: another message"; }
echo "passed"
