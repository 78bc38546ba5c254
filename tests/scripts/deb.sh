# scripts/make-deb on this build: three packages with what belongs into them, and lintian, where it is
# installed, finds no error.
set -eu
kith=$1; source=$2; build=$3
if nm -D "$build"/libkith.so 2>/dev/null | grep -qE '__(asan|tsan|gcov)_'; then echo "instrumented build"; exit 0; fi
"$kith" --version >/dev/null 2>&1 || { echo "a build for another processor"; exit 0; }
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
fail() { echo "deb: $*" >&2; exit 1; }
"$source/scripts/make-deb" "$build" "$scratch/packages" >"$scratch/list"
[ "$(wc -l <"$scratch/list")" = 3 ] || fail "$(cat "$scratch/list")"
for package in kith libkith0 libkith-dev; do
  dpkg-deb -x "$scratch/packages/$package"_*.deb "$scratch/$package"
  [ -s "$scratch/$package/usr/share/doc/$package/copyright" ] || fail "$package has no copyright"
done
[ "$("$scratch/kith/usr/bin/kith" --version)" = "$("$kith" --version)" ] || fail "another version"
[ -s "$scratch/kith/usr/share/man/man5/kith-study.5.gz" ] || fail "no kith-study(5)"
[ -z "$(find "$scratch/kith" -name '*.so*' -o -name '*.h')" ] || fail "kith has files of the libraries"
[ -n "$(find "$scratch/libkith0" -name 'libkith.so.0')" ] || fail "no shared library"
[ -n "$(find "$scratch/libkith-dev" -name kith.pc)" ] && [ -s "$scratch/libkith-dev/usr/include/kith/kith.h" ] || fail "no header"
dpkg-deb -f "$scratch/packages"/kith_*.deb Depends | grep -q libsodium || fail "no dependencies"
# This build is for another prefix than that of `make deb`, so its libraries lie elsewhere.
if command -v lintian >/dev/null; then
  lintian --suppress-tags arch-dependent-file-not-in-arch-specific-directory --fail-on error "$scratch/packages"/*.deb >"$scratch/lintian" 2>&1 || fail "$(cat "$scratch/lintian")"
fi
