#!/usr/bin/env bash
# Calls to the system that fail, one by one, in every command: memory, files, sockets, threads, processes. A run
# ends with its result, or with one message, exit status 5 and every file as it was before or complete;
# tests/helpers/failing makes calls fail and judges. KITH_FAULTS="FIRST MORE" says how many calls of a kind fail:
# the first ones and some of the others; "all" means all. Without it, one call of every third kind fails, of other
# kinds from command to command.
# Usage: failing_calls.sh KITH SOURCE BUILD [GROUP]…
set -euo pipefail
kith=$(readlink -f "$1") source=$(readlink -f "$2") tools=$(readlink -f "$3")/tests
shift 3
# A sanitizer has its own memory, and must be loaded first.
if nm -D "$kith" | grep -qE '__(asan|tsan)_init'; then echo "skipped: instrumented build"; exit 0; fi
read -r first more <<<"${KITH_FAULTS:-0 1}"
[ "$first" != all ] || first=0 more=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/place" "$work/place/tmp"
cd "$work/place"
export TMPDIR=$work/place/tmp
. "$source/tests/helpers/failing/commands.bash"

memory=(memory:ENOMEM:once memory:ENOMEM:on map:ENOMEM:once)
files=(open:EMFILE:once open:EACCES:once mkdir:EROFS:once read:EIO:once write:ENOSPC:on write:EIO:once sync:EIO:once
  rename:EIO:once rename:EIO:on close:EIO:once status:EACCES:once lock:ENOLCK:once thread:EAGAIN:once thread:EAGAIN:on
  +read:EINTR:storm +read:short:once +write:EINTR:storm +write:short:once +random:EINTR:storm)
network=(socket:EMFILE:once connect:ECONNREFUSED:once accept:EMFILE:once accept:ECONNABORTED:once send:ECONNRESET:once
  send:ENOBUFS:once recv:ECONNRESET:once poll:ENOMEM:once process:EAGAIN:once
  +send:short:once +send:EINTR:storm +recv:short:once +recv:EINTR:storm +poll:EINTR:storm)

# drive NAME OPTION… FAULT… -- ACTOR…: the faults in the first of these processes.
campaign=0
drive() {
  local kind=$((++campaign)) n_kinds=0 name=$1 options=(--library "$tools/libfailing_preload.so" --state "$work/state" --first "$first" --more "$more")
  shift
  while [ "$1" != -- ]; do
    case $1 in
      --*) options+=("$1" "$2"); shift ;;
      *) [ -z "${KITH_FAULTS:-}" ] && [ $((kind++ % 3)) != 0 ] || { options+=(--fault "$1"); n_kinds=$((n_kinds + 1)); } ;;
    esac
    shift
  done
  shift
  [ $n_kinds -gt 0 ] || return 0
  "$tools/failing_calls" "$name" "${options[@]}" "$@" >>"$work/log" || touch "$work/failed"
  tail -n 1 "$work/log"
}
# tries NAME OPTION… -- ARGUMENT…: one process. Memory fails in a program whose arenas allocate every block.
tries() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  drive "$name" "${files[@]}" "${options[@]}" -- --victim "$kith" "$@"
  drive "$name, memory" "${memory[@]}" "${options[@]}" -- --victim "$tools/kith_blocks_apart" "$@"
}

groups=("$@")
[ $# -gt 0 ] || groups=(tables keys joint parties serving)
for group in "${groups[@]}"; do "commands_$group"; done
grep '^FAILED' "$work/log" || true
awk -F '[:,] ' '{ for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+ faults$/) { n += $i; runs++ } }
  END { print n " faults in " runs " campaigns" }' "$work/log"
[ ! -e "$work/failed" ]
