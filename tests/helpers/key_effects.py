"""Every key of the study, with every protocol and algorithm, is refused or changes something that can be seen.

Usage: key_effects.py KITH SCHEMA. Walks the keys of study.schema.json. What can be seen is what a run leaves: release,
summary and ledgers, in which figures that differ between two identical runs are not looked at; a run that fails by the
key has seen it, too. A key that the schema has and this file does not is an error."""

import json
import os
import random
import re
import shutil
import subprocess
import sys

KITH, SCHEMA = os.path.abspath(sys.argv[1]), json.load(open(sys.argv[2]))
ROWS, FEW = 150, 16  # few: the ID-based protocol compares all pairs

COLUMNS = {
    "who": "role: identifying",
    "age": "role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}",
    "zip": "role: quasi-identifying, hierarchy: zip.csv",
    "sex": "role: quasi-identifying",
    "ill": "role: sensitive",
    "note": "role: insensitive",
    "size": "role: insensitive, type: decimal",
}
K, L = "{model: k-anonymity, k: 8}", "{model: l-diversity, variant: frequency, l: 1.5, attribute: ill}"

# For each key a value that is not its default; one of several must have an effect.
# `blur` draws thresholds anew in each run: in one run of eight it happens to change nothing.
STUDY_KEYS = {
    "missing": "drop", "missing_values": "[NA]", "trim": "true", "population": "people.csv",
    "timeout": "77", "limit": "100MB", "clients": "[]", "queries": "{per_day: 3}", "levels": "{age: 1, zip: 2, sex: 0}",
    "restarts": "6", "max_passes": "1", "finish": "merge", "block": "7", "effort": "quick", "piece": "40",
    "mondrian": "relaxed", "order": "hierarchy", "ranges": ("true", "false"), "hide_sizes": "true", "withhold": "1", "noise": "0.5",
    "private_diversity": "true", "publish": "own-rows", "publish_insensitive": "true", "ids": "who", "master": "site1",
    "replicas": "2", "pregeneralize": "{zip: 1}", "unmatched": "keep", "blur": ("true",) * 20, "quiet": "true", "name": "true",
    "pools": "true", "reweave": "1", "again": "true", "rows": "5", "alpha": "0.3", "lists": "64", "hashing": "off",
    "pkg": "x", "period": "x", "sample": "0.5", "memory": "1GB", "unit": "who",
    "intersections": "refuse", "overlap": "none", "match": "case",
}  # fmt: skip
UTILITY_KEYS = {
    "measure": "em", "suppression": "0.1", "weights": ("{age: 5}", "{zip: 5}"), "class": "sex", "norm": "2", "w": "0.5",
}  # fmt: skip
COLUMN_KEYS = {
    "format": ("age", '"%Y"'), "decimal": ("size", "comma"), "step": ("age", "10"), "min_level": ("age", ("1", "2")),
    "max_level": ("age", "0"), "microaggregate": ("age", "mean"), "top": ("age", "50"), "bottom": ("age", "30"),
    "round": ("age", "10"), "pseudonym": ("who", "p.key"),
}  # fmt: skip
BASE = {"study", "columns", "privacy", "utility", "parties", "algorithm", "partition", "protocol"}
BASE_OF_COLUMN = {"name", "role", "type", "hierarchy", "domain"}

# What a run alone does not show, and why.
UNSEEN = {
    ("alone", "memory"): "the same release, from the disk where it must",
    ("joint", "timeout"): "how long a silent party is waited for",
    ("joint", "hashing"): "id-based: how lists are compared, with the same result",
    ("algorithm datafly", "utility.weights"): "it hides everything here, so that all columns lose the same",
    ("joint", "again"): "for runs after others, of which simulate remembers none",
}

ALGORITHMS = (
    "weave sequential mondrian agglomerative k-member hilbert flash ola incognito breadth-first depth-first datafly top-down"
).split()
CASES = {f"algorithm {a}": {"algorithm": a} for a in ALGORITHMS}
for split, protocol in (("horizontal", "weave"), ("horizontal", "clustering"), ("horizontal", "mondrian"),
                        ("horizontal", "id-based"), ("vertical", "weave"), ("vertical", "clustering"),
                        ("horizontal", "encrypted-view"), ("vertical", "encrypted-view")):  # fmt: skip
    case = {"partition": split, "protocol": protocol}
    if split == "vertical":
        case["ids"] = "who"
    if protocol == "encrypted-view":
        case["algorithm"] = "flash"
    CASES[f"protocol {protocol}, {split}"] = case


def write_files():
    draw = random.Random(1)
    lines = ["who,age,zip,sex,ill,note,size"]
    for i in range(ROWS):
        cells = [f"p{i}", str(draw.randint(20, 69)), f"8{draw.randint(0, 4)}{draw.randint(0, 9)}", draw.choice("fm"),
                 draw.choice(["flu", "flu", "gout", "cold"]), f"n{i % 3}", str(draw.randint(10, 30) / 10)]  # fmt: skip
        if i == 5:
            cells[2] = ""
        if i == 11:
            cells[5], cells[3] = "NA", " f"
        lines.append(",".join(cells))
    for name, rows in (("d.csv", ROWS), ("people.csv", ROWS), ("few.csv", FEW)):
        open(name, "w").write("\n".join(lines[: rows + 1]) + "\n")
    rungs = [f"8{a}{b};8{a}*;8**;*\n" for a in (3, 1, 5, 0, 2, 4) for b in range(10)]  # not in the order of values
    open("zip.csv", "w").write("".join(rungs))
    open("p.key", "w").write("0123456789abcdef0123456789abcdef")
    os.chmod("p.key", 0o600)


def study_of(case, top=None, column=None, utility=None):
    alone = case.get("algorithm") in ("k-member", "hilbert") or case.get("protocol") == "id-based"
    text = "study: s\ncolumns:\n"
    for name, keys in COLUMNS.items():
        text += f"  - {{name: {name}, {keys}{', ' + column[1] if column and column[0] == name else ''}}}\n"
    text += f"privacy: [{K}]\n" if alone else f"privacy: [{K}, {L}]\n"
    if utility:
        text += f"utility: {{{utility}}}\n"
    return text + "".join(f"{key}: {value}\n" for key, value in {**case, **(top or {})}.items())


UNSTEADY = re.compile("second|rss|digest|date|time|^run$")


def flatten(value, path, seen):
    if UNSTEADY.search(path.rsplit("/", 1)[-1]):
        return
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            flatten(one, f"{path}/{key}", seen)
    else:
        seen[path] = value


def run(case, text):
    """What a run shows: None if the study is refused, texts and figures otherwise."""
    open("s.yaml", "w").write(text)
    if subprocess.run([KITH, "study", "check", "s.yaml"], capture_output=True).returncode != 0:
        return None
    shutil.rmtree("out", ignore_errors=True)
    data = "few.csv" if case.get("protocol") == "id-based" else "d.csv"
    common = ["s.yaml", "-i", data, "--seed", "1", "--no-progress"]
    if "partition" in case:
        command = [KITH, "simulate", *common, "--sites", "2", "-o", "out", "--in-process"]
    else:
        os.mkdir("out")
        command = [KITH, "anonymize", *common, "-q", "-o", "out/release.csv", "--summary", "out/summary.json"]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        return {"failed": made.stderr}
    seen = {}
    for directory, _, files in os.walk("out"):
        for name in files:
            path = os.path.join(directory, name)
            if name.endswith(".json"):
                flatten(json.load(open(path)), path, seen)
            elif name.endswith(".csv"):
                seen[path] = open(path).read()
    return seen


def unlike(one, other):
    return {key for key in set(one) | set(other) if one.get(key) != other.get(key)}


def check(name, case):
    wrong = []
    base, twin = run(case, study_of(case)), run(case, study_of(case))
    if base is None or "failed" in base:
        return [f"{name}: the study itself does not run: {base}"]
    chance = unlike(base, twin)
    where = "joint" if "partition" in case else "alone"
    changes = [(key, [dict(top={key: v}) for v in each(value)]) for key, value in STUDY_KEYS.items() if key not in case]
    changes += [(f"utility.{k}", [dict(utility=f"{k}: {v}") for v in each(value)]) for k, value in UTILITY_KEYS.items()]
    changes += [(f"columns.{k}", [dict(column=(c, f"{k}: {v}")) for v in each(value)])
                for k, (c, value) in COLUMN_KEYS.items()]  # fmt: skip
    for key, ways in changes:
        if (where, key) in UNSEEN or (name, key) in UNSEEN:
            continue
        for way in ways:
            seen = run(case, study_of(case, **way))
            if seen is None or unlike(base, seen) - chance:
                break
        else:
            wrong.append(f"{name}: {key} is accepted and changes nothing")
    return wrong


def each(value):
    return value if isinstance(value, tuple) else (value,)


def main():
    wrong = [f"study.schema.json has {key}, for which key_effects.py has no value" for key in
             (set(SCHEMA["properties"]) ^ (set(STUDY_KEYS) | BASE))
             | (set(SCHEMA["definitions"]["utility"]["properties"]) ^ set(UTILITY_KEYS))
             | (set(SCHEMA["definitions"]["column"]["properties"]) ^ (set(COLUMN_KEYS) | BASE_OF_COLUMN))]  # fmt: skip
    write_files()
    for name, case in CASES.items():
        wrong += check(name, case)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
