#!/usr/bin/env bash
# A build of single protocols has the sources of those alone, and the pairing library only with id-based.
set -eu
source=$2
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
fail() { echo "protocols: $*"; exit 1; }
configure() { # PROTOCOLS
  cmake -S "$source" -B "$dir/build" -G Ninja -DKITH_TESTS=OFF -DKITH_CHARTS=OFF -DKITH_CONSOLE=OFF -DKITH_MPI=OFF \
    "-DKITH_PROTOCOLS=$1" >"$dir/log" 2>&1
}
modules() { grep -oE '[a-z_]+_module\.c\.o' "$dir/build/build.ninja" | sort -u | paste -sd' '; }
configure "mondrian;weave" || fail "$(cat "$dir/log")"
[ "$(modules)" = "mondrian_module.c.o weave_module.c.o" ] || fail "has $(modules)"
grep -q '{&protocol_weave, &protocol_mondrian, NULL}' "$dir/build/assets/protocols.c" || fail "another order"
grep -qE 'protocol/(rows|columns|view|id_based)/|libblst' "$dir/build/build.ninja" && fail "builds other protocols, too"
configure id-based || fail "$(cat "$dir/log")"
grep -q libblst "$dir/build/build.ninja" || fail "id-based does without pairings"
grep -q 'modules/absent/id_based' "$dir/build/build.ninja" && fail "id-based is absent and built"
configure mondrain && fail "builds a protocol that does not exist"
grep -q 'there is no protocol mondrain' "$dir/log" || fail "$(cat "$dir/log")"
echo "protocols: two, one, none of that name"
