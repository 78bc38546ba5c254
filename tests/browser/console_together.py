#!/usr/bin/env python3
"""The page Together in real browsers: three consoles on one machine make keys, join a study, agree, and end with the
same release; when one of them is killed, the others say who left. Leaves pictures in a directory.

    console_together.py KITH AXE PICTURES
"""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from console_page import check, check_page, enter, kith, picture, screen, text_of  # noqa: E402
from console_server import Console  # noqa: E402
from webdriver import Browser  # noqa: E402

NAMES = ("east", "north", "south")
STATES = "Object.fromEntries([...document.querySelectorAll('#live [data-party]')].map((p) => [p.dataset.party, p.dataset.state]))"


def free_ports(count):
    """Ports that nobody listens on; all are held at once, so that they differ."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Site:
    """A party: a directory, its console, and the browser of its user."""

    def __init__(self, root, name, port):
        self.name, self.port, self.directory = name, port, os.path.join(root, name)
        self.console = Console(kith, self.directory)
        self.browser = Browser(offline=True)
        enter(self.browser, self.console, "together")

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def make_key(self):
        self.browser.type("#key-name", self.name)
        self.browser.type("#key-address", f"127.0.0.1:{self.port}")
        self.browser.click("#key-go")
        self.browser.wait("document.querySelector('details.key')")
        self.browser.wait("document.querySelector('#command').innerText.startsWith(arguments[0])",
                          f"kith cert init {self.name} -o {self.name}.key")
        shown = self.browser.run("return document.documentElement.outerHTML")
        check("PRIVATE" not in shown, "the private key is in the page")
        with open(self.path(self.name + ".key")) as file:
            secret = max(file.read().split("-----BEGIN PRIVATE KEY-----")[1].split("-----END")[0].split(), key=len)
        check(len(secret) > 40 and secret not in shown, "the private key is in the page")

    def begin(self, what):
        """Reloads the page, since files came by mail, and agrees."""
        self.browser.run("location.reload()")
        self.browser.wait("document.querySelector('#promises li')")
        self.browser.click("#agree-digest")
        self.browser.click("#agree-promises")
        self.browser.click(what)

    def close(self):
        self.browser.close()
        if self.console.process.poll() is None:
            self.console.close()
        self.console.process.stdout.close()


def make_directories(root, records):
    """The same base study everywhere, and a third of the table at each site."""
    subprocess.run([kith, "generate", "hospital", "-n", str(records), "-o", "p.csv", "-q", "--seed", "1"], cwd=root, check=True)
    with open(os.path.join(root, "p.csv")) as file:
        head, *rows = file.read().splitlines()
    for i, name in enumerate(NAMES):
        os.makedirs(os.path.join(root, name))
        shutil.copytree(os.path.join(root, "hierarchies"), os.path.join(root, name, "hierarchies"))
        with open(os.path.join(root, name, "mine.csv"), "w") as out:
            out.write("\n".join([head, *rows[i::3]]) + "\n")
        with open(os.path.join(root, "p.study.yaml")) as source, \
                open(os.path.join(root, name, "base.study.yaml"), "w") as out:
            out.write(source.read() + "\npartition: horizontal\n")


@contextlib.contextmanager
def three_sites(root):
    sites = [Site(root, name, port) for name, port in zip(NAMES, free_ports(3))]
    try:
        yield sites
    finally:
        for site in sites:
            site.close()


def prepare(sites):
    """Keys, party files, and a study that the first site joins and sends to the others."""
    for site in sites:
        site.make_key()
    first = sites[0]
    for site in sites[1:]:  # what came by mail is added by the page
        element = first.browser.find("#party-files")
        first.browser.do("POST", f"/element/{element}/value", {"text": site.path(site.name + ".party")})
        first.browser.wait("[...document.querySelectorAll('td')].some((cell) => cell.innerText.includes(arguments[0]))",
                           f"127.0.0.1:{site.port}")
    check_disabled(first)
    first.browser.click("#join-go")
    first.browser.wait("document.querySelector('#command').innerText.startsWith('kith study join base.study.yaml')")
    for site in sites[1:]:
        shutil.copy(first.path("joint.study.yaml"), site.directory)


def check_disabled(site):
    found = site.browser.run("const go = document.querySelector('#joint-go'); return go === null || go.disabled")
    check(found, "data could be touched before anybody agreed")


def check_digest(sites):
    """The page reads out what the command line prints."""
    words = [json.loads(subprocess.run([kith, "study", "digest", site.path("joint.study.yaml"), "--json"], check=True,
                                       capture_output=True).stdout) for site in sites]
    for site, said in zip(sites, words):
        shown = " ".join(text_of(site.browser, "main").split())
        check(said["words"] in shown and said["grouped"] in shown, "the digest is not read out as the command line prints it")
        check(said == words[0], "the studies differ")


def test_release(root):
    """Three consoles, from the keys to the same release."""
    make_directories(root, 300)
    with three_sites(root) as sites:
        prepare(sites)
        for site in sites:
            site.begin("#dry-go")
        for site in sites:
            site.browser.wait("document.querySelector('#checked')")
            check(not os.path.exists(site.path("runs")), "a dry run has written something")
        check_digest(sites)
        sites[0].browser.click("#joint-more summary")
        sites[0].browser.type("#joint-listen", f"127.0.0.1:{sites[0].port}")
        for site in sites:
            site.browser.click("#joint-go")
        sites[0].browser.wait("document.querySelector('#command').innerText.includes(arguments[0])",
                              f"--listen 127.0.0.1:{sites[0].port} -i mine.csv")
        for site in sites:
            site.browser.wait("document.querySelector('#joint-release') || document.querySelector('#failed')")
            check(site.browser.run("return document.querySelector('#failed') === null"), text_of(site.browser, "#joint-running"))
            check("kith party joint.study.yaml --as" in text_of(site.browser, "#command"), "the run has no command")
            check(site.browser.run("return document.querySelector('#live').dataset.outcome") == "complete", "the live facts have no end")
            check(not site.browser.complaints(), "the browser's console is not silent")
        releases = {open(site.path("runs/joint-1/release.csv"), "rb").read() for site in sites}
        check(len(releases) == 1, "the releases differ")
        check(len(releases.pop().splitlines()) == 301, "the release lacks records")
        check_page(sites[1].browser, "together")
        sites[1].browser.run("scrollTo(0, 0)")
        picture(sites[1].browser, "together-1280")
        sites[1].browser.size(1000, 760)
        screen(sites[1].browser, "together", "#joint-running")
        sites[2].browser.phone()
        check_page(sites[2].browser, "together, narrow")
        picture(sites[2].browser, "together-390")


def test_killed(root):
    """The run is under way at all three when the console of one ends without a word."""
    make_directories(root, 9000)
    with three_sites(root) as sites:
        prepare(sites)
        for site in sites:
            site.begin("#joint-go")
        for site in sites:
            site.browser.wait("(document.querySelector('#live') || {dataset: {}}).dataset.outcome === 'running'")
        sites[2].console.process.kill()
        for site in sites[:2]:
            site.browser.wait("document.querySelector('#failed')")
            check("south" in text_of(site.browser, "#failed"), "nobody says who left: " + text_of(site.browser, "#failed"))
            check("(step " in text_of(site.browser, "#failed"), "nobody says when: " + text_of(site.browser, "#failed"))
            states = site.browser.run("return " + STATES)
            check(states["south"] == "gone" and states[site.name] == "self", f"the parties are shown as {states}")
            check(not os.path.exists(site.path("runs/joint-1/release.csv")), "there is a release")
            check(os.path.exists(site.path("runs/joint-1/ledger.txt")), "there is no ledger")
        check_page(sites[0].browser, "together, failed")
        picture(sites[0].browser, "together-failed")


def main():
    for test in (test_release, test_killed):
        with tempfile.TemporaryDirectory() as root:
            test(root)
    print("browser/console_together: three consoles end with one release, and say who left")


main()
