#!/usr/bin/env bash
# Reports: a public one says nothing that is not in the release, names are text, nothing is loaded, and what
# is confidential says so.
set -eu
kith=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "report: $1"; exit 1; }

"$kith" generate hospital -n 1500 -o p.csv -q --seed 1
"$kith" simulate p.study.yaml -i p.csv --sites 3 -o run --in-process -q --no-progress
"$kith" report run -o public.html -q

# The same release with every other figure of the run changed: the same report, byte by byte. Keys that stay
# are those that a reader of the release can compute, and the names of things.
mkdir other
cp run/release.csv other/
python3 - run/summary.json other/summary.json <<'PYTHON'
import json, sys
d = json.load(open(sys.argv[1]))
public = {"kith", "command", "study", "records", "classes", "smallest_class", "suppressed", "models", "certainty", "released_as_is",
          "quasi_identifiers", "protocol"}
def spoil(v):
    if isinstance(v, dict):
        return {k: spoil(x) for k, x in v.items()}
    if isinstance(v, list):
        return [spoil(x) for x in v]
    return v if isinstance(v, bool) else "spoilt" if isinstance(v, str) else 12345.678
changed = {k: v if k in public else spoil(v) for k, v in d.items()}
changed["loss"]["lm"] = d["loss"]["lm"]
changed["risk"]["after"] = d["risk"]["after"]
for name, loss in changed["attribute_loss"].items():
    loss["lm"] = d["attribute_loss"][name]["lm"]
changed["protocol"] = {k: v if k == "name" else spoil(v) for k, v in d["protocol"].items()}
assert changed["risk"]["before"] != d["risk"]["before"] and changed["seconds"] != d["seconds"]
json.dump(changed, open(sys.argv[2], "w"))
PYTHON
"$kith" report other -o other.html -q
cmp public.html other.html || fail "a public report depends on more than the release"
! grep -q 'Confidential:' public.html || fail "a public report says that it is confidential"
[ "$(stat -c %a public.html)" = 644 ] || [ "$(umask)" != 0022 ] || fail "a public report is not readable"

# What is confidential says so at the top and at the end, and only its owner may read it.
"$kith" report run -o internal.html --internal --study p.study.yaml --data p.csv -q
[ "$(grep -c 'Confidential:' internal.html)" = 2 ] || fail "an internal report does not say it twice"
[ "$(stat -c %a internal.html)" = 600 ] || fail "an internal report is readable by others"
for part in risk distributions associations queries joint; do
  grep -q "id=\"$part\"" internal.html || fail "the internal report lacks $part"
  ! grep -q "<section id=\"$part\"" public.html || fail "the public report has $part"
done
grep -q 'What site2 learned' internal.html || fail "the ledger of a site is missing"

# What a group tells of a sensitive value, counted from the release alone, is in both.
highest=$(python3 - run/release.csv <<'PYTHON'
import collections, csv, sys
groups = collections.defaultdict(collections.Counter)
for row in csv.DictReader(open(sys.argv[1])):
    groups[tuple(row[name] for name in row if name not in ("disease", "stay"))][row["disease"]] += 1
print(("%.1f" % (100 * max(max(g.values()) / sum(g.values()) for g in groups.values()))).removesuffix(".0") + "%")
PYTHON
)
for page in public internal; do
  grep -q "tells most, $highest of the records have the same disease" $page.html || fail "$page: no certainty of $highest"
done
grep -q 'disease, highest' internal.html || fail "the highest certainty is not compared with the data"

# An internal report of anonymize is made from the rows that the run has read, once: a pipe gives what the file
# gives. If it cannot be written, no release appears.
"$kith" anonymize p.study.yaml -i p.csv -o file.csv --report file.html --internal --seed 1 -q
"$kith" anonymize p.study.yaml -i <(cat p.csv) -o pipe.csv --report pipe.html --internal --seed 1 -q
cmp file.html pipe.html || fail "the report of a pipe is another one"
grep -q '<section id="distributions"' pipe.html || fail "the report of a pipe does not compare with the data"
! "$kith" anonymize p.study.yaml -i p.csv -o none.csv --report /dev/full --internal -q 2> full.txt ||
  fail "a report that could not be written"
[ ! -e none.csv ] && [ ! -e none.csv.meta.json ] || fail "the release is there without its report"
grep -q 'No space left' full.txt || fail "the message does not say what happened: $(cat full.txt)"
"$kith" generate hospital -n 20000 -o large.csv -q --seed 1
! "$kith" anonymize large.study.yaml -i large.csv -o none.csv --memory 1MB --report none.html --internal -q 2> memory.txt ||
  fail "an internal report of rows that are not in memory"
grep -q 'an internal report needs all rows of the release in memory' memory.txt || fail "$(cat memory.txt)"

# Numbers say how many records they are about: hidden cells do not count.
"$kith" measure p.study.yaml p.csv file.csv --json > measured.json
counted=$(python3 -c "
import json
age = [s for s in json.load(open('measured.json'))['statistics'] if s['column'] == 'age'][0]
print(format(int(age['after']['records']), ','))")
grep -q "<th scope=\"row\">age</th><td>release</td><td>$counted</td>" file.html || fail "numbers without their records"

# One file, nothing loaded: no address but the namespace of the library's own texts.
! grep -oE '(src|href)="[^#"][^"]*"' public.html || fail "something is loaded"
grep -q "default-src 'none'" public.html || fail "no policy"
[ "$(stat -c %s public.html)" -lt 1000000 ] || fail "larger than 1 MB"

# Names and values are text.
cat > odd.yaml <<'YAML'
study: "<b>odd</b>"
columns:
  - {name: "<script>alert(1)</script>", role: quasi-identifying}
  - {name: "x\" onload=\"y", role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
YAML
python3 - <<'PYTHON'
import csv
with open("odd.csv", "w", newline="") as out:
    w = csv.writer(out)
    w.writerow(["<script>alert(1)</script>", 'x" onload="y'])
    for i in range(20):
        w.writerow(["<img src=x onerror=alert(2)>" if i % 2 else "é" * 10000, "</style><script>alert(3)</script>"])
PYTHON
"$kith" anonymize odd.yaml -i odd.csv -o odd-release.csv --report odd.html -q
! grep -qE '<script>alert|<img|onload="y|<b>odd' odd.html || fail "a name became markup"
grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' odd.html || fail "a name is missing"
[ "$(stat -c %s odd.html)" -lt 1000000 ] || fail "long values make a long report"

# A hundred columns stay below 1 MB.
python3 - <<'PYTHON'
import random
random.seed(1)
n = 100
with open("wide.csv", "w") as out:
    out.write(",".join(f"column{i}" for i in range(n)) + "\n")
    for _ in range(300):
        out.write(",".join(str(random.randrange(50)) for _ in range(n)) + "\n")
with open("wide.yaml", "w") as out:
    out.write("study: wide\ncolumns:\n")
    for i in range(n):
        role = "quasi-identifying" if i < 30 else "insensitive"
        out.write(f"  - {{name: column{i}, role: {role}}}\n")
    out.write("privacy: [{model: k-anonymity, k: 3}]\n")
PYTHON
"$kith" anonymize wide.yaml -i wide.csv -o wide-release.csv --report wide.html --internal -q --no-progress
[ "$(stat -c %s wide.html)" -lt 1000000 ] || fail "a hundred columns take $(stat -c %s wide.html) bytes"

# Whatever fails leaves no report behind.
! "$kith" report run/nothing -o gone.html 2>/dev/null || fail "a missing run gave a report"
! "$kith" report run -o gone.html --release nothing.csv 2>/dev/null || fail "a missing release gave a report"
[ ! -e gone.html ] || fail "a failed report was left behind"
ls -a | grep -q 'gone' && fail "a temporary file was left behind"

# A release in the order of the data is not promised what its cells alone keep.
for order in '' --keep-order; do
  for kind in '' --internal; do
    "$kith" anonymize p.study.yaml -i p.csv -o ordered.csv --seed 1 -q --force --report ordered.html $kind $order
    said=$(grep -c 'the order of the rows may tell more' ordered.html || true)
    [ "$said" = "${order:+1}" ] || [ "$said$order" = 0 ] || fail "the order of rows, '$order' '$kind': said $said times"
    warned=$(grep -c 'Warning: the rows of the release are in the order of the data' ordered.html || true)
    [ "$warned" = "$([ "$order$kind" = --keep-order--internal ] && echo 1 || echo 0)" ] || fail "'$order' '$kind': warned $warned times"
  done
done
echo "report: public by default, one file, names are text"
