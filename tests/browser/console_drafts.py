#!/usr/bin/env python3
"""Changes that are not saved, in a real browser: every button and every way out of a page keeps them, and a run is of what
the page shows. Leaves pictures in a directory.

    console_drafts.py KITH AXE PICTURES [TEST…]
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from console_page import at, check, check_page, enter, kith, picture, text_of  # noqa: E402
from console_server import Console  # noqa: E402
from webdriver import window  # noqa: E402

K = '[data-key="privacy.0.k"]'


def make_files(directory):
    """A table with its study (k = 5), and another study."""
    subprocess.run([kith, "generate", "hospital", "-n", "400", "-o", "p.csv", "-q", "--seed", "1"], cwd=directory, check=True)
    with open(os.path.join(directory, "other.study.yaml"), "w") as out:
        out.write(saved(directory).replace("k: 5}", "k: 3}"))


def saved(directory, name="p.study.yaml"):
    with open(os.path.join(directory, name)) as file:
        return file.read()


def checked(browser):
    browser.wait("document.querySelector('main').dataset.checked > ''")


def open_study(browser, console):
    enter(browser, console, "data")
    browser.run("[...document.querySelectorAll('.files button')].find((b) => b.innerText === 'p.csv').click()")
    browser.wait("document.querySelector('button.study')")
    browser.run("[...document.querySelectorAll('button.study')].find((b) => b.innerText === 'p.study.yaml').click()")
    browser.wait("document.querySelector('main').dataset.ready === 'study'")
    checked(browser)


def show_study(browser):
    at(browser, "study")
    checked(browser)


def shown_k(browser):
    return browser.run("return document.querySelector(arguments[0]).value", K), "k: 10}" in browser.run("return document.getElementById('text').value")


def still_ten(browser, where):
    show_study(browser)
    check(shown_k(browser) == ("10", True), f"{where}: the page shows {shown_k(browser)}")
    check("not saved" in text_of(browser, "#unsaved"), f"{where}: nothing says that it is not saved")
    check(browser.run("return document.querySelectorAll('#pages a[href=\"#study\"] .mark').length") == 1, f"{where}: the page has no mark")


def reload(browser):
    browser.run("document.querySelector('main').id = 'before'; location.reload()")
    browser.wait("document.getElementById('main')?.dataset.ready")


def last_run(directory, name):
    with open(os.path.join(directory, "runs", name, "summary.json")) as file:
        return json.load(file)["models"][0]["k"]


def wait_run(browser, name):
    browser.wait("document.querySelector('[role=alert]') || (document.querySelector('#result')?.innerText || '').includes(arguments[0])", name)
    check(not browser.run("return document.querySelector('[role=alert]')"), "the run failed: " + text_of(browser, "main")[:600])


def test_ways_out(directory):
    """Pages, reloads, the link to a hierarchy, another study and the browser's back: the change is there afterwards."""
    make_files(directory)
    before = saved(directory)
    with Console(kith, directory) as console, window() as browser:
        open_study(browser, console)
        browser.type(K, "10")
        for page in ("data", "hierarchies", "run", "together"):
            at(browser, page)
            still_ten(browser, "page " + page)
        check_page(browser, "study with changes")
        picture(browser, "study-unsaved")
        reload(browser)
        still_ten(browser, "reload")
        with open(os.path.join(directory, "p.study.yaml"), "a") as out:
            out.write("# somebody else\n")
        browser.click("#save")
        browser.wait("document.querySelector('.findings [role=alert]')")
        check("has changed since" in text_of(browser, ".findings") and "k: 5}" in saved(directory), "what somebody else wrote was replaced")
        at(browser, "run")
        browser.click("#run-save")
        browser.wait("document.querySelector('[role=alert]')")
        check("k: 5}" in saved(directory), "Save and run replaced what somebody else wrote")
        still_ten(browser, "a file that others changed")
        reload(browser)
        still_ten(browser, "a file that others changed, after a reload")
        check("changed by others" in text_of(browser, "#unsaved"), "nothing says that the file is another one: " + text_of(browser, "#unsaved"))
        with open(os.path.join(directory, "p.study.yaml"), "w") as out:
            out.write(before)
        browser.click('a[data-key="columns.age.hierarchy"]')
        browser.wait("document.querySelector('main').dataset.ready === 'hierarchies'")
        still_ten(browser, "the link to a hierarchy")
        browser.run("document.querySelector('#main details summary').click()")
        browser.run("[...document.querySelectorAll('.files button')].find((b) => b.innerText === 'other.study.yaml').click()")
        browser.wait("document.querySelector('#text')?.value.includes('k: 3}')")
        checked(browser)
        check(text_of(browser, "#unsaved") == "", "another study is said to be changed")
        browser.run("document.querySelector('#main details summary').click()")
        browser.run("[...document.querySelectorAll('.files button')].find((b) => b.innerText === 'p.study.yaml').click()")
        browser.wait("document.querySelector('#text')?.value.includes('k: 10}')")
        browser.run("history.back()")
        browser.wait("document.querySelector('main').dataset.ready === 'hierarchies'")
        still_ten(browser, "back")
        asked = browser.run("const e = new Event('beforeunload', {cancelable: true}); dispatchEvent(e); return e.defaultPrevented")
        check(asked, "a window with changes is closed without a question")
        check(saved(directory) == before, "the file was changed")
        browser.click("#discard")
        browser.wait("document.querySelector('#discard').disabled")
        check(browser.run("return document.getElementById('text').value") == before, "what was discarded is still there")
        check(browser.run("return document.querySelectorAll('#pages .mark').length") == 0, "a mark without a change")
        asked = browser.run("const e = new Event('beforeunload', {cancelable: true}); dispatchEvent(e); return e.defaultPrevented")
        check(not asked, "a window without changes asks")
        complaints = [said for said in browser.complaints() if "422" not in said]
        check(not complaints, f"the browser's console is not silent: {complaints}")


def test_typing(directory):
    """A field that was typed into and not left, two changes at once, and Save right after typing."""
    make_files(directory)
    with Console(kith, directory) as console, window() as browser:
        open_study(browser, console)
        browser.type(K, "10")
        check("not saved" in text_of(browser, "#unsaved"), "typing is not marked")
        reload(browser)
        still_ten(browser, "reload of a field that was not left")
        browser.run("""for (const [css, value] of [['[data-key="columns.job.role"]', 'insensitive'], ['[data-key="columns.age.role"]', 'sensitive']]) {
            const c = document.querySelector(css); c.value = value; c.dispatchEvent(new Event('change', {bubbles: true})); }""")
        browser.type(K, "10")
        browser.click("#save")
        browser.wait("document.querySelector('#save').disabled")
        now = saved(directory)
        check("k: 10}" in now, "what was typed was not saved")
        check(now == browser.run("return document.getElementById('text').value"), "the file is not what the page shows")
        for column, role in (("job", "insensitive"), ("age", "sensitive")):
            check(f"- name: {column}\n    role: {role}\n" in now, f"{column} was lost")


def test_run(directory):
    """Run it, with each of the answers: k in the summary is k on the screen."""
    make_files(directory)
    before = saved(directory)
    with Console(kith, directory) as console, window() as browser:
        open_study(browser, console)
        browser.type(K, "10")
        browser.click("#run-it")
        browser.wait("document.querySelector('#run-choice')")
        check(not browser.run("return document.querySelector('#run-go')"), "the file can be run by mistake")
        check_page(browser, "run of a study with changes")
        picture(browser, "run-unsaved")
        browser.click("#run-back")
        still_ten(browser, "back to the study")
        at(browser, "run")
        browser.click("#run-unsaved")
        wait_run(browser, "runs/p-1/")
        check(last_run(directory, "p-1") == 10, f"k on the screen is 10, in the run {last_run(directory, 'p-1')}")
        check(saved(directory) == before, "the study was saved without being asked for")
        check(browser.run("return document.querySelector('footer').hidden"), "a command that does something else: " + text_of(browser, "#command"))
        still_ten(browser, "a run without saving")
        browser.run("const c = document.querySelector('[data-key=\"columns.stay.role\"]'); c.value = 'identifying'; c.dispatchEvent(new Event('change', {bubbles: true}))")
        browser.click("#run-it")
        browser.wait("document.querySelector('#run-choice')")
        browser.click("#run-save")
        wait_run(browser, "runs/p-2/")
        check(last_run(directory, "p-2") == 10, "saved and run with another k")
        with open(os.path.join(directory, "runs/p-2/release.csv")) as file:
            check("stay" not in next(csv.reader(file)), "an identifying column is released")
        check("k: 10}" in saved(directory), "not saved")
        check("kith anonymize p.study.yaml" in text_of(browser, "#command"), "no command for a saved study")
        check(browser.run("return document.querySelectorAll('#pages .mark').length") == 0, "a mark after saving")
        browser.click("#run-go")
        wait_run(browser, "runs/p-3/")
        check(last_run(directory, "p-3") == 10, "the saved study was not run")
        at(browser, "together")
        check(browser.run("return document.querySelector('footer').hidden"), "Together shows the command of another page: " + text_of(browser, "#command"))
        check(not browser.complaints(), "the browser's console is not silent")


def put(browser, css, value):
    browser.run("""const c = document.querySelector(arguments[0]); c.value = arguments[1];
        c.dispatchEvent(new Event("input", {bubbles: true})); c.dispatchEvent(new Event("change", {bubbles: true}));""", css, value)
    browser.wait("document.querySelector('main').dataset.drawn > ''")


def test_hierarchies(directory):
    """What is chosen for a column, and the text of a file, survive; Use it in a study with changes saves nothing."""
    make_files(directory)
    before = saved(directory)
    jobs = os.path.join(directory, "hierarchies", "hospital-job.csv")
    rows = open(jobs).read()
    with Console(kith, directory) as console, window() as browser:
        open_study(browser, console)
        browser.type(K, "10")
        at(browser, "hierarchies")
        put(browser, "#h-column", "age")
        put(browser, "#h-intervals", "10, 50")
        check("not in the study" in text_of(browser, "#h-state"), "a hierarchy that is not used is not marked")
        put(browser, "#h-column", "job")
        browser.wait("document.querySelector('#h-text')")
        put(browser, "#h-text", rows + "juggler;arts;services;*\n")
        check("not saved" in text_of(browser, "#h-state"), "a file that is not saved is not marked")
        at(browser, "run")
        said = browser.run("return [...document.querySelectorAll('.unsaved')].map((x) => x.innerText).join(' ')")
        check("hierarchy of age" in said and "hospital-job.csv" in said, f"the run does not say what it lacks: {said}")
        at(browser, "hierarchies")
        reload(browser)
        put(browser, "#h-column", "job")
        browser.wait("document.querySelector('#h-text')?.value.includes('juggler')")
        check_page(browser, "hierarchies with changes")
        picture(browser, "hierarchies-unsaved")
        check(open(jobs).read() == rows, "the file was written")
        browser.click("#h-save")
        browser.wait("document.querySelector('#h-save').disabled")
        check(open(jobs).read() == rows + "juggler;arts;services;*\n", "the file was not saved as shown")
        put(browser, "#h-column", "age")
        check(browser.run("return document.querySelector('#h-intervals').value") == "10, 50", "the intervals are lost")
        browser.click("#use")
        browser.wait("document.querySelector('#used')")
        check("not saved" in text_of(browser, "#used") and saved(directory) == before, "Use it saved the study")
        still_ten(browser, "Use it")
        check("intervals: [10, 50]" in browser.run("return document.getElementById('text').value"), "the study does not have the intervals")
        at(browser, "hierarchies")
        put(browser, "#h-column", "age")
        put(browser, "#h-intervals", "20, 40")
        browser.click("#h-discard")
        browser.wait("document.querySelector('#h-intervals').value === '10, 50'")
        check(text_of(browser, "#h-state") == "", "discarded and still marked")
        check(not browser.complaints(), "the browser's console is not silent")


def test_together(directory):
    """A study with changes is joined as its file is, and the page says so."""
    make_files(directory)
    for name, port in (("north", 7001), ("south", 7002)):
        subprocess.run([kith, "cert", "init", name, "-o", name + ".key", "--address", f"localhost:{port}", "--party", name + ".party"],
                       cwd=directory, check=True, capture_output=True)
    with Console(kith, directory) as console, window() as browser:
        open_study(browser, console)
        browser.type(K, "10")
        at(browser, "together")
        put_base = "const c = document.querySelector('#join-base'); c.value = 'p.study.yaml'; c.dispatchEvent(new Event('change', {bubbles: true}))"
        browser.run(put_base)
        check("not saved" in text_of(browser, ".unsaved[data-path='p.study.yaml']"), "Together does not say what it lacks")
        browser.click(".unsaved[data-path='p.study.yaml'] button")
        browser.wait("!document.querySelector('.unsaved')")
        browser.run(put_base)
        browser.click("#join-go")
        browser.wait("[...document.querySelectorAll('#joint-study option')].some((o) => o.value === 'joint.study.yaml')")
        check("k: 10}" in saved(directory, "joint.study.yaml"), "joined with another k")


def main():
    chosen = sys.argv[4:]
    for test in (test_ways_out, test_typing, test_run, test_hierarchies, test_together):
        if chosen and test.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory() as directory:
            test(directory)
    print("browser/console_drafts: nothing is lost, and what is shown is run")


main()
