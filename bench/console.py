#!/usr/bin/env python3
"""Answers of the console on 1,000,000 rows x 20 columns: milliseconds of each page's requests once the data is open,
beside reading the file once (kith describe does that and more; wc only counts lines).

    console.py KITH [ROWS]
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
from console_server import Console  # noqa: E402

kith = os.path.abspath(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
REPEATS = 20


def make(directory):
    """A census with 15 columns, and 5 of hospital admissions beside them."""
    os.chdir(directory)
    for profile in ("adult", "hospital"):
        subprocess.run([kith, "generate", profile, "-n", str(rows), "--seed", "1", "-q", "-o", profile + ".csv"], check=True)
    subprocess.run("paste -d, adult.csv <(cut -d, -f3-7 hospital.csv | sed '1s/[^,]*/h_&/g') > wide.csv; rm hospital.csv",
                   shell=True, executable="/bin/bash", check=True)


def timed(label, ask):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        ask()
        times.append(1000 * (time.perf_counter() - start))
    times.sort()
    print(f"{label:44} median {times[REPEATS // 2]:7.1f} ms   worst {times[-1]:7.1f} ms")


def once(label, work):
    start = time.perf_counter()
    work()
    print(f"{label:44} {time.perf_counter() - start:9.2f} s")


def measure(console):
    data = "wide.csv"
    once("opening it in the console", lambda: console.job("data/open", data=data))
    study = open("adult.study.yaml").read()
    name = study.split("name: ")[1].split()[0]
    timed("Data: all columns again", lambda: console.job("data/open", data=data))
    timed("Data: files", lambda: console.ask("files"))
    for column, builder in ((name, "suppress"), ("h_age", "{intervals: [5, 10, 20]}"), ("h_zip", "{mask: right}"),
                            ("h_admitted", "{dates: [month, year]}")):
        timed(f"Hierarchies: {column} {builder}",
              lambda c=column, b=builder: console.job("hierarchies/draw", data=data, column=c, builder=b))
    timed("Study: check the text", lambda: console.ask("study/check", text=study, path="adult.study.yaml"))
    timed("Study: a form changes the text", lambda: console.ask("study/edit", text=study, key="privacy.0.k", yaml="7"))
    once("Study: check with the data (a job)", lambda: console.job("study/check-data", text=study, path="adult.study.yaml", data=data))
    print(f"memory of the console {console.memory() / 1024:.0f} MB, file {os.path.getsize(data) / 1e6:.0f} MB")


with tempfile.TemporaryDirectory() as scratch:
    make(scratch)
    once("wc -l", lambda: subprocess.run(["wc", "-l", "wide.csv"], check=True, stdout=subprocess.DEVNULL))
    once("kith describe", lambda: subprocess.run([kith, "describe", "wide.csv", "--json"], check=True, stdout=subprocess.DEVNULL))
    with Console(kith, scratch) as opened:
        measure(opened)
    os.chdir("/")
