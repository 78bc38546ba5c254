#!/usr/bin/env bash
# kith verify and kith measure of sorted releases of 'kith generate hospital': processor seconds, peak memory, the check that was
# made, and the time at 4 n rows divided by that at n. Rows are given in ascending order, four times as many each.
#   bench/verify_sorted.sh BUILD ROWS…        bench/verify_sorted.sh build/release 80000 320000 1280000
# ALGORITHM=mondrian makes the releases by another algorithm than the default.
set -eu
build=$(realpath "$1"); shift
kith=$build/kith
work=$(mktemp -d "${TMPDIR:-/tmp}/kith-sorted.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# timed NAME COMMAND…: a line of figures, the best of three; the ratio is to the line of this name before.
timed() { python3 - "$work" "$@" <<'END'
import json, os, subprocess, sys
work, name, *command = sys.argv[1:]
best, memory = None, 0
for _ in range(3):
    child = subprocess.Popen(command + ["--threads", "1", "--quiet", "--force", "--summary", work + "/verdict.json"],
                             stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, command
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3
    best = seconds if best is None else min(best, seconds)
check = json.load(open(work + "/verdict.json")).get("cover", {}).get("check", "models only")
known = {}
if os.path.exists(work + "/before.json"):
    known = json.load(open(work + "/before.json"))
ratio = "%.1f" % (best / known[name]) if name in known else ""
json.dump({**known, name: best}, open(work + "/before.json", "w"))
print("  %-30s %-12s %8.2f s %6.0f MB %6s" % (name, check, best, memory, ratio))
END
}
for rows in "$@"; do
  "$kith" generate hospital -n "$rows" --seed 1 -o "$work/data.csv" --quiet --force
  [ -z "${ALGORITHM:-}" ] || echo "algorithm: $ALGORITHM" >>"$work/data.study.yaml"
  "$kith" anonymize "$work/data.study.yaml" -i "$work/data.csv" -o "$work/release.csv" --mapping "$work/mapping.csv" \
    --seed 1 --quiet --force
  echo "$rows rows"
  judged=("$work/data.study.yaml" "$work/release.csv" --data "$work/data.csv")
  compared=("$work/data.study.yaml" "$work/data.csv" "$work/release.csv")
  timed "verify" "$kith" verify "$work/data.study.yaml" "$work/release.csv"
  timed "verify --data" "$kith" verify "${judged[@]}"
  timed "verify --data --mapping" "$kith" verify "${judged[@]}" --mapping "$work/mapping.csv"
  timed "measure" "$kith" measure "${compared[@]}"
  timed "measure --mapping" "$kith" measure "${compared[@]}" --mapping "$work/mapping.csv"
done
