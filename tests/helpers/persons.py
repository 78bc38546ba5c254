"""Persons with several rows: every algorithm, judged from data, release and mapping alone.

Usage: persons.py KITH, in an empty directory. Tables are drawn; a study asks for k persons and for one model about
values or shares. Then the same studies with `unit: row`, and with one row per person: releases must be those of the
study without the key, byte for byte. Last, parties of an encrypted view, who count persons at several sites."""

import collections
import csv
import json
import os
import random
import subprocess
import sys

KITH = sys.argv[1]
ALL_MODELS = "weave mondrian agglomerative flash ola incognito breadth-first depth-first datafly top-down".split()
CLUSTERING = "sequential k-member hilbert".split()  # models that look at values by persons are not theirs
COLUMNS = """study: s
columns:
  - {name: ward, role: identifying}
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 119]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: sex, role: quasi-identifying}
  - {name: ill, role: sensitive}
"""
ILL = ["flu", "gout", "cold", "asthma", "none"]


def write_table(draw, n_persons, most_rows, name="d.csv", constant=False):
    """Persons whose ages change a little, and of whom a tenth has no number. Returns the rows."""
    rows = []
    for person in range(n_persons):
        age, postcode, sex = draw.randint(20, 80), f"8{draw.randint(0, 3)}{draw.randint(0, 3)}", draw.choice("fm")
        pid, ward = f"p{person % (n_persons - 7)}", f"w{person * 2 // n_persons}"  # a number may be given in both wards
        if draw.random() < 0.1:
            pid = ""
        ill = ILL[hash_of(pid) % len(ILL)] if constant and pid else None
        for _ in range(draw.randint(1, most_rows)):
            rows.append([ward, pid, str(age + draw.randint(0, 2)), postcode, sex, ill or draw.choice(ILL)])
    draw.shuffle(rows)
    with open(name, "w") as out:
        csv.writer(out, lineterminator="\n").writerows([["ward", "pid", "age", "zip", "sex", "ill"], *rows])
    return rows


def hash_of(text):
    return sum(7**i * ord(c) for i, c in enumerate(text))


def anonymize(text, data="d.csv", fails=()):
    """The bytes of the release and the mapping; None if the study cannot be met."""
    open("s.yaml", "w").write(text)
    for name in ("r.csv", "m.csv"):
        if os.path.exists(name):
            os.remove(name)
    made = subprocess.run([KITH, "anonymize", "s.yaml", "-i", data, "-o", "r.csv", "--mapping", "m.csv", "--seed", "1",
                           "-q", "--force", "--summary", "s.json"], capture_output=True, text=True)  # fmt: skip
    if made.returncode in fails:
        return None
    assert made.returncode == 0, f"{text}\n{made.stderr}"
    return open("r.csv", "rb").read(), list(csv.DictReader(open("m.csv")))


class Class:
    """What somebody can count in a class: persons, rows, and who has which value in how many rows."""

    def __init__(self, rows):
        self.n_rows = len(rows)
        self.rows_of = collections.Counter(person for person, _ in rows)
        self.rows_with = collections.Counter(value for _, value in rows)
        self.persons_with = collections.Counter(value for _, value in set(rows))
        self.persons = len(self.rows_of)

    def certain(self):
        return max(self.rows_of.values()) > self.n_rows - max(self.rows_with.values()) or max(
            self.persons_with.values()) == self.persons  # fmt: skip

    def share(self, value=None):
        counts = self.persons_with
        return (counts[value] if value is not None else max(counts.values())) / self.persons


MODELS = {
    ", {model: l-diversity, variant: frequency, l: 1.5, attribute: ill}":
        lambda c, all_: c.share() <= 1 / 1.5 and not c.certain(),
    ", {model: l-diversity, variant: distinct, l: 3, attribute: ill}":
        lambda c, all_: len(c.rows_with) >= 3 and not c.certain(),
    ", {model: alpha-k, alpha: 0.75, k: 4, attribute: ill}":
        lambda c, all_: c.persons >= 4 and c.share() <= 0.75 and not c.certain(),
    ", {model: p-sensitive, p: 2, k: 4, attribute: ill}":
        lambda c, all_: c.persons >= 4 and len(c.rows_with) >= 2 and not c.certain(),
    ", {model: beta-likeness, variant: basic, beta: 1, attribute: ill}":
        lambda c, all_: all(c.share(v) <= 2 * all_.share(v) + 1e-9 for v in c.persons_with),
    ", {model: dominance, share: 0.4}":
        lambda c, all_: max(c.rows_of.values()) <= 0.4 * c.n_rows,
}  # fmt: skip


def person_of(row, number):
    """Whose row it is: pid in a ward; without pid nobody else's."""
    return (row[0], row[1]) if row[1] else ("row", number)


def judge(text, rows, mapping, k, keeps):
    classes = collections.defaultdict(list)
    whole = []
    for line in mapping:
        row = rows[int(line["confidential_row"]) - 1]
        entry = (person_of(row, line["confidential_row"]), row[5])
        whole.append(entry)
        if line["_kith_class"]:
            shown = tuple(line[f"{name}_released"] for name in ("age", "zip", "sex"))
            classes[shown].append(entry)
    for shown, entries in classes.items():
        found = Class(entries)
        assert found.persons >= k, f"{text}\n{shown}: {found.persons} persons"
        assert keeps(found, Class(whole)), f"{text}\n{shown}: {sorted(entries)}"


def models_of(algorithm):
    """Models beside k-anonymity, as the study writes them, with their definitions."""
    if algorithm in ALL_MODELS:
        return list(MODELS.items())
    dominance = [item for item in MODELS.items() if algorithm == "sequential" and "dominance" in item[0]]
    return 2 * dominance + 5 * [("", lambda c, all_: True)]


def check_counts(draw):
    n_found = collections.Counter()
    for algorithm in ALL_MODELS + CLUSTERING:
        for model, keeps in models_of(algorithm):
            rows = write_table(draw, draw.randint(60, 160), draw.randint(2, 6))
            k = draw.randint(2, 6)
            text = f"{COLUMNS}privacy: [{{model: k-anonymity, k: {k}}}{model}]\nunit: [pid, ward]\nalgorithm: {algorithm}\n"
            if algorithm == "weave" and draw.random() < 0.5:
                text += "piece: 60\n"
            if algorithm == "sequential" and draw.random() < 0.5:
                text += "finish: merge\n"
            if algorithm not in ("mondrian", "agglomerative", "k-member", "hilbert") and draw.random() < 0.5:
                text += "utility: {suppression: 0.1}\n"
            made = anonymize(text, fails=(4,))
            if made is None:
                continue
            n_found[algorithm] += 1
            judge(text, rows, made[1], k, keeps)
            checked = subprocess.run([KITH, "verify", "s.yaml", "r.csv", "--data", "d.csv", "--mapping", "m.csv", "-q"])
            assert checked.returncode == 0, text
    for algorithm in ALL_MODELS + CLUSTERING:
        assert n_found[algorithm] >= 4, f"{algorithm}: only {n_found[algorithm]} releases"


def check_costs_of_values(draw):
    """Measures that depend on sensitive values."""
    for algorithm in ("sequential", "agglomerative", "k-member"):
        for measure in ("pmi", "wmi"):
            rows = write_table(draw, 60, 4)
            text = (f"{COLUMNS}privacy: [{{model: k-anonymity, k: 3}}]\nunit: [pid, ward]\nalgorithm: {algorithm}\n"
                    f"utility: {{measure: {measure}, class: ill}}\n")  # fmt: skip
            judge(text, rows, anonymize(text)[1], 3, lambda c, all_: True)


def check_refusals(draw):
    write_table(draw, 80, 4)
    for algorithm in CLUSTERING:
        text = (f"{COLUMNS}privacy: [{{model: l-diversity, l: 2, attribute: ill}}]\n"
                f"unit: [ward, pid]\nalgorithm: {algorithm}\n")  # fmt: skip
        assert anonymize(text, fails=(2,)) is None, algorithm


def check_same(draw):
    write_table(draw, 120, 1)
    write_table(draw, 100, 3, "several.csv")
    two = ["{model: k-anonymity, k: 3}", "{model: l-diversity, l: 2, attribute: ill}"]
    for algorithm in ALL_MODELS + CLUSTERING:
        models = ", ".join(two if algorithm in ALL_MODELS else two[:1])
        text = f"{COLUMNS}privacy: [{models}]\nalgorithm: {algorithm}\n"
        assert anonymize(text)[0] == anonymize(text + "unit: [ward, pid]\n")[0], f"{algorithm}: one row per person"
        plain, named = anonymize(text, "several.csv"), anonymize(text + "unit: row\n", "several.csv")
        assert plain[0] == named[0], f"{algorithm}: unit: row"


def exposed(rows, mapping, needed):
    """Persons of several classes which have fewer than so many values in common."""
    values, classes = collections.defaultdict(set), collections.defaultdict(set)
    for line in mapping:
        row = rows[int(line["confidential_row"]) - 1]
        if line["_kith_class"]:
            shown = tuple(line[f"{name}_released"] for name in ("age", "zip", "sex"))
            values[shown].add(row[5])
            classes[person_of(row, line["confidential_row"])].add(shown)
    return sum(len(own) > 1 and len(set.intersection(*(values[c] for c in own))) < needed for own in classes.values())


def check_intersections(draw):
    """Of whom fewer values are left than the model asks for, by whoever knows that a value does not change; and
    nobody where the study refuses that."""
    n_left = n_several = 0
    for algorithm in ("weave", "mondrian", "agglomerative", "flash", "top-down"):
        for distinct in (2, 4):
            rows = write_table(draw, 200, 4, constant=True)
            text = (f"{COLUMNS}privacy: [{{model: l-diversity, variant: distinct, l: {distinct}, attribute: ill}}]\n"
                    f"unit: [ward, pid]\nalgorithm: {algorithm}\n")  # fmt: skip
            if algorithm not in ("mondrian", "agglomerative") and distinct == 4:
                text += "utility: {suppression: 0.05}\n"
            expected = exposed(rows, anonymize(text)[1], distinct)
            told = json.load(open("s.json"))["intersections"]
            assert told == [{"column": "ill", "values": distinct, "persons": expected}], f"{text}{told}: {expected}"
            n_left += expected
            if algorithm in ("flash", "top-down"):
                continue
            verify = [KITH, "verify", "s.yaml", "r.csv", "--data", "d.csv", "--mapping", "m.csv", "--json"]
            open("s.yaml", "w").write(text + "intersections: refuse\n")
            checked = subprocess.run(verify, capture_output=True, text=True)
            assert checked.returncode == (1 if expected else 0), text
            assert json.loads(checked.stdout)["intersections"] == told
            _, mapping = anonymize(text + "intersections: refuse\n")
            assert exposed(rows, mapping, distinct) == 0, text
            judge(text, rows, mapping, 1, lambda c, all_: len(c.rows_with) >= distinct and not c.certain())
            checked = subprocess.run(verify, capture_output=True, text=True)
            assert checked.returncode == 0, text + checked.stdout + checked.stderr
            n_several += len({line["_kith_class"] for line in mapping}) > 2
    assert n_left > 0 and n_several > 0


def check_view(draw):
    """Real parties under encryption: the release of one table, whose persons are counted here, over all sites."""
    for algorithm, n_sites in (("flash", 2), ("top-down", 3), ("ola", 5)):
        rows = write_table(draw, draw.randint(60, 100), 4)
        model, keeps = draw.choice(list(MODELS.items()))
        text = (f"{COLUMNS}privacy: [{{model: k-anonymity, k: 4}}{model}]\nunit: [ward, pid]\nalgorithm: {algorithm}\n"
                "utility: {suppression: 0.2}\n")  # fmt: skip
        release, mapping = anonymize(text)
        judge(text, rows, mapping, 4, keeps)
        open("joint.yaml", "w").write(text + "overlap: matched\npartition: horizontal\nprotocol: encrypted-view\n")
        subprocess.run([KITH, "simulate", "joint.yaml", "-i", "d.csv", "--sites", str(n_sites), "-o", "joint", "--seed", "1",
                        "-q", "--force"], check=True)  # fmt: skip
        for name in ["joint/release.csv"] + [f"joint/site{i + 1}/release.csv" for i in range(n_sites)]:
            assert sorted(open(name, "rb")) == sorted(release.splitlines(True)), f"{text}{name}"


draw = random.Random(34)
check_counts(draw)
check_costs_of_values(draw)
check_refusals(draw)
check_same(draw)
check_intersections(draw)
check_view(draw)
