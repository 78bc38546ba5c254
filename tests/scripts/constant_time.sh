#!/usr/bin/env bash
# No branch and no address in masks, streams and transfers depends on a secret, as valgrind sees it.
# usage: constant_time.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
program="$3/tests/constant_time"
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 1; }
# A sanitizer and valgrind do not go together.
if nm "$program" 2>/dev/null | grep -qE '__(asan|tsan)_init'; then echo "skipped"; exit 0; fi
check() { valgrind -q --error-exitcode=9 "$program" "$@" 2>&1; }
if check leak >/dev/null; then echo "a branch on a secret was not noticed"; exit 1; fi
check
