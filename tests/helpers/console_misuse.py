#!/usr/bin/env python3
"""Files and requests that lead the console astray: extreme values, numbers out of range, files that are not what their name
says, names that a shell would take for commands.

    console_misuse.py KITH
"""
import json
import os
import stat
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from console_server import Console  # noqa: E402

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


for test in (test_histograms, test_numbers, test_modes):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
print("console: extreme values, wrong numbers and misleading files do no harm")
