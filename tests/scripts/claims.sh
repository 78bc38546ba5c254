#!/usr/bin/env bash
# Every claim of docs/threat-model.md names a test, and the test exists: a program, or a case in it.
# usage: claims.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
page=$source/docs/threat-model.md
fail() { echo "claims: $1" >&2; exit 1; }
# Rows of tables, without their headings; the last cell names tests.
rows=$(grep -c '^| .* | `.*` |$' "$page")
all=$(grep '^|' "$page" | grep -vc '^|---|---|$\|^| claim | held by |$')
[ "$rows" = "$all" ] || fail "a claim names no test: $(grep '^|' "$page" | grep -v '^|---|---|$\|^| claim | held by |$\|| `.*` |$')"
[ "$rows" -gt 30 ] || fail "only $rows claims were found"
found=0
while IFS= read -r test; do
  name=${test%%:*} case=
  [ "$name" = "$test" ] || case=${test#*: }
  case $name in
  scripts/*) file=$source/tests/$name.sh ;;
  cli/*/*) file=$source/tests/$name.cmd ;;
  fault/* | property/* | exhaustive/*) file=$source/tests/$name.c ;;
  *) file=$source/tests/unit/$name.c ;;
  esac
  [ -f "$file" ] || fail "there is no test $name"
  [ -z "$case" ] || grep -q "cmocka_unit_test[a-z_]*($case" "$file" || fail "$name has no case $case"
  found=$((found + 1))
done < <(grep '^|' "$page" | grep -v '^|---|---|$\|^| claim | held by |$' | sed 's/.* | \(`.*`\) |$/\1/' | grep -o '`[^`]*`' | tr -d '`')
[ "$found" -ge "$rows" ] || fail "$found tests for $rows claims"
echo "claims: $rows claims, $found tests"
