# `make install` into an empty prefix: an embedder finds header, libraries, pkg-config file, and sees
# kith_* symbols only; the examples build against it, statically and dynamically.
set -eu
kith=$1; source=$2; build=$3
prefix=$(mktemp -d); trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null

test -x "$prefix/bin/kith"
test -s "$prefix/share/man/man1/kith-anonymize.1"
test -s "$prefix/share/bash-completion/completions/kith"
test -s "$prefix/share/man/man5/kith-study.5"
test -s "$prefix/share/zsh/site-functions/_kith"
test -s "$prefix/share/fish/vendor_completions.d/kith.fish"
test -s "$prefix/share/kith/study.schema.json"
for document in README.md docs/study.md docs/operators-guide.md docs/protocols/weave.md bench/notes/weave.md; do
  test -s "$prefix/share/doc/kith/$document"
done
# What README.md links to is there.
sed -n 's/.*](\([a-zA-Z/_-]*\.\(md\|c\)\)).*/\1/p' "$prefix/share/doc/kith/README.md" | while read -r linked; do
  test -s "$prefix/share/doc/kith/$linked" || test "$linked" = CONTRIBUTING.md || { echo "README links to $linked"; exit 1; }
done
libdir=$(dirname "$(find "$prefix" -name libkith.a)")
strangers=$( { nm -g --defined-only "$libdir/libkith.a"; nm -D --defined-only "$libdir/libkith.so"; } 2>/dev/null |
  awk 'NF == 3 && $3 !~ /^kith_/ { print $3 }')
[ -z "$strangers" ] || { echo "symbols that are not kith_*: $strangers"; exit 1; }
# blst is inside and invisible, with its licence.
if grep -q '^KITH_PROTOCOLS:.*id-based' "$build/CMakeCache.txt"; then
  nm "$libdir/libkith.a" | grep -q ' t blst_miller_loop$'
  test -s "$prefix/share/doc/kith/LICENSE.blst"
fi
readelf -d "$libdir/libkith.so" | grep -q 'SONAME.*\[libkith.so.0\]'

# Sanitizer builds need their runtime; the plain build is what gets installed.
if nm -D "$libdir/libkith.so" | grep -qE '__(asan|tsan|gcov)_'; then echo "instrumented build: symbols only"; exit 0; fi

export PKG_CONFIG_PATH="$libdir/pkgconfig"
test "$(pkg-config --modversion kith)" = "$("$kith" --version | cut -d' ' -f2)"
for example in embed columns; do
  cc -std=c17 -Wall -Werror -o "$prefix/dynamic" "$prefix/share/doc/kith/examples/$example.c" $(pkg-config --cflags --libs kith)
  LD_LIBRARY_PATH="$libdir" "$prefix/dynamic" >"$prefix/$example.out"
  test -s "$prefix/$example.out"
done
rm "$libdir"/libkith.so*
for example in embed columns; do
  cc -std=c17 -Wall -Werror -o "$prefix/static" "$source/examples/$example.c" $(pkg-config --cflags --static --libs kith)
  "$prefix/static" | cmp - "$prefix/$example.out"
done

# Uninstalling leaves nothing, and says so if there is nothing.
rm -rf "$prefix"/*
mkdir "$prefix/tree"
export DESTDIR="$prefix/tree"
cmake --install "$build" --prefix /usr >/dev/null
cp "$build/install_manifest.txt" "$prefix/manifest"
touch "$prefix/tree/usr/bin/other"
"$source/scripts/uninstall" "$prefix/manifest" | grep -q 'files removed'
left=$(find "$prefix/tree" -type f -o -type l)
[ "$left" = "$prefix/tree/usr/bin/other" ] || { echo "left behind: $left"; exit 1; }
[ -z "$(find "$prefix/tree" -type d -name kith)" ]
! "$source/scripts/uninstall" "$prefix/manifest" 2>"$prefix/err" || exit 1
grep -q 'nothing to uninstall' "$prefix/err"
