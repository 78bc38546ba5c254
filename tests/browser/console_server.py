"""Starts `kith console` for tests, and asks it without a browser (standard library only)."""
import http.client
import json
import os
import re
import signal
import subprocess


class Opener:
    """Stands for xdg-open: tells which arguments it was called with. Its files are in a directory of its own."""

    def __init__(self, directory):
        self.pipe = os.path.join(directory, "called")
        os.mkfifo(self.pipe)
        program = os.path.join(directory, "xdg-open")
        with open(program, "w") as out:
            out.write(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >'{self.pipe}'\n")
        os.chmod(program, 0o700)
        self.environment = {**os.environ, "DISPLAY": ":0", "PATH": directory + ":" + os.environ["PATH"],
                            "XDG_RUNTIME_DIR": directory}

    def arguments(self):
        """Waits until it is called."""
        with open(self.pipe) as called:
            return called.read().splitlines()


class Console:
    """A console in a directory. `address` works once; ask() has the token of a session of its own."""

    def __init__(self, kith, directory, *options, opener=None):
        browser = ["--no-browser"] if opener is None else []
        self.process = subprocess.Popen([kith, "console", directory, *browser, *options], stdout=subprocess.PIPE, text=True,
                                        env=None if opener is None else opener.environment)
        self.address = self.next_address()
        self.port = int(re.search(r":(\d+)/", self.address).group(1))
        self.token = None

    def next_address(self):
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{64}", line)
            if found:
                return found.group(0)
        raise RuntimeError("kith console ended before it said where it is")

    def begin(self):
        """Exchanges the address for a token; the console tells the next address."""
        status, answer = self.send("POST", "/api/start", json.dumps({"start": self.address.split("#")[1]}))
        assert status == 200, answer
        self.token = answer["token"]
        self.address = self.next_address()

    def send(self, method, path, body=None, headers=None):
        """One request as it is: status and parsed answer. A header that is None is not sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        sent = {"Host": f"127.0.0.1:{self.port}", "X-Kith-Token": self.token, **(headers or {})}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        data = body.encode() if isinstance(body, str) else body
        if data is not None and "Content-Length" not in sent:
            sent["Content-Length"] = str(len(data))
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        if data is not None:
            connection.send(data)
        answer = connection.getresponse()
        text = answer.read()
        self.headers = dict(answer.getheaders())
        connection.close()
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, text

    def ask(self, path, /, **body):
        """Asks a route; an answer that is no success is an error."""
        if self.token is None:
            self.begin()
        status, answer = self.send("POST", "/api/" + path, json.dumps(body))
        if status != 200:
            raise RuntimeError(f"{path}: {status} {answer}")
        return answer

    def job(self, path, /, **body):
        """Asks a route that starts a job, and waits for its end."""
        number = self.ask(path, **body)["job"]
        while True:
            now = self.ask("job", job=number)
            if now["state"] != "running":
                return now

    def memory(self):
        """Resident kilobytes of the console."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def close(self):
        """Ends it as Ctrl-C does; returns its exit status."""
        self.process.send_signal(signal.SIGINT)
        self.process.stdout.close()
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.close()
