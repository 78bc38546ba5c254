#!/usr/bin/env bash
# What the order of released rows tells. The attacker has a register with the exact quasi-identifiers of everybody, the
# release, and knows by which column the data was sorted: the value behind a row then lies between those of its neighbours.
# usage: order.sh KITH SOURCE_DIRECTORY BUILD_DIRECTORY
set -eu
kith=$(readlink -f "$1")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cat >study.yaml <<'EOF'
study: order
columns:
  - {name: admission, role: quasi-identifying, type: date, hierarchy: {dates: [month, year]}}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
EOF
sed '$a algorithm: flash\nutility: {suppression: 0.1}' study.yaml >flash.yaml
python3 - "$kith" <<'EOF'
import csv, datetime, random, subprocess, sys

K, ROWS = 5, 800
NAMES = ["admission", "age", "zip", "sex", "disease"]
draw = random.Random(1)
people = [[str(datetime.date(2022, 1, 1) + datetime.timedelta(draw.randrange(1000))), str(draw.randint(18, 90)),
           str(draw.choice([80, 81, 90]) * 1000 + draw.randrange(40) * 7), draw.choice("fm"),
           draw.choice(["flu", "cold", "gout"])] for _ in range(ROWS)]


def anonymize(rows, study, *options):
    with open("data.csv", "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([NAMES] + rows)
    subprocess.run([sys.argv[1], "anonymize", study, "-i", "data.csv", "-o", "release.csv", "--force", "--seed", "1",
                    "--quiet", *options], check=True)
    with open("release.csv", newline="") as source:
        names, *released = csv.reader(source)
    assert names == NAMES and len(released) == ROWS
    return [tuple(row) for row in released]


def text(column, value):
    """A value as a text that sorts as it does."""
    return value.zfill(3) if NAMES[column] == "age" else value


def ends(column, label):
    """The texts between which the values of a label lie."""
    if label == "*":
        return "", "~"
    if NAMES[column] == "age":
        low, _, high = label.partition("-")
        return text(column, low), text(column, high or low) + "~"
    return label.rstrip("*"), label.rstrip("*") + "~"


def fits(person, row):
    return all(low <= text(c, person[c]) <= high for c in range(4) for low, high in [ends(c, row[c])])


def attack(release, by):
    """For every row the people whom it may be about. An order that follows from the rows themselves tells nothing."""
    lows, highs = ["" for _ in release], ["~" for _ in release]
    if release != sorted(release):
        low, high = "", "~"
        for i, row in enumerate(release):
            low = lows[i] = max(low, ends(by, row[by])[0])
        for i in range(ROWS - 1, -1, -1):
            high = highs[i] = min(high, ends(by, release[i][by])[1])
    shown = {row[:4]: [p for p in range(ROWS) if fits(people[p], row)] for row in set(release)}
    return [[p for p in shown[row[:4]] if lows[i] <= text(by, people[p][by]) <= highs[i]]
            for i, row in enumerate(release)]


for by in range(3):
    people.sort(key=lambda person: text(by, person[by]))
    kept = anonymize(people, "study.yaml", "--keep-order")
    found = attack(kept, by)
    few, one = sum(len(fit) < K for fit in found), sum(len(fit) == 1 for fit in found)
    print(f"sorted by {NAMES[by]}: {few} of {ROWS} rows kept in order fit fewer than {K} people, {one} exactly one")
    assert few > 0 and one > 0, "the order of sorted data tells nothing: the attack is broken"
    assert all(i in fit for i, fit in enumerate(found)), "the attack is wrong"
    usual = anonymize(people, "study.yaml")
    assert usual == sorted(kept), "the order of the release depends on more than its rows"
    assert min(len(fit) for fit in attack(usual, by)) >= K, "a row fits fewer people than the study promises"

# A search that does not depend on the order of the data: then the release does not, either.
releases = []
for by in (0, 1, 2, None):
    people.sort(key=lambda person: person[by]) if by is not None else draw.shuffle(people)
    releases.append(anonymize(people, "flash.yaml"))
assert all(release == releases[0] for release in releases), "the release shows how the data was sorted"
EOF
echo passed
