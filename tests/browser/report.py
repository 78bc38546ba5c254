#!/usr/bin/env python3
"""Reports in a real browser, opened from a file without a network: every chart is drawn, the console is silent,
axe-core finds nothing serious, and the page fits a telephone. Leaves pictures in a directory.

    report.py KITH AXE PICTURES
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from webdriver import Browser, address_of, window  # noqa: E402

kith, axe, pictures = (os.path.abspath(path) for path in sys.argv[1:4])
os.makedirs(pictures, exist_ok=True)


def run(*arguments):
    subprocess.run([kith, *arguments], check=True, stdout=subprocess.DEVNULL)


def make_reports(directory):
    os.chdir(directory)
    run("generate", "hospital", "-n", "1500", "-o", "p.csv", "-q", "--seed", "1")
    run("simulate", "p.study.yaml", "-i", "p.csv", "--sites", "3", "-o", "run", "--in-process", "-q", "--no-progress",
        "--seed", "1")
    run("report", "run", "-o", "public.html", "-q")
    run("report", "run", "-o", "internal.html", "--internal", "--study", "p.study.yaml", "--data", "p.csv", "-q")
    with open("flash.yaml", "w") as out:
        out.write(open("p.study.yaml").read() + "\nalgorithm: flash\n")
    run("anonymize", "flash.yaml", "-i", "p.csv", "-o", "flash.csv", "--lattice", "lattice.tsv", "--report",
        "lattice.html", "--internal", "-q", "--no-progress")
    with open("few.csv", "w") as out:
        out.writelines(open("p.csv").readlines()[:501])
    run("compare", "p.study.yaml", "-i", "few.csv", "--sites", "3", "--in-process", "--report", "compare.html",
        "--internal", "-q", "--no-progress")
    run("try", "p.study.yaml", "-i", "p.csv", "--set", "k=2,5,10", "--summary", "tried.json", "-q", "--no-progress")
    run("report", "tried.json", "-o", "tried.html", "--internal", "-q")


def draw_all(browser):
    """Scrolls through the page, as a reader does, until every figure that has values shows its chart."""
    browser.wait("""(() => {
        const waiting = [...document.querySelectorAll("figure.chart")].filter(
            (f) => f.querySelector("tbody td[data-v]") && !f.querySelector("canvas"));
        if (waiting.length) waiting[0].scrollIntoView();
        return waiting.length === 0;
    })()""")
    return browser.run("return document.querySelectorAll('figure.chart canvas').length")


def check(condition, message):
    if not condition:
        sys.exit("browser/report: " + message)


def check_accessible(browser, name):
    found = browser.barriers(axe)
    check(not found, f"{name}: {found}")


def check_page(browser, name, min_charts):
    browser.open(address_of(name))
    check(draw_all(browser) >= min_charts, f"{name}: fewer than {min_charts} charts")
    check(not browser.complaints(), f"{name}: the console is not silent")
    check(browser.run("return document.querySelectorAll('details[open]').length") == 0,
          f"{name}: tables are not folded")
    wide = browser.overflow()
    check(wide <= 0, f"{name}: {wide} pixels wider than the window")
    check_accessible(browser, name)


def main():
    with tempfile.TemporaryDirectory() as directory:
        make_reports(directory)
        with window() as browser:
            for scheme in ("light", "dark"):
                browser.emulate(scheme)
                check_page(browser, "public.html", 9)
                check_page(browser, "internal.html", 20)
                browser.screenshot(os.path.join(pictures, f"internal-{scheme}.png"))
            browser.emulate("light")
            for name in ("lattice.html", "compare.html", "tried.html"):
                check_page(browser, name, 1)
                browser.screenshot(os.path.join(pictures, name.replace(".html", ".png")))
            browser.open(address_of("public.html"))
            draw_all(browser)
            browser.screenshot(os.path.join(pictures, "public-1280.png"))
        with Browser(width=1100, height=1000, offline=True) as browser:
            browser.open(address_of("public.html"))
            browser.screen(os.path.join(pictures, "report-screen.png"))
        with window() as browser:
            browser.phone()
            check_page(browser, "public.html", 9)
            browser.screenshot(os.path.join(pictures, "public-390.png"))
            check_page(browser, "internal.html", 20)
    print("browser/report: charts drawn, console silent, nothing serious for axe")


main()
