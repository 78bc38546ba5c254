# For tests of scripts/fetch-*: a tree of its own, and an npm that has no network and notes that it was called.
# usage: . fetch.bash SOURCE_DIRECTORY SCRIPT
# Sets dir (removed at the end), tree and fetch; the name of the directory that the script fills is `made`, set by the test.
fetched=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$dir/tree
fetch=$tree/scripts/$fetched
mkdir -p "$tree/scripts" "$tree/build" "$dir/bin"
cp "$1/scripts/$fetched" "$1/scripts/npm-archive" "$tree/scripts/"
printf '#!/bin/sh\necho call >>"%s/npm-calls"\necho "npm ERR! network" >&2\nexit 1\n' "$dir" >"$dir/bin/npm"
chmod +x "$dir/bin/npm"
export PATH="$dir/bin:$PATH"

fail() { echo "$fetched: $1"; exit 1; }

npm_calls() { [ ! -f "$dir/npm-calls" ] || wc -l <"$dir/npm-calls"; }

# refused PATTERN HINT FILE: it said PATTERN and then HINT in one line, and made neither FILE nor anything else.
refused() {
  [ "$(wc -l <"$dir/err")" = 1 ] || { cat "$dir/err"; fail "not one line"; }
  grep -q "$1.*$2" "$dir/err" || { cat "$dir/err"; fail "does not say: $1"; }
  [ ! -e "$made/$3" ] || fail "made something nevertheless"
  [ -z "$(find "$made" -name 'work.*')" ] || fail "left something behind"
}

# refuses NAME HINT FILE: where nothing may be fetched, without network, and with a package that has a wrong checksum. Sets
# archive, the package's name.
refuses() {
  if KITH_INSTALL=no "$fetch" 2>"$dir/err"; then fail "succeeded where nothing may be fetched"; fi
  refused "$1 is missing: 'make deps' fetches it" "$2" "$3"
  [ ! -e "$dir/npm-calls" ] || fail "called npm although nothing may be fetched"
  if "$fetch" 2>"$dir/err"; then fail "succeeded without network"; fi
  refused "Cannot fetch $1" "$2" "$3"
  archive=$(sed -n "s/.* put \(.*\) into build\/$(basename "$made").*/\1/p" "$dir/err")
  [ -n "$archive" ] || { cat "$dir/err"; fail "does not say which package to put where"; }
  echo "not the package" >"$made/$archive"
  if "$fetch" 2>"$dir/err"; then fail "took a package with a wrong checksum"; fi
  refused 'SHA-256' "$2" "$3"
  [ ! -e "$made/$archive" ] || fail "kept a package with a wrong checksum"
}

# Two at once.
fetch_twice() {
  "$fetch" & local first=$!
  "$fetch" & local second=$!
  wait $first || fail "the first of two failed"
  wait $second || fail "the second of two failed"
}
