"""Persons at several sites: joint releases judged from data, release and a number of each row alone.

Usage: overlap.py KITH, in an empty directory. Every row has a number that is released with it, so that what each
class holds can be looked up. With `overlap: matched` every class has k persons, however many sites have rows of one
and however each site writes its number; without it this test shows that classes can have fewer."""

import collections
import csv
import json
import os
import random
import shutil
import subprocess
import sys

KITH = sys.argv[1]
EVERYTHING = os.environ.get("KITH_EXHAUSTIVE") == "full"  # else half of the models with each number of sites
STUDY = """study: s
columns:
  - {name: land, role: identifying}
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 119]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: ill, role: sensitive}
  - {name: visit, role: insensitive}
  - {name: site, role: insensitive}
publish_insensitive: true
partition: horizontal
"""
ILL = ["flu", "gout", "cold", "asthma", "none"]
WRITTEN = {  # how two sites write the number of a person, by rule
    "trim": ("A{0}", " A{0} "),
    "case": ("A{0}", "a{0} "),
    "digits": ("A-{0}", "{0}."),
}


def write_table(draw, n_sites, persons, most_rows, written, share_known=0.97):
    """`persons`: the sites of each. The rows, each with its person as a pair that sites do not write."""
    rows = []
    for number, sites in enumerate(persons):
        age, postcode = draw.randint(20, 80), f"8{draw.randint(0, 2)}{draw.randint(0, 3)}"
        land, pid = f"l{number % 2}", number // 2
        for site in sites:
            for _ in range(draw.randint(1, most_rows)):
                known = draw.random() < share_known
                text = written[site % 2].format(pid) if known else " " * (site % 2)
                cells = [land, text, str(age + draw.randint(0, 2)), postcode, draw.choice(ILL), f"v{len(rows)}", f"s{site}"]
                rows.append((cells, (land, pid) if known else ("row", len(rows))))
    assert {site for sites in persons for site in sites} == set(range(n_sites))
    draw.shuffle(rows)
    rows.sort(key=lambda row: row[0][6])  # sites in order, as --split by:site distributes them
    with open("d.csv", "w") as out:
        csv.writer(out, lineterminator="\n").writerows([["land", "pid", "age", "zip", "ill", "visit", "site"], *(r for r, _ in rows)])
    return {cells[5]: (cells, person) for cells, person in rows}


def simulate(text, n_sites, *more, fails=()):
    """The rows of the release; None if the study cannot be met."""
    open("s.yaml", "w").write(text)
    shutil.rmtree("run", ignore_errors=True)
    made = subprocess.run([KITH, "simulate", "s.yaml", "-i", "d.csv", "--split", "by:site", "--sites", str(n_sites), "-o", "run",
                           "--seed", "1", "-q", *more], capture_output=True, text=True)  # fmt: skip
    if made.returncode in fails:
        return None
    assert made.returncode == 0, f"{text}\n{made.stderr}"
    return list(csv.DictReader(open("run/release.csv")))


def classes_of(release, table):
    found = collections.defaultdict(list)
    for row in release:
        cells, person = table[row["visit"]]
        assert row["ill"] == cells[4]
        found[row["age"], row["zip"]].append((person, cells[4], cells[6]))
    assert sum(map(len, found.values())) == len(table)
    return found


def certain(rows):
    rows_of = collections.Counter(person for person, _, _ in rows)
    rows_with = collections.Counter(value for _, value, _ in rows)
    return max(rows_of.values()) > len(rows) - max(rows_with.values()) or most_shown(rows) == len(rows_of)


def most_shown(rows):
    return max(collections.Counter(value for _, value in {(person, value) for person, value, _ in rows}).values())


def fewest(found):
    return min(len({person for person, _, _ in rows}) for rows in found.values())


MODELS = {
    "": lambda n, rows: True,
    "{model: l-diversity, variant: frequency, l: 1.5, attribute: ill}":
        lambda n, rows: most_shown(rows) <= n / 1.5 and not certain(rows),
    "{model: l-diversity, variant: distinct, l: 3, attribute: ill}":
        lambda n, rows: len({value for _, value, _ in rows}) >= 3 and not certain(rows),
    "{model: alpha-k, alpha: 0.75, k: 4, attribute: ill}":
        lambda n, rows: most_shown(rows) <= 0.75 * n and not certain(rows),
    "{model: p-sensitive, p: 2, k: 4, attribute: ill}":
        lambda n, rows: len({value for _, value, _ in rows}) >= 2 and not certain(rows),
}  # fmt: skip
LACKS = {"mondrian": ("alpha-k", "p-sensitive")}


def judge(text, found, n_sites, k, keeps):
    for shown, rows in found.items():
        persons = {person for person, _, _ in rows}
        assert len(persons) >= k, f"{text}\n{shown}: {len(persons)} persons"
        assert keeps(len(persons), rows), f"{text}\n{shown}: {sorted(rows)}"
        for site in range(n_sites):
            others = persons - {person for person, _, at in rows if at == f"s{site}"}
            assert not others or len(others) >= 3, f"{text}\n{shown}: {len(others)} without site {site}"


def draw_persons(draw, n_persons, n_sites, share):
    """Of most persons one site has rows, of some several."""
    persons = [draw.sample(range(n_sites), draw.randint(2, n_sites) if draw.random() < share else 1) for _ in range(n_persons)]
    return persons + [[site] for site in range(n_sites)]


def campaign(draw, protocol):
    made = 0
    for n_sites in (2, 3, 5):
        for number, (model, keeps) in enumerate(MODELS.items()):
            if any(name in model for name in LACKS.get(protocol, ())) or not (EVERYTHING or (number + n_sites) % 2 == 0):
                continue
            rule = list(WRITTEN)[number % 3]
            table = write_table(draw, n_sites, draw_persons(draw, 150, n_sites, 0.3), 3, WRITTEN[rule])
            text = (STUDY + f"protocol: {protocol}\nunit: [land, pid]\noverlap: matched\nmatch: {rule}\n"
                    f"privacy: [{{model: k-anonymity, k: 5}}{', ' + model if model else ''}]\n")  # fmt: skip
            # Over TLS, a process for each party, and with all in one process.
            release = simulate(text, n_sites, *(["--in-process"] if number > 0 else []), fails=(4,))
            if release is not None:
                judge(text, classes_of(release, table), n_sites, 5, keeps)
                made += 1
    print(f"{protocol}: {made} releases")
    assert made >= (6 if EVERYTHING else 3)


def hospitals(draw, n_persons, n_both, k):
    """Two hospitals of which both hold some persons, in one row each: what the first tables of this key were about."""
    persons = [[0, 1] if p < n_both else [p % 2] for p in range(n_persons)] + [[0], [1]]
    table = write_table(draw, 2, persons, 1, WRITTEN["trim"])
    text = STUDY + f"unit: [land, pid]\nprivacy: [{{model: k-anonymity, k: {k}}}]\n"
    before = fewest(classes_of(simulate(text, 2, "--in-process"), table))
    found = classes_of(simulate(text + "overlap: matched\n", 2, "--in-process"), table)
    assert before < k, "without matching every class has enough persons, and this test shows nothing"
    judge(text, found, 2, k, MODELS[""])
    print(f"{n_both} of {n_persons} persons at both of two sites, k = {k}: {before} in a class if they count twice, {fewest(found)} matched")


def everybody(draw, protocol):
    """Where both of two sites have all persons, neither leaves anybody whom the other does not know: m-privacy is refused,
    and without it classes have k persons."""
    table = write_table(draw, 2, [[0, 1]] * 300, 1, WRITTEN["trim"], share_known=1)
    text = STUDY + f"protocol: {protocol}\nunit: [land, pid]\noverlap: matched\nprivacy: [{{model: k-anonymity, k: 6}}"
    assert simulate(text + "]\n", 2, "--in-process", fails=(4,)) is None
    found = classes_of(simulate(text + ", {model: m-privacy, k: 0}]\n", 2, "--in-process"), table)
    assert fewest(found) >= 6
    print(f"{protocol}: 300 of 300 persons at both of two sites, without m-privacy {fewest(found)} in a class")


def nobody(draw):
    """Nobody is found where the sites write persons differently, and a warning says so."""
    write_table(draw, 2, [[0, 1]] * 40 + [[0], [1]] * 30, 1, WRITTEN["case"])
    text = STUDY + "unit: [land, pid]\nprivacy: [{model: k-anonymity, k: 3}]\noverlap: matched\n"
    warned = "nobody was found to be at two sites"
    for rule, expected in (("case", False), ("trim", True)):
        simulate(text + f"match: {rule}\n", 2)
        for path in ("run/summary.json", "run/site1/summary.json", "run/site2/summary.json"):
            said = json.load(open(path))["warnings"]
            assert any(warned in one for one in said) == expected, f"{path}: {said}"


SAID = {
    "": ("unknown", "whoever is at two sites counts twice: the study says nothing of overlap",
         "Whoever is at two sites counts twice: the study does not say whether anybody is."),
    "overlap: none\n": ("none", "what holds, holds if nobody is at two sites, as the parties state (overlap: none)",
                        "It holds if nobody is at two sites, as the parties state."),
    "overlap: matched\n": ("matched", "whoever is at several sites counts at one of them (overlap: matched)",
                           "Whoever is at several sites counts at one of them."),
}  # fmt: skip


def sentences(draw):
    """Summary, companion, report, the program and check say what is assumed of persons at several sites."""
    write_table(draw, 2, [[0, 1]] * 20 + [[0], [1]] * 20, 2, WRITTEN["trim"])
    for key, (name, line, paragraph) in SAID.items():
        simulate(STUDY + "unit: [land, pid]\nprivacy: [{model: k-anonymity, k: 3}]\n" + key, 2, "--in-process")
        for path in ("run/summary.json", "run/release.csv.meta.json", "run/site1/summary.json", "run/site2/release.csv.meta.json"):
            assert json.load(open(path))["overlap"] == name, path
        told = subprocess.run([KITH, "simulate", "s.yaml", "-i", "d.csv", "--sites", "2", "-o", "run", "-f", "--in-process"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        assert [one for one in told.stdout.splitlines() if one.startswith("persons")] == [f"persons         {line}"], told.stdout
        subprocess.run([KITH, "report", "run", "-o", "run/r.html", "-q"], check=True)
        page = open("run/r.html").read()
        assert [p for _, _, p in SAID.values() if p in page] == [paragraph], name
        checked = subprocess.run([KITH, "study", "check", "s.yaml"], capture_output=True, text=True, check=True)
        assert ("say 'overlap: none' if nobody is" in checked.stderr) == (key == ""), checked.stderr


draw = random.Random(7)
for protocol in sys.argv[2:]:
    campaign(draw, protocol)
    everybody(draw, protocol)
hospitals(draw, 300, 300, 6)
hospitals(draw, 2000, 400, 11)
hospitals(draw, 2000, 100, 11)
nobody(draw)
sentences(draw)
