# Progress and Ctrl-C: a bar on a terminal (a pseudo terminal made by script(1)), one line per phase
# elsewhere, nothing with --quiet or --no-progress; interrupted work leaves no file.
set -eu
kith=$1
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "progress: $*" >&2; exit 1; }
endless="generate survey -n 100000000000 --threads 1"
# --foreground: one signal, to the program alone; a second one would end it without a word.
interrupted() { timeout --foreground --preserve-status -s INT "$@"; }

# elsewhere: one line, and the interruption
status=0; interrupted 2.5 "$kith" $endless -o - >/dev/null 2>err || status=$?
[ $status = 130 ] || fail "status $status instead of 130"
printf 'kith: generate …\nkith: interrupted\n' | cmp -s - err || { cat err; fail "lines"; }

# hidden
for option in --quiet --no-progress; do
  status=0; interrupted 1.6 "$kith" $endless $option -o - >/dev/null 2>err || status=$?
  [ "$status:$(cat err)" = "130:kith: interrupted" ] || { cat err; fail "$option"; }
done

# short work shows nothing
"$kith" generate survey -n 10 -o - >/dev/null 2>err
[ ! -s err ] || fail "short work speaks"

# no partial file
status=0; interrupted 0.5 "$kith" $endless -o x.csv 2>err || status=$?
[ $status = 130 ] || fail "status $status of an interrupted file"
rm -f err
[ -z "$(ls)" ] || { ls; fail "something is left"; }

# a terminal
script -qec true probe >/dev/null 2>&1 </dev/null ||
  { echo "no pseudo terminals here: terminal not tested"; exit 0; }
status=0
script -qec "timeout --foreground --preserve-status -s INT 2.5 '$kith' $endless -o - >/dev/null" \
  seen >/dev/null </dev/null || status=$?
[ $status = 130 ] || fail "status $status on a terminal"
grep -q 'generate      \[\.\{30\}\]   0%' seen || { cat -v seen; fail "no bar"; }
clear=$(printf '\r\033[K')
tr -d '\n' <seen | grep -qF "${clear}kith: interrupted" || { cat -v seen; fail "bar not cleared"; }
echo ok
