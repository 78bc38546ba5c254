#!/usr/bin/env bash
# No branch and no address depends on a secret, as valgrind sees it in the code that this build ships:
# in masks, streams and transfers, in whole secure primitives and in pairings, except for what
# constant_time.supp and constant_time_pairing.supp list.
# usage: constant_time.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
programs="$3/tests"
helpers="$2/tests/helpers"
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
  valgrind -s --error-limit=no --error-exitcode=9 --suppressions="$helpers/constant_time.supp" \
    "$programs/constant_time_primitives" "$@"
}
if primitives 3 leak >"$dir/leak" 2>&1; then echo "a branch on an input was not noticed"; exit 1; fi
grep -q 'take_part (constant_time_primitives' "$dir/leak" || { cat "$dir/leak"; exit 1; }
for m in 2 3; do
  primitives $m >"$dir/$m" 2>&1 || { cat "$dir/$m"; exit 1; }
done
# An exception that nothing needs would hide the next one.
all_needed() {  # EXCEPTIONS LOG…
  sed -n '/^{/{n;s/^ *//;p}' "$1" | while read -r name; do
    grep -qF "$name" "${@:2}" || { echo "not needed: $name"; exit 1; }
  done
}
all_needed "$helpers/constant_time.supp" "$dir/2" "$dir/3"
echo "primitives of 2 and 3 parties: nothing but the exceptions listed"

# Pairings and identity-based encryption, unless built without.
pairing() {
  valgrind -s --error-limit=no --error-exitcode=9 --suppressions="$helpers/constant_time_pairing.supp" \
    "$programs/constant_time_pairing" "$@"
}
if [ ! -x "$programs/constant_time_pairing" ]; then echo "built without pairings"; exit 0; fi
if pairing leak >"$dir/leak" 2>&1; then echo "a branch on a random scalar was not noticed"; exit 1; fi
grep -q 'leak (constant_time_pairing' "$dir/leak" || { cat "$dir/leak"; exit 1; }
pairing >"$dir/pairing" 2>&1 || { cat "$dir/pairing"; exit 1; }
all_needed "$helpers/constant_time_pairing.supp" "$dir/pairing"
echo "pairings: nothing but the exceptions listed"
