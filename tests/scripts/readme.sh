#!/usr/bin/env bash
# The commands of README.md, one after the other, as they are written: all but those of make, with fewer
# rows and with ports that are free.
set -euo pipefail
kith=$(readlink -f "$1") source=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "readme: $1" >&2; exit 1; }
mkdir bin; ln -s "$kith" bin/kith; export PATH="$work/bin:$PATH"
ports=()
port=$((20000 + RANDOM % 12000))
while [ ${#ports[@]} -lt 2 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=($port)
done
awk '/^```/ { on = !fenced && $0 == "```"; fenced = !fenced; next } on && !/^(sudo )?make /' "$source/README.md" |
  sed -e 's/20000/1200/; s/10001/601/; s/10000/600/' -e "s/:7001/:${ports[0]}/; s/:7002/:${ports[1]}/" >commands
[ "$(grep -c '^kith ' commands)" -ge 15 ] || fail "only $(grep -c '^kith ' commands) commands found"
# One shell for all, which stops at the first that fails, and waits for what runs in the background.
{ echo 'set -eu'; cat commands; echo 'wait $!'; } >all.sh
bash all.sh >out 2>err </dev/null || { cat err; fail "a command fails"; }
for file in release.csv my.study.yaml run/release.csv joint.study.yaml at-north/release.csv; do
  [ -s $file ] || fail "there is no $file"
done
cmp at-north/release.csv at-south/release.csv || fail "the sites have different releases"
# The first example prints what README.md shows.
awk '/^```console$/ { on = 1; next } /^```/ { on = 0 } on' "$source/README.md" >shown
(cd "$(cp -r "$source/examples/clinic" clinic && echo clinic)"
 sed -n 's/^\$ //p' ../shown | while read -r line; do echo "\$ $line"; bash -euc "$line"; done) >printed
[ -s shown ] && diff shown printed >&2 || fail "the first example prints something else"
# Options that README.md names exist. Help goes to a file: a grep that ends early would make kith fail.
has_json() { kith "$@" --help >help && grep -q -e --json help; }
for command in $(kith --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
  case $command in serve | console) continue ;; esac
  has_json $command && continue
  # a command with verbs: each of them has it
  "$source/tools/help-tree" kith | cut -f1 | grep "^$command " | while read -r words; do
    has_json $words || fail "kith $words has no --json"
  done
done
