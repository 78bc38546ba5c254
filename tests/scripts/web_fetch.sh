#!/usr/bin/env bash
# scripts/fetch-web: the files of pages come only from packages with the right checksum; where they cannot, it
# says in one line what to do.
# usage: web_fetch.sh KITH SOURCE_DIRECTORY
set -euo pipefail
source=$2
. "$source/tests/helpers/fetch.bash" "$source" fetch-web
made=$tree/build/web
refuses Chart.js -DKITH_CHARTS=OFF chart.js

# A build without charts needs nothing.
mkdir "$tree/build/release"
echo 'KITH_CHARTS:BOOL=OFF' >"$tree/build/release/CMakeCache.txt"
before=$(npm_calls)
"$fetch" release || fail "failed where nothing is needed"
[ "$(npm_calls)" = "$before" ] || fail "asked for what nobody needs"
rm "$tree/build/release/CMakeCache.txt"

# Without network, from packages that were put there; two at once. A packager needs no accessibility checks.
cp "$source"/build/web/*.tgz "$made/"
"$fetch" install || fail "failed for a packager"
[ -s "$made/chart.js" ] || fail "there is no chart.js"
[ ! -e "$made/axe.js" ] || fail "gave a packager what only tests need"
fetch_twice
for file in chart.js chart.js.license axe.js axe.js.license; do
  [ -s "$made/$file" ] || fail "there is no $file"
done
! grep -q sourceMappingURL "$made/chart.js" || fail "names a file that is not there"
[ "$(npm_calls)" = "$before" ] || fail "asked the network for what is there"
[ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
echo "fetch-web: refuses, and takes what it is given"
