#!/usr/bin/env python3
"""Attacks on the console: strangers, foreign names, paths, large and slow requests.

    console_attacks.py KITH
"""
import concurrent.futures
import fcntl
import http.client
import json
import os
import socket
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from console_server import Console  # noqa: E402

kith = os.path.abspath(sys.argv[1])


def check(condition, message):
    if not condition:
        sys.exit("console: " + message)


def refused(console, expected, what, *request, **more):
    status, answer = console.send(*request, **more)
    check(status == expected, f"{what}: status {status}, expected {expected}: {answer}")


def test_strangers(directory):
    """No token, a wrong one, another site, another name: nothing is answered."""
    with Console(kith, directory) as console:
        refused(console, 401, "no token", "POST", "/api/files", "{}")
        console.begin()
        first = console.token
        for token in (None, "", "0" * 64, first[:-1], first + "0"):
            refused(console, 401, f"token {token}", "POST", "/api/files", "{}", headers={"X-Kith-Token": token})
            refused(console, 401, "a route that is none", "POST", "/api/x", "{}", headers={"X-Kith-Token": token})
        for host in (None, "evil.example", f"evil.example:{console.port}", "127.0.0.1", f"127.0.0.1:{console.port + 1}",
                     f"localhost:{console.port}.evil.example", f"[::1]:{console.port}"):
            refused(console, 403, f"Host {host}", "POST", "/api/files", "{}",
                    headers={"Host": host})
            refused(console, 403, f"Host {host}", "GET", "/", headers={"Host": host})
        for origin in ("null", "http://evil.example", f"https://127.0.0.1:{console.port}", "http://127.0.0.1",
                       f"http://127.0.0.1:{console.port}.evil.example"):
            refused(console, 403, f"Origin {origin}", "POST", "/api/files", "{}", headers={"Origin": origin})
            refused(console, 403, f"Origin {origin}", "POST", "/api/start", "{}", headers={"Origin": origin})
        for site in ("cross-site", "same-site"):
            refused(console, 403, site, "GET", "/", headers={"Sec-Fetch-Site": site})
            window = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
            refused(console, 200, "a window from elsewhere", "GET", "/", headers=window)
            for method, path, more in (("GET", "/app.js", {}), ("GET", "/file/x", {}), ("POST", "/api/files", {}), ("POST", "/", {}),
                                       ("GET", "/", {"Sec-Fetch-Dest": "iframe"}), ("GET", "/", {"Sec-Fetch-Mode": "cors"})):
                refused(console, 403, f"{site}: {path} {more}", method, path, headers={**window, **more})
        for method in ("PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PATCH", "BREW"):
            refused(console, 405, method, method, "/api/files")
        status, _ = console.send("POST", "/api/files", "{}", headers={"Origin": f"http://127.0.0.1:{console.port}"})
        check(status == 200, "the console's own page is refused")
        check(console.close() == 0, "Ctrl-C is no success")


def test_start_once(directory):
    """The token of the address works once, and another address follows. All windows get the token of the console, which
    works until it ends."""
    with Console(kith, directory) as console:
        used = console.address
        console.begin()
        check(console.address != used, "no new address")
        refused(console, 422, "a used token", "POST", "/api/start", json.dumps({"start": used.split("#")[1]}))
        first = console.token
        console.begin()
        check(console.token == first and len(first) == 64, "another window has another token")
        refused(console, 200, "a window among two", "POST", "/api/files", "{}")
    with Console(kith, directory) as console:
        refused(console, 401, "the token of a console that ended", "POST", "/api/files", "{}", headers={"X-Kith-Token": first})


def test_headers(directory):
    with Console(kith, directory) as console:
        for path in ("/", "/app.js", "/style.css"):
            status, _ = console.send("GET", path)
            check(status == 200, f"{path}: {status}")
            policy = console.headers["Content-Security-Policy"]
            check("default-src 'none'" in policy and "unsafe" not in policy, f"{path}: {policy}")
            check(console.headers["X-Content-Type-Options"] == "nosniff", path)
            check(not any(name.lower().startswith("access-control") for name in console.headers), "CORS")
        with socket.create_connection(("127.0.0.1", console.port)):
            pass
        for family, address in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as s:
                try:
                    s.connect((address, console.port))
                    check(False, f"listens on {address}")
                except OSError:
                    pass


def test_paths(directory):
    """Only files below the directory, and no keys."""
    outside = os.path.join(directory, "outside")
    inside = os.path.join(directory, "inside")
    for made in (outside, inside, os.path.join(inside, "hierarchies")):
        os.mkdir(made)
    for path, text in ((os.path.join(outside, "o.csv"), "a\nsecret\n"), (os.path.join(inside, "i.csv"), "a\n1\n"),
                       (os.path.join(inside, ".hidden.csv"), "a\n1\n"), (os.path.join(inside, "site.key"), "x"),
                       (os.path.join(inside, "k.csv"), "-----BEGIN PRIVATE KEY-----\nsecret\n")):
        with open(path, "w") as out:
            out.write(text)
    os.symlink(os.path.join(outside, "o.csv"), os.path.join(inside, "link.csv"))
    os.symlink(os.path.join(outside, "new.csv"), os.path.join(inside, "dangling.csv"))
    os.symlink(outside, os.path.join(inside, "linked"))
    os.mkfifo(os.path.join(inside, "pipe.csv"))
    bad = ["../outside/o.csv", os.path.join(outside, "o.csv"), "link.csv", "linked/o.csv", "./../outside/o.csv",
           "hierarchies/../../outside/o.csv", "dangling.csv", ".hidden.csv", "site.key", "k.csv", "pipe.csv",
           "hierarchies", "", ".", "..", "/", "i.csv\n", "i.csv/", "%2e%2e/outside/o.csv", "..\\outside\\o.csv", "x" * 5000]
    with Console(kith, inside) as console:
        console.begin()
        names = [file["path"] for file in console.ask("files")["files"]]
        check(names == ["i.csv"], f"the list is {names}")
        for path in bad:
            refused(console, 422, f"link for {path[:60]!r}", "POST", "/api/link", json.dumps({"path": path}))
        for path in ("../outside/n.csv", "linked/n.csv", "dangling.csv", "/tmp/kith-n.csv", ".n.csv", "i.csv", "no/n.csv", ""):
            quoted = "".join(f"%{byte:02x}" for byte in path.encode())
            refused(console, 422, f"upload to {path}", "POST", "/api/upload", "a\n2\n", headers={"X-Kith-Name": quoted})
        for route, body in (("link", {"path": "i.csv\0.html"}), ("data/open", {"data": "i.csv\0"}), ("study/save", {"path": "s.yaml\0", "text": "a"}),
                            ("hierarchies/draw", {"data": "i.csv", "column": "a\0b", "builder": "suppress"}),
                            ("study/check", {"path": "s.yaml", "text": "a\0b"}), ("data/generate", {"path": "g.csv\0", "rows": 5, "profile": "adult"})):
            status, answer = console.send("POST", "/api/" + route, json.dumps(body))
            check(status == 422 and "NUL" in answer["error"], f"{route} {body}: {status} {answer}")
        status, answer = console.send("POST", "/api/upload", "a\n2\n", headers={"X-Kith-Name": "n.csv%00.txt"})
        check(status == 422 and "NUL" in answer["error"], f"upload: {status} {answer}")
        text = "study: s # \\u0000 is text here\n"
        check("findings" in console.ask("study/check", path="s.yaml", text=text), "six characters are no NUL")
        for path in ("/../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/index.html/..", "/file/../i.csv",
                     "/i.csv", "/file/", "/file/" + "0" * 64, "/%00", "/app.js%00.html"):
            refused(console, 404, path, "GET", path)
        address = console.ask("link", path="i.csv")["address"]
        check(console.send("GET", address) == (200, b"a\n1\n"), "a link gives no file")
        check("sandbox" in console.headers["Content-Security-Policy"], "a file without a sandbox")
        refused(console, 404, "a used link", "GET", address)
        left = sorted(os.listdir(inside))
        check(not any(name.startswith(".kith-console-") for name in left), f"left behind: {left}")
        check(os.listdir(outside) == ["o.csv"], "written outside")


def test_names_in_studies(directory):
    """A study or builder that names a file outside, or a key, does not get it read."""
    with open(os.path.join(directory, "d.csv"), "w") as out:
        out.write("job,x\nclerk,1\nnurse,2\n")
    with open(os.path.join(directory, "site.key"), "w") as out:
        out.write("-----BEGIN PRIVATE KEY-----\nMYSECRET;a\nMYSECRET;b\n-----END PRIVATE KEY-----\n")
    study = "study: s\ncolumns: [{name: job, role: quasi-identifying, hierarchy: %s}]\nprivacy: [{model: k-anonymity, k: 2}]\n"
    with Console(kith, directory) as console:
        for name in ("/etc/passwd", "../../etc/passwd", "site.key", "{file: site.key}", "{file: /etc/passwd}"):
            found = console.ask("study/check", path="s.yaml", text=study % name)["findings"]
            check("may not be read here" in str(found) and "MYSECRET" not in str(found), f"{name}: {found}")
            status, answer = console.send("POST", "/api/hierarchies/draw",
                                          json.dumps({"data": "d.csv", "column": "job", "builder": name}))
            check(status == 422, f"builder {name}: {answer}")
        for route, body in (("data/open", {"data": "site.key"}), ("study/open", {"path": "site.key"}),
                            ("hierarchies/open", {"path": "site.key"}), ("data/open", {"data": "sqlite:site.key?table=t"})):
            status, answer = console.send("POST", "/api/" + route, json.dumps(body))
            check(status == 422 and "MYSECRET" not in str(answer), f"{route}: {answer}")
        for route, body in (("study/save", {"path": "../s.yaml", "text": "a"}), ("study/save", {"path": "site.key", "text": "a"}),
                            ("hierarchies/save", {"path": "/tmp/h.csv", "text": "a;*"}),
                            ("data/generate", {"path": "../g.csv", "rows": 5, "profile": "adult"})):
            refused(console, 422, route, "POST", "/api/" + route, json.dumps(body))


def test_bodies(directory):
    """What is no JSON object is refused; what is too large, before it is read."""
    with Console(kith, directory) as console:
        console.begin()
        for body in ("", "x", "[]", "1", "{", "{}x", "[" * 100000, '{"a":' * 1000, '{"a":"\0"}', "\xff\xfe"):
            refused(console, 422, f"body {body[:20]!r}", "POST", "/api/files", body)
        for length in ("1048577", "1073741824", "999999999999999"):
            refused(console, 413, f"length {length}", "POST", "/api/files", headers={"Content-Length": length})
        refused(console, 413, "a large upload", "POST", "/api/upload",
                headers={"Content-Length": "1073741824", "X-Kith-Name": "n.csv"})
        refused(console, 411, "no length", "POST", "/api/files", headers={"Transfer-Encoding": "chunked"})
        before = console.memory()
        send_gigabyte(console)
        check(console.memory() - before < 16 << 10, f"memory grew from {before} to {console.memory()} kB")
        check(os.listdir(directory) == [], f"left behind: {os.listdir(directory)}")


def half_request(console, head):
    """A connection whose request is not complete."""
    s = socket.create_connection(("127.0.0.1", console.port))
    s.sendall(f"{head}\r\nHost: 127.0.0.1:{console.port}\r\n".encode())
    return s


def test_start_bodies(directory):
    """Requests without a token reserve nothing of what those with one may use."""
    with Console(kith, directory) as console:
        console.begin()
        for length in ("257", "1048576"):
            refused(console, 413, f"a start of {length} bytes", "POST", "/api/start", headers={"Content-Length": length})
        refused(console, 422, "a start of 256 bytes", "POST", "/api/start", json.dumps({"start": "0" * 243}))
        strangers = [half_request(console, "POST /api/start HTTP/1.1") for _ in range(64)]
        for s in strangers:
            s.sendall(b"Content-Length: 1048576\r\n\r\n{")
        for s in strangers:  # each is refused, so that none reserves anything
            check(b" 413 " in s.recv(64), "a large body without a token is awaited")
            s.close()
        refused(console, 200, "a request among strangers", "POST", "/api/files", "{}")


def test_many_connections(directory):
    """Strangers who hold connections, and say a little now and then, do not keep the user out."""
    over = threading.Event()
    strangers = []

    def talk():
        while not over.wait(1):
            for s in strangers:
                try:
                    s.send(b"x")
                except OSError:
                    pass

    with Console(kith, directory) as console:
        console.begin()
        talking = threading.Thread(target=talk)
        talking.start()
        try:
            for _ in range(700):
                strangers.append(half_request(console, "POST /api/start HTTP/1.1"))
            answers = http.client.HTTPConnection("127.0.0.1", console.port, timeout=120)
            for _ in range(2):  # the same connection, which stays
                answers.request("POST", "/api/files", "{}", {"X-Kith-Token": console.token})
                answer = answers.getresponse()
                check(answer.status == 200 and answer.read(), "no answer among strangers")
                strangers += [half_request(console, "GET / HTTP/1.1") for _ in range(700)]
            answers.close()
        except TimeoutError:
            check(False, "strangers keep the user out")
        finally:
            over.set()
            talking.join()
            for s in strangers:
                s.close()


def send_gigabyte(console):
    """Announces 1 GB and sends until the server hangs up."""
    with socket.create_connection(("127.0.0.1", console.port)) as s:
        s.sendall(f"POST /api/files HTTP/1.1\r\nHost: 127.0.0.1:{console.port}\r\nX-Kith-Token: {console.token}\r\n"
                  f"Content-Length: {1 << 30}\r\n\r\n".encode())
        sent, block = 0, b" " * 65536
        try:
            while sent < 1 << 30:
                sent += s.send(block)
        except OSError:
            pass
        check(sent < 1 << 26, f"took {sent} bytes of a body that it refuses")


def test_load(directory):
    """A thousand requests in parallel beside slow clients, with and without a token: all answered, memory flat."""
    with Console(kith, directory) as console:
        console.begin()
        expected = {0: 200, 1: 401, 2: 403}

        def one(number):
            kind = number % 3
            other = Console.__new__(Console)
            other.port, other.token = console.port, console.token if kind != 1 else None
            return other.send("POST", "/api/files", "{}", headers={"Host": "evil"} if kind == 2 else None)[0] == expected[kind]

        slow = []
        for _ in range(100):
            s = socket.create_connection(("127.0.0.1", console.port))
            s.sendall(b"POST /api/files HTTP/1.1\r\nHost: ")
            slow.append(s)
        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            check(all(pool.map(one, range(1000))), "a request among a thousand was lost")
            before = console.memory()
            check(all(pool.map(one, range(3000))), "a request among thousands was lost")
        check(console.memory() - before < 8 << 10, f"memory grew from {before} to {console.memory()} kB")
        for s in slow:  # the server hangs up on them
            s.settimeout(300)
            try:
                check(not s.recv(1000).startswith(b"HTTP/1.1 200"), "half a request was answered")
            except ConnectionError:
                pass
            s.close()
        check(one(0), "no answer after slow clients")


def test_read_only(directory):
    with open(os.path.join(directory, "r.html"), "w") as out:
        out.write("<!doctype html><title>r</title>")
    with open(os.path.join(directory, "d.csv"), "w") as out:
        out.write("a\n1\n")
    with Console(kith, directory, "--read-only") as console:
        console.begin()
        check([f["path"] for f in console.ask("files")["files"]] == ["r.html"], "lists more than reports")
        refused(console, 422, "data", "POST", "/api/link", json.dumps({"path": "d.csv"}))
        refused(console, 404, "upload", "POST", "/api/upload", "x", headers={"X-Kith-Name": "n.csv"})
        refused(console, 404, "jobs", "POST", "/api/job", "{}")
        check(console.send("GET", console.ask("link", path="r.html")["address"])[0] == 200, "no report")


def test_leftovers(directory):
    """A console removes what a killed one has left, and nothing that is still being written."""
    for name in (".kith-console-killed.csv", ".kith-console-writes.csv", ".other.csv"):
        with open(os.path.join(directory, name), "w") as out:
            out.write("a\n1\n")
    with open(os.path.join(directory, ".kith-console-writes.csv")) as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        with Console(kith, directory) as console:
            console.begin()
            left = sorted(os.listdir(directory))
    check(left == [".kith-console-writes.csv", ".other.csv"], f"left: {left}")


for test in (test_strangers, test_start_once, test_headers, test_paths, test_names_in_studies, test_bodies, test_start_bodies,
             test_many_connections, test_load, test_leftovers, test_read_only):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
print("console: strangers, paths, large and slow requests are refused")
