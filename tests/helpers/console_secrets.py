#!/usr/bin/env python3
"""Secrets of Kith in the directory of the console: none is listed, read, downloaded or replaced, whatever it is called.

    console_secrets.py KITH
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from console_server import Console  # noqa: E402

kith = os.path.abspath(sys.argv[1])


def check(condition, message):
    if not condition:
        sys.exit("console: " + message)


def run(directory, *words):
    return subprocess.run([kith, *words], cwd=directory, capture_output=True, text=True)


def write(directory, name, data):
    with open(os.path.join(directory, name), "wb") as out:
        out.write(data)


def make_generators(directory):
    """A generator's secret, a key that it issued, and a partial one; nothing in a build without pairings."""
    if run(directory, "pkg", "init", "-o", "ours").returncode != 0:
        return {}
    for words in (("init", "-o", "theirs"), ("issue", "ours", "north", "-o", "north.idk"),
                  ("issue", "ours", "north", "theirs/parameters.pkg", "-o", "north.part")):
        done = run(directory, "pkg", *words)
        check(done.returncode == 0, f"kith pkg {words}: {done.stderr}")
    return {"generator": "ours/master.key", "issued": "north.idk", "partial": "north.part"}


def make_secrets(directory):
    """One file of each kind, made by the program where it makes them."""
    done = run(directory, "cert", "init", "north", "-o", "north.key", "--address", "n:1", "--party", "north.party")
    check(done.returncode == 0, f"kith cert: {done.stderr}")
    write(directory, "words.txt", b"the key of our pseudonyms")
    write(directory, "unlisted.bin", os.urandom(64))
    return {"certificate": "north.key", "choices": "north.key.choices", **make_generators(directory),
            "pseudonyms": "words.txt", "pseudonyms of a study below": "unlisted.bin"}


STUDY = """study: s
columns:
  - {name: patient, role: identifying, pseudonym: %s}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}}
privacy: [{model: k-anonymity, k: 2}]
"""


def disguise(directory, secrets):
    """Copies, links and hard links under names of tables; with mode 0644, which says nothing."""
    names = []
    for number, secret in enumerate(secrets.values()):
        path = os.path.join(directory, secret)
        copy, link, hard = (f"{kind}{number}.csv" for kind in ("copy", "link", "hard"))
        shutil.copyfile(path, os.path.join(directory, copy))
        os.symlink(secret, os.path.join(directory, link))
        os.link(path, os.path.join(directory, hard))
        os.chmod(path, 0o644)
        names += [secret, copy, link, hard]
    return names


def refused(console, route, **body):
    status, answer = console.send("POST", "/api/" + route, json.dumps(body))
    check(status == 422 and "secret" in str(answer), f"{route} {body}: {status} {answer}")


def test_secrets(directory):
    secrets = make_secrets(directory)
    os.mkdir(os.path.join(directory, "studies"))
    write(directory, "s.study.yaml", (STUDY % "words.txt").encode())
    write(directory, "studies/t.yml", (STUDY % "../unlisted.bin").encode())
    write(directory, "d.csv", b"patient,age\na,1\nb,2\n")
    names = disguise(directory, secrets)
    os.chmod(os.path.join(directory, "d.csv"), 0o600)
    with Console(kith, directory) as console:
        listed = {file["path"] for file in console.ask("files")["files"]}
        check(not listed & set(names), f"listed: {sorted(listed & set(names))}")
        check({"d.csv", "north.party", "s.study.yaml", "studies/t.yml"} <= listed, f"not listed: {listed}")
        for name in names:
            refused(console, "link", path=name)
            refused(console, "data/open", data=name)
            refused(console, "data/open", data=f"sqlite:{name}?table=t")
            refused(console, "study/open", path=name)
            refused(console, "hierarchies/open", path=name)
            refused(console, "hierarchies/draw", data=name, column="a", builder="suppress")
            refused(console, "run/start", data=name, study="s.study.yaml", name="r")
            if name.endswith(".csv"):
                refused(console, "hierarchies/save", path=name, text="a;*")
        found = console.ask("study/check", path="s.yaml", text=STUDY % "words.txt")["findings"]
        check("may not be read here" in str(found), f"a key of pseudonyms is read: {found}")
        check(not os.path.exists(os.path.join(directory, "runs")), "something was run")


def test_change(directory):
    """A file that becomes a key after its link was given is not served; one that no study names any more is."""
    write(directory, "k.csv", b"a\nold\n")
    with Console(kith, directory) as console:
        address = console.ask("link", path="k.csv")["address"]
        write(directory, "s.yaml", (STUDY % "k.csv").encode())
        status, answer = console.send("GET", address)
        check(status == 422 and "secret" in str(answer), f"served by an older link: {status} {answer}")
        refused(console, "link", path="k.csv")
        os.remove(os.path.join(directory, "s.yaml"))
        check(console.send("GET", console.ask("link", path="k.csv")["address"]) == (200, b"a\nold\n"), "not served")


def test_no_secrets(directory):
    """What only resembles a secret is served: a text of 32 bytes, public parameters, a mapping with mode 0600."""
    run(directory, "pkg", "init", "-o", "g")
    write(directory, "short.csv", b"name\n" + b"x" * 26 + b"\n")
    write(directory, "talk.csv", b"line\nthe kith key generator secret 1 is not here\n")
    run(directory, "generate", "hospital", "-n", "100", "-o", "h.csv", "--seed", "1")
    done = run(directory, "anonymize", "h.study.yaml", "-i", "h.csv", "-o", "r.csv", "--mapping", "m.csv")
    check(done.returncode == 0, f"kith anonymize: {done.stderr}")
    with Console(kith, directory) as console:
        listed = {file["path"] for file in console.ask("files")["files"]}
        for name in ("short.csv", "talk.csv", "m.csv", "g/parameters.pkg"):
            if os.path.exists(os.path.join(directory, name)):
                check(name in listed, f"{name} is not listed")
                check(console.send("GET", console.ask("link", path=name)["address"])[0] == 200, f"{name} is not served")


for test in (test_secrets, test_change, test_no_secrets):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
print("console: secrets stay where they are")
