#!/usr/bin/env bash
# No branch and no address depends on a secret, as valgrind sees it in the code that this build ships:
# in masks, streams and transfers, and in whole secure primitives, except for what constant_time.supp lists.
# usage: constant_time.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
programs="$3/tests"
exceptions="$2/tests/helpers/constant_time.supp"
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 1; }
# A sanitizer and valgrind do not go together.
if nm "$programs/constant_time" 2>/dev/null | grep -qE '__(asan|tsan)_init'; then echo "skipped"; exit 0; fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

check() { valgrind -q --error-exitcode=9 "$programs/constant_time" "$@" 2>&1; }
if check leak >/dev/null; then echo "a branch on a secret was not noticed"; exit 1; fi
check

# Whole primitives, of two parties (oblivious transfers) and of three.
primitives() {
  valgrind -s --error-limit=no --error-exitcode=9 --suppressions="$exceptions" \
    "$programs/constant_time_primitives" "$@"
}
if primitives 3 leak >"$dir/leak" 2>&1; then echo "a branch on an input was not noticed"; exit 1; fi
grep -q 'take_part (constant_time_primitives' "$dir/leak" || { cat "$dir/leak"; exit 1; }
for m in 2 3; do
  primitives $m >"$dir/$m" 2>&1 || { cat "$dir/$m"; exit 1; }
done
# An exception that nothing needs would hide the next one.
sed -n '/^{/{n;s/^ *//;p}' "$exceptions" | while read -r name; do
  grep -qF "$name" "$dir/2" "$dir/3" || { echo "not needed: $name"; exit 1; }
done
echo "primitives of 2 and 3 parties: nothing but the exceptions listed"
