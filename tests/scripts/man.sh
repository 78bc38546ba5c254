# The manual pages that tools/make-man writes: one per command and verb, well-formed, complete.
set -eu
kith=$1 source=$2
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
fail() { echo "man: $*" >&2; exit 1; }
"$source/tools/make-man" "$kith" "$scratch/man"

[ -f "$scratch/man/kith.1" ] || fail "no kith.1"
pages=1
"$source/tools/help-tree" "$kith" | cut -f1 >"$scratch/commands"
grep -qx generate "$scratch/commands" || fail "generate is not listed"
while read -r words; do
  page="$scratch/man/kith-$(echo "$words" | tr ' ' -).1"
  [ -f "$page" ] || fail "no page for $words"
  pages=$((pages + 1))
  # every option of the help page stands in the manual
  "$kith" $words --help </dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' >"$scratch/options"
  while read -r option; do
    sed 's/\\-/-/g' "$page" | grep -q -e "^\.B .*$option" || fail "$page lacks $option"
  done <"$scratch/options"
done <"$scratch/commands"
[ "$(ls "$scratch/man" | wc -l)" = $pages ] || fail "pages that belong to no command"

for page in "$scratch"/man/*.1; do
  [ "$(head -c 4 "$page")" = ".TH " ] || fail "$page does not begin with .TH"
  for section in NAME SYNOPSIS DESCRIPTION EXAMPLES "EXIT STATUS" "SEE ALSO"; do
    [ "$(grep -c "^\.SH $section\$" "$page")" = 1 ] || fail "$page: section $section"
  done
  [ "$(grep -c '^\.nf$' "$page")" = "$(grep -c '^\.fi$' "$page")" ] || fail "$page: .nf without .fi"
  ! LC_ALL=C grep -n '[^ -~]' "$page" || fail "$page: not plain ASCII"
  if command -v groff >/dev/null; then
    groff -man -ww -z "$page" >"$scratch/warnings" 2>&1 || true
    [ ! -s "$scratch/warnings" ] || { cat "$scratch/warnings"; fail "$page: groff complains"; }
  fi
done

# the study file
"$source/tools/make-man5" "$kith" "$source/docs/study.md" >"$scratch/kith-study.5"
page="$scratch/kith-study.5"
! LC_ALL=C grep -n '[^ -~]' "$page" || fail "$page: not plain ASCII"
[ "$(grep -c '^\.nf$' "$page")" = "$(grep -c '^\.fi$' "$page")" ] || fail "$page: .nf without .fi"
if command -v groff >/dev/null; then
  groff -man -ww -z "$page" >"$scratch/warnings" 2>&1 || true
  [ ! -s "$scratch/warnings" ] || { cat "$scratch/warnings"; fail "$page: groff complains"; }
fi
# every key of the first tables has an entry
sed -n 's/^| `\([a-z_]*\)` |.*/\1/p' "$source/docs/study.md" >"$scratch/keys"
[ "$(wc -l <"$scratch/keys")" -gt 30 ] || fail "docs/study.md: no keys found"
while read -r key; do
  grep -q "^\\\\fB$key\\\\fR" "$page" || fail "$page lacks $key"
done <"$scratch/keys"
grep -q '^\.SH SIGNALS' "$scratch/man/kith.1" && grep -q '^\.SH FILES' "$scratch/man/kith.1" || fail "kith.1: signals and files"

# wrong usage
! "$source/tools/make-man" 2>"$scratch/usage" || fail "no arguments are accepted"
grep -q "^usage: make-man KITH OUTDIR" "$scratch/usage" || fail "no usage line"
echo "$pages pages"
