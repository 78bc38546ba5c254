#!/usr/bin/env bash
# scripts/check-house accepts a small tree with rooms, and refuses it once a rule is broken.
# usage: house.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"

file() { mkdir -p "$(dirname "$1")"; printf '%s\n' "${@:2}" >"$1"; }
fresh() {
  rm -rf "${tree:?}"/* .git
  mkdir scripts tools
  cp "$source/scripts/check-house" scripts
  cp "$source/tools/check-layers.awk" tools
  file tools/layers.txt '# comment' 'core:' 'search: core' 'search/slots: core search # comment' \
    'search/weave: search search/slots' 'search/search.c: search/*' 'job: search/*'
  file src/core/arena.h ''
  file src/search/problem.h '#include <kith/table.h>' '#include "core/arena.h"'
  file src/search/search.c '#include "search/problem.h"' '#include "search/slots/slots.h"' '#include "search/weave/weave.h"'
  file src/search/slots/slots.h '#include "search/problem.h"'
  file src/search/weave/weave.h '#include "search/slots/slots.h"' '#include "search/weave/patch.h"'
  file src/search/weave/patch.h ''
  file src/job/anonymize.c '#include "search/weave/weave.h"' '#include "search/slots/slots.h"'
  git init -q
}

# refused WHAT COMMAND…: after the command, the tree is refused with a message that contains WHAT.
refused() {
  fresh
  "${@:2}"
  if scripts/check-house >out 2>&1; then echo "accepted: ${*:2}"; exit 1; fi
  grep -qF -- "$1" out || { echo "expected \"$1\" after ${*:2}, got:"; cat out; exit 1; }
}
many() { for i in $(seq 38); do file "$1/f$i.h" ''; done; }

fresh
scripts/check-house

refused 'src/core/arena.h:1: src/core may not include search' file src/core/arena.h '#include "search/problem.h"'
refused 'src/search may not include search/slots' file src/search/problem.h '#include "search/slots/slots.h"'
refused 'src/search/slots may not include search/weave' file src/search/slots/slots.h '#include "search/weave/weave.h"'
refused 'src/search/weave may not include core' file src/search/weave/weave.h '#include "core/arena.h"'
refused 'src/job may not include search' file src/job/anonymize.c '#include "search/problem.h"'
refused 'write #include "module/file.h"' file src/search/problem.h '#include "arena.h"'
refused 'write #include "module/file.h"' file src/search/problem.h '#include "../core/arena.h"'
refused 'deeper than' file src/search/weave/deep/x.h ''
refused 'no line for src/verify' file src/verify/verify.h ''
refused 'no line for src/search/lattice' file src/search/lattice/flash.h ''
refused 'there is no src/search/weave' rm -r src/search/weave
refused 'search must stand above core' sed -i 's/^core:/core: search/' tools/layers.txt
refused 'src/core has no rooms' sed -i 's/^job:/job: core\/*/' tools/layers.txt
refused 'src/core: 39 files' many src/core # which has no rooms
refused 'src/search/weave: 40 files' many src/search/weave
refused 'src/search: 40 files' many src/search

# Formatting and paths are looked at in files that git knows.
track() { file "$@"; git add "$1"; }
if clang-format --version 2>/dev/null | grep -q ' version 14\.'; then
  refused 'code should be clang-formatted' track src/core/x.c 'int   x;'
fi
fresh
mkdir notes
track notes/a.md '# One: `two`, *three* (4)' 'See [this](#one-two-three-4), [that](../b.md#five).' '```' '# comment' '[x](#x)' '```'
track b.md '## Five'
file docs/architecture.md '| `search` | `weave` | words |'
track src/search/weave/patch.h '#include "search/slots/slots.h"'
scripts/check-house
refused 'b.md:1: the link leads nowhere: c.md' track b.md '[c](c.md#five)'
refused 'b.md:2: there is no section #six' track b.md '## Five' 'See [six](#six).'
refused 'docs/architecture.md: no line names src/search/weave' track src/search/weave/patch.h ''
refused 'absolute paths of a machine' track notes.md "see /home""/somebody"
