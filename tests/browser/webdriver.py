"""A small WebDriver client (W3C protocol, standard library only) for the browser tests."""
import atexit
import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A headless Chromium behind chromedriver, which picks a free port and says which."""

    def __init__(self, width=1280, height=900, offline=False):
        self.narrow = None
        self.profile = tempfile.mkdtemp(prefix="kith-browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-sync",
                     "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.profile}",
                     f"--window-size={width},{height}"]
        if offline:  # every name of another machine fails to resolve
            arguments.append("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium") or ""}}}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            value = json.load(failure)["value"]
            raise RuntimeError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def do(self, method, path, body=None):
        return self.call(method, self.session + path, body)

    def open(self, address):
        self.do("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The script calls arguments[arguments.length - 1] with its result."""
        return self.do("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition, *arguments):
        """Returns the first value of a JavaScript expression that is true, looked at whenever the page changes."""
        self.do("POST", "/timeouts", {"script": 300000})
        return self.run_async("""
            const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);
            const test = () => (function () { return (%s); }).apply(null, given);
            const look = () => { const value = test(); if (value) { done(value); return true; } return false; };
            if (!look()) { const again = () => look() || requestAnimationFrame(again); again(); }
            """ % condition, *arguments)

    def find(self, css):
        return self.do("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        """Brings it into the middle first: at the edge something may lie over it."""
        self.run("document.querySelector(arguments[0])?.scrollIntoView({block: 'center'})", css)
        self.do("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        """Looks for the field again if the page has drawn it anew meanwhile."""
        for last in [False] * 100 + [True]:
            element = self.find(css)
            try:
                self.do("POST", f"/element/{element}/clear", {})
                self.do("POST", f"/element/{element}/value", {"text": text})
                return
            except RuntimeError as failure:
                if last or not str(failure).startswith(("stale element", "element not interactable")):
                    raise
                self.run_async("requestAnimationFrame(arguments[arguments.length - 1])")

    def text(self, css):
        return self.run("return document.querySelector(arguments[0]).innerText", css)

    def size(self, width, height):
        self.do("POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self, path):
        """The whole page, however long."""
        width = self.run("return innerWidth")
        height = self.run("return Math.max(document.documentElement.scrollHeight, 200)")
        metrics = {"width": width, "height": min(height, 12000), "deviceScaleFactor": 1, "mobile": False}
        self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})
        shot = self.do("POST", "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": {"format": "png"}})
        if self.narrow is None:
            self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
        else:
            self.phone()
        with open(path, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def screen(self, path):
        """What is on the screen now."""
        shot = self.do("POST", "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": {"format": "png"}})
        with open(path, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def phone(self):
        """A narrow screen: windows themselves have a least width."""
        self.narrow = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": self.narrow})

    def overflow(self):
        """How many pixels the page is wider than the screen. A telephone makes its window as wide as the page."""
        wide = self.run("return document.documentElement.scrollWidth")
        return wide - (self.narrow["width"] if self.narrow else self.run("return innerWidth"))

    def barriers(self, axe):
        """What axe-core, a script in the file `axe`, finds serious or critical in the page."""
        with open(axe) as source:
            self.run(source.read())
        return self.run_async("""
            const done = arguments[arguments.length - 1];
            axe.run({resultTypes: ["violations"]}).then(
                (r) => done(r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
                    .map((v) => v.id + ": " + v.nodes.map((n) => n.html).slice(0, 2).join(" "))),
                (e) => done(["axe failed: " + e]));""")

    def emulate(self, scheme):
        """"dark" or "light"."""
        self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def complaints(self):
        """What the page's console says: nothing, if all is well."""
        return [entry["message"] for entry in self.do("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.do("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


started = []


@contextlib.contextmanager
def window():
    """A new window of the one browser that a program has, without a network: to start one takes seconds. It knows nothing
    of earlier windows, but what belongs to an origin."""
    if not started:
        started.append(Browser(offline=True))
        atexit.register(started[0].close)
    browser, = started
    first = browser.do("GET", "/window")
    browser.do("POST", "/window", {"handle": browser.do("POST", "/window/new", {"type": "tab"})["handle"]})
    yield browser
    for handle in browser.do("GET", "/window/handles"):
        if handle != first:
            browser.do("POST", "/window", {"handle": handle})
            browser.do("DELETE", "/window")
    browser.do("POST", "/window", {"handle": first})
    browser.narrow = None


def address_of(path):
    return "file://" + os.path.abspath(path)
