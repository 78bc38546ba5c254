#!/usr/bin/env bash
# The program and the shared library were built with the hardening of cmake/flags.cmake.
# usage: hardening.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$1 build=$3
export LC_ALL=C
cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# Each looks at one file. grep reads to the end, lest readelf dies of a closed pipe.
is_pie() { readelf -hW "$1" | grep 'Type: *DYN' >/dev/null && readelf -dW "$1" | grep 'FLAGS_1.*PIE' >/dev/null; }
has_relro() { readelf -lW "$1" | grep GNU_RELRO >/dev/null; }
binds_at_start() { readelf -dW "$1" | grep -E 'BIND_NOW|FLAGS_1.*NOW' >/dev/null; }
keeps_stack_data() { readelf -lW "$1" | grep -E 'GNU_STACK .* RW  ' >/dev/null; }
has_canaries() { nm -D "$1" | grep -w U | grep __stack_chk_fail >/dev/null; }
has_fortified_calls() { nm -D "$1" | grep -w U | grep -E '__(mem|str|v?s?n?f?printf)[a-z]*_chk' >/dev/null; }
has_branch_marks() { readelf -nW "$1" | grep 'x86 feature: IBT, SHSTK' >/dev/null; }

failed=0
expect() { "$1" "$2" || { echo "$2: not so: $1"; failed=1; }; }

is_pie "$kith" || { echo "$kith is no position-independent executable"; failed=1; }
for file in "$kith" "$build/libkith.so"; do
  for property in has_relro binds_at_start keeps_stack_data has_canaries; do expect $property "$file"; done
done

# glibc's checks come with optimization, and without sanitizers only.
type=$(cache CMAKE_BUILD_TYPE)
flags="$(cache CMAKE_C_FLAGS) $(cache "CMAKE_C_FLAGS_${type^^}")"
if [ -z "$(cache KITH_SANITIZE)" ] && [[ "$flags" == *-O[123s]* ]]; then
  for file in "$kith" "$build/libkith.so"; do expect has_fortified_calls "$file"; done
fi

# A linker marks a file for control-flow protection only if all of its objects are marked, and Debian's
# start files are not: the installed static library has our objects alone.
if [ "$(uname -m)" = x86_64 ]; then
  unmarked=-fcf-protection=none
  expect has_branch_marks "$build/libkith.a"
fi

# Nothing in a finished file tells of stack clash protection.
commands=$(grep '"command":.*/src/' "$build/compile_commands.json")
if grep -v -e '-fstack-clash-protection' <<<"$commands"; then
  echo "compiled without stack clash protection"; failed=1
fi
[ $failed = 0 ] || exit 1

# The checks above see what is missing: a program with nothing of it fails each of them.
weak=$(mktemp -d)
trap 'rm -rf "$weak"' EXIT
cat >"$weak/weak.c" <<'SOURCE'
#include <string.h>
int main(int argc, char **argv)
{
    char copy[64];
    return argc > 1 ? strcpy(copy, argv[1])[0] : 0;
}
SOURCE
"$(cache CMAKE_C_COMPILER)" -O1 -U_FORTIFY_SOURCE -fno-stack-protector ${unmarked:-} -no-pie -Wl,-z,norelro \
  -Wl,-z,lazy -Wl,-z,execstack -o "$weak/weak" "$weak/weak.c" 2>/dev/null
for property in is_pie has_relro binds_at_start keeps_stack_data has_canaries has_fortified_calls has_branch_marks; do
  if $property "$weak/weak"; then echo "$property does not see what is missing"; exit 1; fi
done
