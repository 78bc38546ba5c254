#!/usr/bin/env python3
"""The page Run in a real browser: to a verified release and its report, stopped with the best so far, the board, two
runs compared, one made the release. Leaves pictures in a directory.

    console_run.py KITH AXE PICTURES
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from console_page import at, check, check_page, enter, kith, picture, screen, text_of  # noqa: E402
from console_server import Console  # noqa: E402
from webdriver import window  # noqa: E402


def make_files(directory):
    """A table, its study, one with a larger k, and one whose search goes on until it is stopped."""
    subprocess.run([kith, "generate", "hospital", "-n", "600", "-o", "p.csv", "-q", "--seed", "1"], cwd=directory,
                   check=True)
    path = os.path.join(directory, "p.study.yaml")
    with open(path) as source:
        study = source.read()
    check("k: 5}" in study and "\neffort" not in study, "the generated study is not what this test expects")
    with open(os.path.join(directory, "coarse.study.yaml"), "w") as out:
        out.write(study.replace("k: 5}", "k: 20}"))
    with open(os.path.join(directory, "endless.study.yaml"), "w") as out:
        out.write(study + "\neffort: 100000\n")


def choose(browser, css, value):
    browser.run("""const one = document.querySelector(arguments[0]); one.value = arguments[1];
        one.dispatchEvent(new Event("change"));""", css, value)


def smallest_class(path, columns):
    """Counts by itself how many rows share what the quasi-identifiers show."""
    classes = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            key = tuple(row[name] for name in columns)
            classes[key] = classes.get(key, 0) + 1
    return min(classes.values())


def run_to_release(browser, directory):
    choose(browser, "#run-study", "p.study.yaml")
    choose(browser, "#run-data", "p.csv")
    browser.click("#run-go")
    browser.wait("document.querySelector('#result')")
    check("verified" in text_of(browser, "#result"), "the release is not said to be verified")
    browser.wait("(document.querySelector('iframe.report').src || '').includes('/file/')")
    run = os.path.join(directory, "runs", "p-1")
    check(sorted(os.listdir(run)) == ["release.csv", "release.csv.meta.json", "report.html", "summary.json"],
          f"the run has other files: {os.listdir(run)}")
    with open(os.path.join(run, "summary.json")) as file:
        columns = json.load(file)["quasi_identifiers"]
    check(smallest_class(os.path.join(run, "release.csv"), columns) >= 5, "a class of the release is too small")
    return text_of(browser, "#command")


def check_command(command, directory):
    """What the foot of the page shows makes the same release elsewhere."""
    with tempfile.TemporaryDirectory() as other:
        for name in ("p.csv", "p.study.yaml", "hierarchies"):
            os.symlink(os.path.join(directory, name), os.path.join(other, name))
        path = os.path.dirname(kith) + ":" + os.environ["PATH"]
        subprocess.run(["sh", "-c", command + " -q --no-progress"], cwd=other, check=True, env={**os.environ, "PATH": path})
        with open(os.path.join(other, "runs/p-1/summary.json")) as a, \
                open(os.path.join(directory, "runs/p-1/summary.json")) as b:
            check(json.load(a)["records"] == json.load(b)["records"], "the command makes another release")
        check(os.path.exists(os.path.join(other, "runs/p-1/report.html")), "the command makes no report")


def stop_with_best(browser, directory):
    """The search of this study does not end by itself; it is stopped once it has a release."""
    choose(browser, "#run-study", "endless.study.yaml")
    browser.click("#run-go")
    browser.wait("((document.querySelector('#running') || {dataset: {}}).dataset.phase || '').startsWith('weave')")
    at(browser, "data")  # the run goes on, and is found again
    at(browser, "run")
    browser.wait("document.querySelector('#stop')")
    browser.click("#stop")
    browser.wait("document.querySelector('#result')")
    check(browser.run("return document.querySelector('#result').dataset.interrupted") == "true", "it is not said to be stopped")
    release = os.path.join(directory, "runs/endless-1/release.csv")
    subprocess.run([kith, "verify", os.path.join(directory, "endless.study.yaml"), release, "--data",
                    os.path.join(directory, "p.csv"), "-q"], check=True)


def compare_two(browser):
    choose(browser, "#run-study", "coarse.study.yaml")
    browser.click("#run-go")
    browser.wait("document.querySelectorAll('#board tbody tr').length === 3")
    check(browser.run("return document.querySelectorAll('.board .dot circle').length") == 3, "a run is not in the chart")
    browser.click('button[aria-label="Compare p-1"]')
    browser.click('button[aria-label="Compare coarse-1"]')
    browser.wait("document.querySelector('#comparison table')")
    shown = text_of(browser, "#comparison")
    check("age" in shown and "disease" in shown and "as it is" in shown, "a column is not compared")
    check("kith describe runs/" in text_of(browser, "#command"), "the comparison is not shown as a command")


def make_release(browser, directory):
    for expected in ("#released", "section [role=alert]"):  # the second time the file is there
        browser.click('button[aria-label="Release coarse-1"]')
        browser.wait("document.querySelector('#release-go')")
        browser.click("#release-go")
        browser.wait(f"document.querySelector('{expected}')")
    with open(os.path.join(directory, "release.csv"), "rb") as a, \
            open(os.path.join(directory, "runs/coarse-1/release.csv"), "rb") as b:
        check(a.read() == b.read(), "the release is not that of the run")
    check(os.path.exists(os.path.join(directory, "release.csv.meta.json")), "the release has no companion")


def check_refusals(console, directory):
    """A release that was changed is not handed out, one that cannot be placed replaces nothing, and what is no name is
    refused."""
    console.begin()
    with open(os.path.join(directory, "runs/p-1/release.csv")) as file:
        lines = file.read().splitlines()
    os.makedirs(os.path.join(directory, "runs/forged"))
    for name in ("summary.json", "release.csv.meta.json"):
        os.link(os.path.join(directory, "runs/p-1", name), os.path.join(directory, "runs/forged", name))
    with open(os.path.join(directory, "runs/forged/release.csv"), "w") as out:
        out.write("\n".join(lines[:-3]) + "\n")
    now = console.job("run/release", run="runs/forged", output="forged.csv", data="p.csv")
    check(now["state"] == "failed" and not os.path.exists(os.path.join(directory, "forged.csv")),
          f"a forged release was handed out: {now}")
    for name in ("../out", "a/b", ".hidden", "a b", "", "-n"):
        status, answer = console.send("POST", "/api/run/start", json.dumps(
            {"study": "p.study.yaml", "data": "p.csv", "name": name}))
        check(status != 200, f"'{name}' became a run: {answer}")
    companion = os.path.join(directory, "taken.csv.meta.json")
    os.mkdir(os.path.join(directory, "taken.csv"))  # no file can get this name
    with open(companion, "w") as out:
        out.write('{"digest": "as it was"}')
    now = console.job("run/release", run="runs/p-1", output="taken.csv", data="p.csv", replace=True)
    with open(companion) as file:
        check(now["state"] == "failed" and file.read() == '{"digest": "as it was"}', f"half a release was replaced: {now}")
    left = [name for name in os.listdir(directory) if name.startswith(".kith")]
    check(not left, f"files were left behind: {left}")


def release_of_persons(browser, directory):
    """A study that counts persons: the run keeps its mapping, by which the copy is verified before it gets its name."""
    with open(os.path.join(directory, "p.study.yaml")) as source:
        study = source.read().replace("columns:\n", "columns:\n  - {name: pid, role: identifying}\n", 1)
    with open(os.path.join(directory, "people.study.yaml"), "w") as out:
        out.write(study[:study.index("privacy:")] + "privacy: [{model: k-anonymity, k: 3}]\nunit: pid\n")
    with open(os.path.join(directory, "p.csv")) as source:
        names, *rows = source.read().splitlines()
    with open(os.path.join(directory, "visits.csv"), "w") as out:
        out.write("\n".join([names] + [row for row in rows for _ in range(2)]) + "\n")
    at(browser, "data")
    at(browser, "run")
    choose(browser, "#run-study", "people.study.yaml")
    choose(browser, "#run-data", "visits.csv")
    browser.click("#run-go")
    browser.wait("(document.querySelector('#command').innerText || '').includes('--mapping runs/people-1/mapping.csv')")
    mapping = os.path.join(directory, "runs/people-1/mapping.csv")
    check(os.stat(mapping).st_mode & 0o77 == 0, "others can read the mapping")
    browser.click('button[aria-label="Release people-1"]')
    browser.wait("document.querySelector('#release-go')")
    browser.run("const one = document.querySelector('#release-name'); one.value = 'people.csv'; one.dispatchEvent(new Event('input'));")
    browser.click("#release-go")
    browser.wait("document.querySelector('#released')")
    check("--mapping" in text_of(browser, "#command"), "the release was verified without the mapping")
    check(os.path.exists(os.path.join(directory, "people.csv")), "there is no release of persons")


def main():
    with tempfile.TemporaryDirectory() as directory:
        make_files(directory)
        with Console(kith, directory) as console:
            with window() as browser:
                enter(browser, console, "run")
                command = run_to_release(browser, directory)
                check_command(command, directory)
                stop_with_best(browser, directory)
                compare_two(browser)
                check_page(browser, "run")
                browser.run("document.querySelector('iframe.report').hidden = true; scrollTo(0, 0)")
                picture(browser, "run-1280")
                browser.size(1000, 760)
                screen(browser, "run", "#board")
                make_release(browser, directory)
                release_of_persons(browser, directory)
                complaints = [said for said in browser.complaints() if "400" not in said]
                check(not complaints, f"the browser's console is not silent: {complaints}")
            console.address = console.next_address()
            with window() as browser:
                browser.phone()
                enter(browser, console, "run")
                check_page(browser, "run, narrow")
                picture(browser, "run-390")
            console.address = console.next_address()
            check_refusals(console, directory)
    print("browser/console_run: run, stop, board, comparison and release work")


main()
