#!/usr/bin/env bash
# scripts/fetch-web: the files of pages come only from packages with the right checksum; where they cannot, it
# says in one line what to do.
# usage: web_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "fetch-web: $1"; exit 1; }

# A tree of its own, and an npm that has no network and notes that it was called.
mkdir -p "$dir/tree/scripts" "$dir/tree/build" "$dir/bin"
cp "$source"/scripts/{fetch-web,npm-archive} "$dir/tree/scripts/"
printf '#!/bin/sh\necho call >>"%s/calls"\necho "npm ERR! network" >&2\nexit 1\n' "$dir" >"$dir/bin/npm"
chmod +x "$dir/bin/npm"
export PATH="$dir/bin:$PATH"
fetch="$dir/tree/scripts/fetch-web"
web="$dir/tree/build/web"
calls() { [ ! -f "$dir/calls" ] || wc -l <"$dir/calls"; }

refused() {  # PATTERN
  [ "$(wc -l <"$dir/err")" = 1 ] || { cat "$dir/err"; fail "not one line"; }
  grep -q "$1.*-DKITH_CHARTS=OFF" "$dir/err" || { cat "$dir/err"; fail "does not say: $1"; }
  [ ! -e "$web/chart.js" ] || fail "made something nevertheless"
  [ -z "$(find "$web" -name 'work.*')" ] || fail "left something behind"
}
if "$fetch" 2>"$dir/err"; then fail "succeeded without network"; fi
refused 'Cannot fetch Chart.js'
archive=$(sed -n 's/.* put \(.*\) into build\/web.*/\1/p' "$dir/err")
echo "not the package" >"$web/$archive"
if "$fetch" 2>"$dir/err"; then fail "took a package with a wrong checksum"; fi
refused 'SHA-256'
[ ! -e "$web/$archive" ] || fail "kept a package with a wrong checksum"

# A build without charts needs nothing.
mkdir "$dir/tree/build/release"
echo 'KITH_CHARTS:BOOL=OFF' >"$dir/tree/build/release/CMakeCache.txt"
before=$(calls)
"$fetch" release || fail "failed where nothing is needed"
[ "$(calls)" = "$before" ] || fail "asked for what nobody needs"
rm "$dir/tree/build/release/CMakeCache.txt"

# Without network, from packages that were put there; two at once. A packager needs no accessibility checks.
cp "$source"/build/web/*.tgz "$web/"
"$fetch" install || fail "failed for a packager"
[ -s "$web/chart.js" ] || fail "there is no chart.js"
[ ! -e "$web/axe.js" ] || fail "gave a packager what only tests need"
"$fetch" & first=$!
"$fetch" & second=$!
wait $first || fail "the first of two failed"
wait $second || fail "the second of two failed"
for file in chart.js chart.js.license axe.js axe.js.license; do
  [ -s "$web/$file" ] || fail "there is no $file"
done
! grep -q sourceMappingURL "$web/chart.js" || fail "names a file that is not there"
[ "$(calls)" = "$before" ] || fail "asked the network for what is there"
[ -z "$(find "$web" -name 'work.*')" ] || fail "left something behind"
echo "fetch-web: refuses, and takes what it is given"
