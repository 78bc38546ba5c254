#!/usr/bin/env python3
"""The console in a real browser: what a person clicks. Leaves pictures in a directory.

    console.py KITH AXE PICTURES [TEST…]
"""
import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from console_page import at, check, check_page, kith, picture, screen  # noqa: E402
from console_server import Console, Opener  # noqa: E402
from webdriver import Browser, window  # noqa: E402


def test_token(directory):
    """The address works once; a window keeps its token over a reload, and another one, which has none, is told so."""
    with Console(kith, directory) as console, window() as browser:
        browser.open(console.address)
        browser.wait("document.querySelector('main').dataset.ready === 'data'")
        check("#" not in browser.run("return location.href"), "the token stays in the address")
        browser.run("location.reload()")
        browser.wait("(document.querySelector('main') || {dataset: {}}).dataset.ready === 'data'")
        check(not browser.complaints(), "the browser's console is not silent")
        new = browser.do("POST", "/window/new", {"type": "tab"})["handle"]
        browser.do("POST", "/window", {"handle": new})
        browser.open(console.address.split("#")[0])
        browser.wait("document.querySelector('h1')")
        check("no token" in browser.text("main"), "another window has the token: " + browser.text("main"))
        with Browser(offline=True) as other:
            other.open(console.address)
            other.wait("document.querySelector('[role=alert]')")
            check("used before" in other.run("return document.body.innerText"), "an address works twice")


def test_opened(directory):
    """The file that a desktop opens leads to the console, and is gone then."""
    with tempfile.TemporaryDirectory() as place:
        opener = Opener(place)
        with Console(kith, directory, opener=opener) as console, window() as browser:
            file, = opener.arguments()
            browser.open("file://" + file)
            browser.wait("(document.querySelector('main') || {dataset: {}}).dataset.ready === 'data'")
            check("#" not in browser.run("return location.href"), "the token stays in the address")
            check(not os.path.exists(file), "the file is still there")
            check(console.next_address(), "no new address")


def start(browser, console):
    browser.open(console.address)
    browser.wait("document.querySelector('main').dataset.ready === 'data'")


def test_data(directory):
    """From an empty directory to columns with their roles, by clicking alone."""
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        check("no table" in browser.text("main"), "an empty directory does not say so")
        browser.click("#generate")
        browser.wait("document.querySelector('#opened').dataset.open === 'hospital.csv'")
        text = browser.text("#opened")
        for said in ("2,000 records, 12 columns", "quasi-identifying", "its name suggests", "disease"):
            check(said in text, f"the page Data does not say {said!r}")
        check(browser.text("#command") == "kith describe hospital.csv", "another command: " + browser.text("#command"))
        check(browser.run("return document.querySelectorAll('svg.bars').length") >= 8, "no histograms")
        screen(browser, "data", "#opened h2")
        browser.click("details.card summary")
        check_page(browser, "data")
        picture(browser, "data")
        browser.emulate("dark")
        picture(browser, "data-dark")
        check_page(browser, "data, dark")
        browser.emulate("light")
        browser.click("#draft")
        browser.wait("document.querySelector('#opened [role=alert]')")
        check("exists" in browser.text("#opened [role=alert]"), "a study was overwritten")
        browser.type("input[value$=yaml]", "mine.yaml")
        browser.click("#draft")
        browser.wait("document.querySelector('main').dataset.ready === 'study'")
        check(os.path.exists(os.path.join(directory, "mine.yaml")), "no study was written")
        check(not browser.complaints(), "the browser's console is not silent")


def test_whole_walk(directory):
    """From an empty directory to a verified release by clicking alone: data, draft, model, run, release."""
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        browser.click("#generate")
        browser.wait("document.querySelector('#opened').dataset.open === 'hospital.csv'")
        browser.click("button.study")
        browser.wait("document.querySelector('main').dataset.checked > ''")
        browser.click('button[aria-label="Leave insurance out"]')
        browser.wait("!document.getElementById('text').value.includes('name: insurance')")
        browser.wait("document.querySelector('main').dataset.checked > ''")
        browser.click("#save")
        browser.wait("document.querySelector('#save').disabled")
        at(browser, "run")
        browser.click("#run-go")
        browser.wait("document.querySelector('#result')")
        browser.wait("document.querySelector('button[aria-label^=Release]')")
        browser.click("button[aria-label^=Release]")
        browser.wait("document.querySelector('#release-go')")
        browser.click("#release-go")
        browser.wait("document.querySelector('#released')")
        at(browser, "run")
        check(browser.run("return [...document.querySelectorAll('#run-data option')].map((o) => o.value).join()") == "hospital.csv", "releases are tables to anonymize")
        check(not browser.complaints(), "the browser's console is not silent")
    subprocess.run([kith, "verify", "hospital.study.yaml", "release.csv", "--data", "hospital.csv", "-q"], check=True,
                   cwd=directory)
    with open(os.path.join(directory, "release.csv")) as release:
        check("insurance" not in release.readline(), "a column that was left out is released")


def test_sqlite(directory):
    """A table of a database, and one that is not there."""
    with sqlite3.connect(os.path.join(directory, "w.db")) as database:
        database.execute("create table people (age integer, town text)")
        database.executemany("insert into people values (?, ?)", [(20 + i % 50, "abc"[i % 3]) for i in range(200)])
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        browser.type("input[size]", "sqlite:w.db?table=people")
        browser.click(".row:has(input[size]) button")
        browser.wait("document.querySelector('#opened').dataset.open")
        check("200 records, 2 columns" in browser.text("#opened"), "SQLite: " + browser.text("#opened"))
        browser.run("delete document.querySelector('#opened').dataset.open")
        browser.type("input[size]", "sqlite:w.db?table=none")
        browser.click(".row:has(input[size]) button")
        browser.wait("document.querySelector('#opened').dataset.open")
        check("none" in browser.text("#opened [role=alert]"), "a table that is not there")


def test_read_only(directory):
    """Reports and nothing else; one is shown in its own sandbox."""
    make_hospital(directory)
    subprocess.run([kith, "anonymize", "hospital.study.yaml", "-i", "hospital.csv", "-o", "r.csv", "--report", "r.html", "-q"],
                   check=True, cwd=directory)
    with Console(kith, directory, "--read-only") as console, window() as browser:
        browser.open(console.address)
        browser.wait("document.querySelector('main').dataset.ready === 'reports'")
        check(browser.text("#pages") == "Reports", "there are other pages")
        check("r.html" in browser.text("main") and "hospital" not in browser.text("table"), "lists more than reports")
        browser.click("main button.link")
        browser.wait("document.querySelector('iframe').src && !document.querySelector('iframe').hidden")
        check_page(browser, "reports")
        check(not browser.complaints(), "the browser's console is not silent")


def make_hospital(directory, rows=500):
    subprocess.run([kith, "generate", "hospital", "-n", str(rows), "--seed", "1", "-q", "-o",
                    os.path.join(directory, "hospital.csv")], check=True)


def open_study(browser):
    """Opens hospital.csv and its study by clicking, and waits until it was checked against the data."""
    browser.click(".files button")
    browser.wait("document.querySelector('button.study')")
    browser.click("button.study")
    browser.wait("document.querySelector('main').dataset.checked > ''")


def change(browser, css, value):
    """Gives a field another value, as a person does who then leaves it."""
    browser.run("""const c = document.querySelector(arguments[0]);
        c.value = arguments[1]; c.dispatchEvent(new Event("input", {bubbles: true}));
        c.dispatchEvent(new Event("change", {bubbles: true}));""", css, value)
    browser.wait("document.querySelector('main').dataset.checked === ''")
    browser.wait("document.querySelector('main').dataset.checked > ''")


def test_study(directory):
    """Forms and text change each other, comments stay, findings stand at the line and at the field."""
    make_hospital(directory)
    before = open(os.path.join(directory, "hospital.study.yaml")).read()
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        open_study(browser)
        check("Nothing is wrong, also with hospital.csv" in browser.text("main"), "the study is not checked: " + browser.text("main")[:300])
        check_page(browser, "study")
        picture(browser, "study")
        change(browser, '[data-key="privacy.0.k"]', "7")
        now = browser.run("return document.getElementById('text').value")
        check(now == before.replace("k: 5}", "k: 7}"), "a form changed more than its value")
        change(browser, '[data-key="unit"]', "row")
        check(browser.run("return document.getElementById('text').value").rstrip().endswith("unit: row"), "rows are not said to be people")
        check("Is each row one person?" in browser.text("#forms"), "nobody asks whose the rows are")
        change(browser, '[data-key="unit"]', "")
        check(browser.run("return document.getElementById('text').value") == now, "taking back whose the rows are changed more")
        change(browser, "#text", now.replace("role: sensitive", "role: sensible"))
        check(browser.run("return document.querySelectorAll('.gutter .bad').length") >= 1, "no finding at the line")
        at = browser.text('td:has([data-key="columns.disease.role"])')
        check("sensible" in at, "no finding at the field: " + at)
        check_page(browser, "study with a problem")
        picture(browser, "study-problem")
        change(browser, '[data-key="columns.disease.role"]', "sensitive")
        check(browser.run("return document.getElementById('text').value") == now, "mending by a form changed more")
        change(browser, "#text", "a: [")
        check("YAML" in browser.text("#forms"), "forms without a text")
        change(browser, "#text", now)
        browser.click("#save")
        browser.wait("document.querySelector('#save').disabled")
        check(open(os.path.join(directory, "hospital.study.yaml")).read() == now, "not saved as shown")
        change(browser, "#text", now.replace("hierarchies/hospital-job.csv", "../../etc/passwd"))
        check("may not be read here" in browser.text("main"), "a file outside was read")
        check(not browser.complaints(), "the browser's console is not silent")


def drawn(browser):
    browser.wait("document.querySelector('main').dataset.drawn > ''")


def put(browser, css, value):
    """Gives a control of the page Hierarchies another value, and waits for the tree."""
    browser.run("""const c = document.querySelector(arguments[0]);
        c.value = arguments[1]; c.dispatchEvent(new Event("input", {bubbles: true}));
        c.dispatchEvent(new Event("change", {bubbles: true}));""", css, value)
    drawn(browser)


def test_hierarchies(directory):
    """Builders with a live tree; a file that lacks a value is mended in the page, and the study uses it."""
    make_hospital(directory)
    jobs = os.path.join(directory, "hierarchies", "hospital-job.csv")
    rows = open(jobs).read()
    with open(jobs, "w") as out:
        out.write("".join(row for row in rows.splitlines(True) if not row.startswith("nurse;")))
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        open_study(browser)
        check("nurse" in browser.text("main"), "the study does not say which value has no place")
        at(browser, "hierarchies")
        drawn(browser)
        check("35-39" in browser.text("#tree") or "0-39" in browser.text("#tree"), "no intervals: " + browser.text("#tree"))
        check("500" in browser.text("#tree"), "no numbers of records")
        screen(browser, "hierarchies")
        check_page(browser, "hierarchies")
        picture(browser, "hierarchies")
        put(browser, "#h-intervals", "5, 12")
        check("divide" in browser.text("#tree") or "multiple" in browser.text("#tree"), "widths that do not fit: " + browser.text("#tree"))
        put(browser, "#h-intervals", "10, 50")
        check("50-99" in browser.text("#tree"), "the tree is not live")
        browser.click("#use")
        browser.wait("document.querySelector('.good')")
        put(browser, "#h-column", "job")
        browser.wait("document.querySelector('#unplaced select')")
        check("nurse" in browser.text("#unplaced"), "the value without a place is not shown")
        check_page(browser, "hierarchies with a value without a place")
        picture(browser, "hierarchies-unplaced")
        choice = browser.run("return [...document.querySelectorAll('#unplaced select option')].find((o) => o.text.includes('health')).value")
        put(browser, "#unplaced select", choice)
        browser.wait("!document.querySelector('#unplaced')")
        browser.click("#h-save")
        browser.wait("document.querySelector('#h-save').disabled")
        check("nurse;health;services;*" in open(jobs).read(), "the file was not mended")
        text = open(os.path.join(directory, "hospital.study.yaml")).read()
        check("hierarchy: {intervals: [10, 50]}     # 37" in text, "the study does not have the intervals")
        at(browser, "study")
        browser.wait("document.querySelector('main').dataset.checked > ''")
        check("Nothing is wrong" in browser.text("main"), "still wrong: " + browser.text("main")[:300])
        check(not browser.complaints(), "the browser's console is not silent")


def open_table(browser, name):
    """Opens a table by clicking on it, and waits for it, or for a message."""
    browser.run("delete document.querySelector('#opened').dataset.open")
    browser.run("[...document.querySelectorAll('.files button')].find((b) => b.innerText === arguments[0]).click()", name)
    browser.wait("document.querySelector('#opened').dataset.open")


def test_reading(directory):
    """How a file is written is said once, on the page Data; Hierarchies and Study read it so, also after a reload, and no
    other file is read so."""
    with open(os.path.join(directory, "towns.csv"), "wb") as out:
        out.write("".join(f"{town},{20 + i % 7}\n" for i in range(60) for town in ("Köln", "Bonn")).encode("latin-1"))
    with open(os.path.join(directory, "utf8.csv"), "w", encoding="utf-8") as out:
        out.write("größe,alter\n" + "".join(f"{150 + i % 9},{20 + i % 7}\n" for i in range(60)))
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        open_table(browser, "towns.csv")
        check(browser.run("return document.querySelector('#csv-settings').open"), "the settings of a file that cannot be read are hidden")
        browser.click("#csv-take")
        browser.wait("document.querySelector('#csv-encoding').value === 'WINDOWS-1252' && document.querySelector('#draft')")
        browser.run("delete document.querySelector('#opened').dataset.open")
        browser.click("#csv-no-header")
        browser.wait("document.querySelector('#opened').dataset.open && document.querySelector('#draft')")
        check("WINDOWS-1252, no header" in browser.text("#csv-settings summary"), "what is not the default is not shown")
        browser.click("#draft")
        browser.wait("document.querySelector('main').dataset.ready === 'study'")
        browser.wait("document.querySelector('#command').innerText.startsWith(arguments[0])", "kith study check towns.study.yaml towns.csv")
        check(browser.text("#command").endswith("--encoding WINDOWS-1252 --no-header"), "Study: " + browser.text("#command"))
        for _ in range(2):
            at(browser, "hierarchies")
            drawn(browser)
            put(browser, "#h-column", "c1")
            check("Köln" in browser.text("#tree"), "Hierarchies: " + browser.text("main"))
            check(browser.text("#command").endswith("--column c1 --study towns.study.yaml --encoding WINDOWS-1252 --no-header"), "Hierarchies: " + browser.text("#command"))
            browser.run("location.reload()")
            browser.wait("(document.querySelector('main') || {dataset: {}}).dataset.ready")
        at(browser, "data")
        open_table(browser, "utf8.csv")
        check("größe" in browser.text("#opened") and "60 records" in browser.text("#opened"), "read as another file is: " + browser.text("#opened")[:200])
        check(not browser.run("return document.querySelector('#csv-settings').open"), "settings of another file")
        open_table(browser, "towns.csv")
        check("120 records" in browser.text("#opened"), "the settings of a file are lost: " + browser.text("#opened")[:200])
        check(not browser.complaints(), "the browser's console is not silent")


GERMAN = """study: german
missing_values: ["", k.A., "-"]
columns:
  - {name: größe, role: quasi-identifying, type: decimal, decimal: comma, hierarchy: {intervals: [10, 100]}}
  - {name: tag, role: quasi-identifying, type: date, format: "%d.%m.%Y", hierarchy: {dates: [month, year]}}
  - {name: dx, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
"""


def test_as_studied(directory):
    """Hierarchies read a column as the study says: decimal comma, format of dates, texts that mean missing, encoding."""
    with open(os.path.join(directory, "german.csv"), "wb") as out:
        rows = "".join(f"{'k.A.' if i % 20 == 3 else '-' if i % 20 == 4 else f'{150 + i % 40},5'};{1 + i % 28:02}.03.2024;{'abc'[i % 3]}\n"
                       for i in range(200))
        out.write(("größe;tag;dx\n" + rows).encode("latin-1"))
    with open(os.path.join(directory, "german.study.yaml"), "w", encoding="utf-8") as out:
        out.write(GERMAN)
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        open_table(browser, "german.csv")
        browser.click("#csv-take")
        browser.wait("document.querySelector('button.study')")
        check("'k.A.'" in browser.text("#opened"), "nothing says which cells spoil a type: " + browser.text("#opened")[:400])
        browser.click("button.study")
        browser.wait("document.querySelector('main').dataset.checked > ''")
        check("Nothing is wrong" in browser.text("main"), "the study: " + browser.text("main")[:300])
        browser.click('a[data-key="columns.größe.hierarchy"]')
        browser.wait("document.querySelector('main').dataset.ready === 'hierarchies'")
        drawn(browser)
        check("180" in browser.text("#tree") and "20 records have no value" in browser.text("#tree"), "intervals: " + browser.text("#tree"))
        command = browser.text("#command")
        made = subprocess.run(["sh", "-c", command], cwd=directory, capture_output=True, text=True,
                              env={**os.environ, "PATH": os.path.dirname(kith) + ":" + os.environ["PATH"]})
        check(made.returncode == 0 and "150,5" in made.stdout, f"{command}: {made.stderr}")
        put(browser, "#h-kind", "mask")
        check("6 levels: 36" in browser.text("#tree"), "mask: " + browser.text("#tree"))
        put(browser, "#h-column", "tag")
        check("2024-03" in browser.text("#tree"), "dates: " + browser.text("#tree"))
        check(not browser.complaints(), "the browser's console is not silent")


def test_findings(directory):
    """A finding about another file names it, and its link leads to the line of that file; the study's lines stay unmarked."""
    make_hospital(directory)
    with open(os.path.join(directory, "hierarchies", "hospital-job.csv"), "a") as out:
        out.write("nurse;health;services;*\n")
    with Console(kith, directory) as console, window() as browser:
        start(browser, console)
        open_study(browser)
        check("hierarchies/hospital-job.csv, line 36: 'nurse' repeats line 5" in browser.text(".findings"), "no file: " + browser.text(".findings"))
        check(browser.run("return document.querySelectorAll('.findings li').length") == 1, "said twice: " + browser.text(".findings"))
        check(browser.run("return document.querySelectorAll('.gutter .warn, .gutter .bad').length") == 0, "a line of the study is marked")
        browser.click(".findings a")
        browser.wait("document.querySelector('main').dataset.ready === 'hierarchies'")
        browser.wait("document.activeElement.id === 'h-text'")
        chosen = browser.run("const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionEnd)")
        check(chosen == "nurse;health;services;*", f"the link leads to {chosen!r}")
        drawn(browser)
        check("hierarchies/hospital-job.csv, line 36" in browser.text("#tree"), "Hierarchies does not name the file: " + browser.text("#tree")[:200])
        with open(os.path.join(directory, "hierarchies", "hospital-job.csv"), "w") as out:
            out.write("nurse;health;services;*\n")
        at(browser, "study")
        browser.wait("document.querySelector('main').dataset.checked > ''")
        check("hospital.csv, line" in browser.text(".findings"), "a finding about data: " + browser.text(".findings"))
        check(not browser.run("return document.querySelector('.findings a, .findings button')"), "a link that leads nowhere")
        check(not browser.complaints(), "the browser's console is not silent")


def test_telephone(directory):
    """All pages fit a narrow screen, with data and a study open."""
    make_hospital(directory)
    with Console(kith, directory) as console, window() as browser:
        browser.phone()
        start(browser, console)
        open_study(browser)
        for page in ("data", "hierarchies", "study", "run", "together"):
            at(browser, page)
            if page == "data":
                browser.wait("document.querySelector('#opened').dataset.open")
            if page == "hierarchies":
                drawn(browser)
            check_page(browser, page + " on a telephone")
            picture(browser, page + "-390")
        check(not browser.complaints(), "the browser's console is not silent")


def main():
    chosen = sys.argv[4:]
    for test in (test_token, test_opened, test_data, test_whole_walk, test_sqlite, test_study, test_hierarchies, test_reading, test_as_studied,
                 test_findings, test_read_only, test_telephone):
        if chosen and test.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory() as directory:
            test(directory)
    print("browser/console: all pages work")


main()
