#!/usr/bin/env python3
"""Files and requests that lead the console astray: extreme values, numbers out of range, files that are not what their name
says, names that a shell would take for commands.

    console_misuse.py KITH [TEST…]
"""
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from console_server import Console, Opener  # noqa: E402

kith = os.path.abspath(sys.argv[1])


def check(condition, message):
    if not condition:
        sys.exit("console: " + message)


def write(directory, name, text):
    with open(os.path.join(directory, name), "w") as out:
        out.write(text)


def test_histograms(directory):
    """Values at the ends of what a double holds have no histogram, and do no harm."""
    for name, values in (("far", ("-1e308", "1e308", "0.5")), ("close", ("5e-324", "1e-323")), ("same", ("2.5", "2.5"))):
        write(directory, name + ".csv", "x\n" + "".join(value + "\n" for value in values * 20))
    write(directory, "plain.csv", "x\n" + "".join(f"{i}.5\n" for i in range(48)))
    with Console(kith, directory) as console:
        for name in ("far", "close", "same"):
            now = console.job("data/open", data=name + ".csv")
            check(now["state"] == "done" and now["result"]["pictures"] == [{}], f"{name}: {now}")
        counts = console.job("data/open", data="plain.csv")["result"]["pictures"][0]["histogram"]["counts"]
        check(counts == [2] * 24, f"48 values in 24 bins: {counts}")


def test_numbers(directory):
    """Numbers that are no count are refused before they become one."""
    write(directory, "d.csv", "a\n1\n")
    with Console(kith, directory) as console:
        console.begin()
        for route, body, more in (("job", '{"job":%s}', ("0", "4294967296")), ("job/stop", '{"job":%s}', ("0", "4294967296")),
                                  ("data/generate", '{"profile":"adult","path":"n.csv","rows":%s}', ("0", "100000001")),
                                  ("run/start", '{"study":"d.csv","data":"d.csv","name":"r","seed":%s}', ())):
            for number in ("-1", "1.5", "1e300", "-1e300", "1e999", "null", '"1"', *more):
                status, answer = console.send("POST", "/api/" + route, body % number)
                check(status == 422 and "whole number" in answer["error"], f"{route} {number}: {answer}")
        check(os.listdir(directory) == ["d.csv"], f"something was made: {os.listdir(directory)}")


def test_modes(directory):
    """An upload gets the permissions that the umask of the console leaves, whatever the page sends."""
    before = os.umask(0o027)
    try:
        with Console(kith, directory) as console:
            console.begin()
            status, answer = console.send("POST", "/api/upload", "a\n2\n", headers={"X-Kith-Name": "n.csv"})
            check(status == 200, f"upload: {answer}")
    finally:
        os.umask(before)
    mode = stat.S_IMODE(os.stat(os.path.join(directory, "n.csv")).st_mode)
    check(mode == 0o640, f"the mode of an upload is {mode:o}")


def read(directory, name):
    with open(os.path.join(directory, name), encoding="latin-1") as file:
        return file.read()


def test_versions(directory):
    """A study is replaced as it was opened or saved before, also without an end of its last line, and not otherwise."""
    write(directory, "s.yaml", "study: s\n")
    with Console(kith, directory) as console:
        version = console.ask("study/open", path="s.yaml")["version"]
        for text in ("study: t", "study: u", "study: v\n"):
            version = console.ask("study/save", path="s.yaml", text=text, version=version)["version"]
            check(read(directory, "s.yaml").rstrip() == text.rstrip(), f"not saved: {text!r}")
        write(directory, "s.yaml", "study: of another\n")
        for sent in ({}, {"version": version}):
            status, answer = console.send("POST", "/api/study/save", json.dumps({"path": "s.yaml", "text": "study: w\n", **sent}))
            check(status == 422 and "not replaced" in answer["error"], f"{sent}: {answer}")
        check(read(directory, "s.yaml") == "study: of another\n", "somebody's study was replaced")
        check("version" in console.ask("study/save", path="new.yaml", text="study: n\n"), "a new study is refused")


def make_run(console, directory):
    """runs/one, by the console, of a generated table d.csv."""
    subprocess.run([kith, "generate", "hospital", "-n", "200", "-o", "d.csv", "-q", "--seed", "1"], cwd=directory, check=True)
    now = console.job("run/start", study="d.study.yaml", data="d.csv", name="one")
    check(now["state"] == "done", f"the run: {now}")


def test_commands(directory):
    """Names of directories that a shell would run are words of the commands that are shown."""
    with Console(kith, directory) as console:
        make_run(console, directory)
        evil = "runs/$(touch made);touch made; it's `touch made` & x"
        shutil.copytree(os.path.join(directory, "runs/one"), os.path.join(directory, evil))
        released = console.job("run/release", run=evil, output="r.csv")
        compared = console.job("run/compare", first="runs/one", second=evil)
        path = os.path.dirname(kith) + ":" + os.environ["PATH"]
        os.remove(os.path.join(directory, "r.csv"))
        for now in (released, compared):
            check(now["state"] == "done", f"not done: {now}")
            subprocess.run(["sh", "-c", now["result"]["command"]], cwd=directory, check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "PATH": path})
        check(not os.path.exists(os.path.join(directory, "made")), "the name of a directory was run")
        check(read(directory, "r.csv") == read(directory, "runs/one/release.csv"), "the command makes another release")


def test_release_targets(directory):
    """A release replaces an earlier release, and no key, no data, and nothing that is read first and is no file."""
    inside = os.path.join(directory, "inside")
    os.mkdir(inside)
    write(directory, "outside.json", '{"digest": "x"}')
    with Console(kith, inside) as console:
        make_run(console, inside)
        console.ask("together/key", name="me", address="a:1")
        write(inside, "k.csv", "-----BEGIN PRIVATE KEY-----\nx\n")
        os.symlink("../outside.json", os.path.join(inside, "linked.csv.meta.json"))
        before = {name: read(inside, name) for name in ("me.key", "me.key.choices", "k.csv", "d.csv", "d.study.yaml")}
        for output in ("me.key", "me.key.choices", "k.csv", "d.study.yaml", "new", "new.key", "linked.csv"):
            status, answer = console.send("POST", "/api/run/release", json.dumps(
                {"run": "runs/one", "output": output, "replace": True}))
            check(status == 422, f"a release as {output}: {answer}")
        os.mkfifo(os.path.join(inside, "pipe.csv.meta.json"))
        for output in ("d.csv", "pipe.csv"):
            now = console.job("run/release", run="runs/one", output=output, replace=True)
            check(now["state"] == "failed", f"a release as {output}: {now}")
        for _ in range(2):
            now = console.job("run/release", run="runs/one", output="release.csv", replace=True)
            check(now["state"] == "done", f"a release in place of an earlier one: {now}")
        for name, text in before.items():
            check(read(inside, name) == text, f"{name} was replaced")
        left = [name for name in os.listdir(inside) if name.startswith(".kith") or name in ("pipe.csv", "linked.csv", "new")]
        check(not left, f"left behind: {left}")


def test_writers(directory):
    """No route writes to a key; a hierarchy replaces only the file that was opened as one."""
    write(directory, "d.csv", "job,x\nclerk,1\nnurse,2\n")
    write(directory, "k.yaml", "-----BEGIN PRIVATE KEY-----\nx\n")
    write(directory, "k.csv", "-----BEGIN PRIVATE KEY-----\nx\n")
    write(directory, "h.csv", "clerk;*\n")
    before = {name: read(directory, name) for name in ("d.csv", "k.yaml", "k.csv")}
    with Console(kith, directory) as console:
        console.begin()
        for route, body in (("study/save", {"path": "k.yaml", "text": "study: s\n"}),
                            ("study/draft", {"path": "new.key", "data": "d.csv"}),
                            ("data/generate", {"path": "new.key", "profile": "adult", "rows": 5}),
                            ("hierarchies/save", {"path": "k.csv", "text": "a;*\n"}),
                            ("hierarchies/save", {"path": "d.csv", "text": "a;*\n"}),
                            ("hierarchies/save", {"path": "h.csv", "text": "a;*\n"}),
                            ("hierarchies/save", {"path": "h.csv", "text": "a;*\n", "version": "0" * 64})):
            status, answer = console.send("POST", "/api/" + route, json.dumps(body))
            check(status == 422, f"{route} to {body['path']}: {answer}")
        version = console.ask("hierarchies/open", path="h.csv")["version"]
        for text in ("clerk;*\nnurse;*\n", "clerk;a;*\nnurse;a;*\n"):
            version = console.ask("hierarchies/save", path="h.csv", text=text, version=version)["version"]
            check(read(directory, "h.csv") == text, "the hierarchy was not saved")
        console.ask("hierarchies/save", path="n.csv", text="a;*\n")
        write(directory, "h.csv", "changed by somebody else;*\n")
        status, answer = console.send("POST", "/api/hierarchies/save", json.dumps(
            {"path": "h.csv", "text": "a;*\n", "version": version}))
        check(status == 422 and "changed since" in answer["error"], f"a file that has changed: {answer}")
        check(read(directory, "n.csv") == "a;*\n", "a new hierarchy was not saved")
    for name, text in before.items():
        check(read(directory, name) == text, f"{name} was replaced")
    check(not os.path.exists(os.path.join(directory, "new.key")), "a key that is none was made")


def test_party_files(directory):
    """The key that the page shows for a file is the key that joining it takes, whatever else the file has."""
    shown, joined = ("sha256:" + digits * 32 for digits in ("aa", "bb"))
    line = '- {name: "%s", address: "%s.example.org:7001", key: "%s"}\n'
    write(directory, "north.party", "# " + line % ("north", "north", shown) + line % ("north", "north", joined))
    write(directory, "south.party", "name: south\naddress: south.example.org:7001\nkey: " + "sha256:" + "cc" * 32 + "\n")
    write(directory, "text.party", 'address: "- {name: \\"x\\", address: \\"x:1\\", key: \\"%s\\"}"\nname: x\nkey: %s\n' % (shown, joined))
    write(directory, "two.party", line % ("east", "east", shown) + line % ("west", "west", joined))
    write(directory, "none.party", "# nothing\n")
    write(directory, "base.yaml", "study: s\ncolumns: [{name: job, role: quasi-identifying}]\n"
          "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\n")
    with Console(kith, directory) as console:
        listed = {one["file"]: one for one in console.ask("together/keys")["parties"]}
        for file in ("text.party", "two.party", "none.party"):
            check(listed[file]["problem"] and "key" not in listed[file], f"{file} is shown as {listed[file]}")
            status, answer = console.send("POST", "/api/together/join", json.dumps(
                {"base": "base.yaml", "parties": ["north.party", file], "output": "refused.yaml"}))
            check(status == 422 and not os.path.exists(os.path.join(directory, "refused.yaml")), f"{file}: {answer}")
        console.ask("together/join", base="base.yaml", parties=["north.party", "south.party"], output="joint.yaml")
        parties = console.ask("together/study", study="joint.yaml")["study"]["parties"]
        check([one["key"] for one in parties] == [joined, "sha256:" + "cc" * 32], f"joined: {parties}")
        for one, file in zip(parties, ("north.party", "south.party")):
            check({**one, "file": file} == listed[file], f"{file} is shown as {listed[file]}, and joined as {one}")


def test_opening(directory):
    """Only the owner can see the token that a browser gets, and the file with it goes when it was used, or at the end."""
    own = os.path.join(directory, "own")
    os.mkdir(own)
    for used in (True, False):
        with tempfile.TemporaryDirectory() as place:
            opener = Opener(place)
            with Console(kith, own, opener=opener) as console:
                file, = opener.arguments()
                check("#" not in file and console.address.split("#")[1] not in file, f"the browser is given {file}")
                modes = [stat.S_IMODE(os.stat(path).st_mode) for path in (file, os.path.dirname(file))]
                check(modes == [0o600, 0o700], f"the file with the address has the modes {modes}")
                check(read("/", file).count(console.address) == 2, "the file does not lead to the address")
                if used:
                    console.begin()
                    check(not os.path.exists(os.path.dirname(file)), "the file is there after its address was used")
            check(not os.path.exists(os.path.dirname(file)), "the file is there after the end")
    check(os.listdir(own) == [], "something is left in the directory")


def test_party_options(directory):
    """Where a party listens, its own rows and its key of a generator are options of the command, and stay in the directory."""
    write(directory, "s.yaml", "no study\n")
    asked = {"study": "s.yaml", "as": "me", "key": "me.key"}
    with Console(kith, directory) as console:
        console.begin()
        for more, words in (({"listen": "0.0.0.0:7001"}, "--listen 0.0.0.0:7001"), ({"idKey": "id.key"}, "--id-key id.key"),
                            ({"rows": "sqlite:own.db?table=rows"}, "--rows 'sqlite:own.db?table=rows'"), ({}, "")):
            _, answer = console.send("POST", "/api/together/check", json.dumps({**asked, **more}))
            expected = f"kith party s.yaml --as me --key me.key {words} --dry-run".replace("  ", " ")
            check(answer.get("command") == expected, f"{more}: {answer}")
        for more in ({"rows": "sqlite:../own.db?table=rows"}, {"rows": "own.csv"}, {"rows": "sqlite:me.key?table=t"},
                     {"idKey": "../id.key"}, {"idKey": "/id.key"}, {"listen": "x" * 300}):
            status, answer = console.send("POST", "/api/together/check", json.dumps({**asked, **more}))
            check(status == 422, f"{more}: {answer}")


def test_long_paths(directory):
    """A path that is longer than what is checked leads nowhere, and a long name is not another, shorter one."""
    inside = "/".join(["d" * 250] * 4) + "/"
    os.makedirs(os.path.join(directory, inside + "x" * 100))
    outside = inside + "x" * 100 + "/.." * 5 + "/outside.db"
    asked = {"study": "s.yaml", "as": "me", "key": "me.key"}
    write(directory, "s.yaml", "no study\n")
    with Console(kith, directory) as console:
        make_run(console, directory)
        write(directory, inside + "x" * (1023 - len(inside)), "a file that is none of those that are asked for\n")
        for scheme in ("sqlite:", "duckdb:"):
            for route, body in (("together/check", {**asked, "rows": scheme + outside + "?table=t"}),
                                ("run/release", {"run": "runs/one", "output": "r.csv", "data": scheme + outside + "?table=t"}),
                                ("run/release", {"run": "runs/one", "output": "r.csv", "data": scheme + "d.csv?table=" + "t" * 2000})):
                status, answer = console.send("POST", "/api/" + route, json.dumps(body))
                check(status == 422, f"{route}: {answer}")


TESTS = (test_opening, test_versions, test_party_options, test_long_paths, test_party_files, test_histograms, test_numbers, test_modes, test_commands, test_release_targets, test_writers)
for test in [test for test in TESTS if test.__name__ in sys.argv[2:] or len(sys.argv) == 2]:
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
print("console: extreme values, wrong numbers and misleading files do no harm")
