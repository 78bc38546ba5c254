"""Cases as files, and runs of kith."""

import json
import os
import re
import shlex
import signal
import subprocess

import queries
import texts

SANITIZER = re.compile(r"(ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:|"
                       r"AddressSanitizer:DEADLYSIGNAL)")
ENCODINGS = {"cp1252": "WINDOWS-1252", "latin-1": "LATIN1"}


class Outcome:
    """What one run of kith did."""

    def __init__(self, command, status, stdout, stderr, timed_out):
        self.command, self.status, self.timed_out = command, status, timed_out
        self.stdout = stdout.decode("utf-8", "replace")
        self.stderr = stderr.decode("utf-8", "replace")

    def crash(self):
        """Why no run may end like this, None if it may."""
        if self.timed_out:
            return "it takes too long"
        found = SANITIZER.search(self.stderr)
        if found:
            return f"sanitizer: {self.stderr[found.start():found.start() + 600]}"
        if self.status < 0:
            return f"signal {signal.Signals(-self.status).name}: {self.stderr[-600:]}"
        if self.status == 70:
            return f"exit status 70: {self.stderr[-600:]}"
        return None

    def messages(self):
        """The errors on standard error; each is a sentence."""
        lines = [line for line in self.stderr.splitlines() if line]
        if lines and lines[0].startswith("{"):
            document = json.loads(lines[0])
            return [f["text"] for f in document["findings"]] if "findings" in document else [document["error"]]
        return [line[len("kith: error: "):] for line in lines if line.startswith("kith: error: ")]


class Engine:
    """The program, and how long it may take."""

    def __init__(self, kith, timeout=120):
        self.kith = os.path.abspath(kith)
        self.timeout = timeout

    def run(self, directory, arguments, environment=None):
        return self.start(directory, [self.kith], arguments, dict(environment or {}, TMPDIR=directory))

    def run_ranks(self, directory, ranks, arguments):
        """By several ranks; Open MPI has files of its own in TMPDIR and leaks, of which nobody wants to know."""
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        launcher += ["--allow-run-as-root"] if os.getuid() == 0 else []
        environment = {"KITH_MPI": os.path.dirname(self.kith), "TMPDIR": "/tmp"}
        return self.start(directory, launcher + [self.kith], arguments, environment, "detect_leaks=0:")

    def start(self, directory, program, arguments, environment, sanitizer=""):
        command = program + arguments
        settings = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", **environment)
        settings["ASAN_OPTIONS"] = sanitizer + "exitcode=99:abort_on_error=0"
        settings["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1:exitcode=99"
        settings["TSAN_OPTIONS"] = "exitcode=99"
        try:
            done = subprocess.run(command, cwd=directory, env=settings, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=self.timeout, check=False)
            return Outcome(arguments, done.returncode, done.stdout, done.stderr, False)
        except subprocess.TimeoutExpired as late:
            return Outcome(arguments, -9, late.stdout or b"", late.stderr or b"", True)


def write_files(case, directory):
    """The study, the data and all that the study names."""
    with open(os.path.join(directory, "study.yaml"), "w", encoding="utf-8", newline="") as out:
        out.write(texts.yaml_study(case["study"]))
    write_data(case, directory)
    for name, file in case["files"].items():
        path = os.path.join(directory, name)
        if file["kind"] == "key":
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(bytes.fromhex(file["hex"]))
            continue
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(texts.csv_text(file.get("names"), file["rows"], file.get("separator", ","),
                                     always=file.get("quotes", file["kind"] == "table")))


def write_data(case, directory, name=None, order=None):
    """The table, with its columns in this order; without one also rows that lack cells."""
    names, rows = case["table"]["names"], case["table"]["rows"]
    if order is not None:
        places = [names.index(n) for n in order]
        names, rows = order, [[row[i] for i in places] for row in rows]
    texts.write_table(os.path.join(directory, name or data_name(case)), names, rows, case["form"])


def data_name(case):
    return "data.csv.gz" if case["form"]["gzip"] else "data.csv"


def reading(case):
    """Options that say how the data is written."""
    form, options = case["form"], []
    if case["options"]["separator"]:
        options += ["--separator", form["separator"]]
    if form["encoding"] in ENCODINGS:
        options += ["--encoding", ENCODINGS[form["encoding"]]]
    if not form["header"]:
        options.append("--no-header")
    return options


def anonymize(case, output="release.csv", threads=None, beside=True):
    """The command of a case. beside: with the files that are asked for besides the release."""
    options = case["options"]
    command = ["anonymize", "study.yaml", "-i", data_name(case), "-o", output,
               "--seed", str(options["seed"]), "--threads", str(threads or options["threads"])]
    command += ["--keep-order"] * options["keep_order"]
    if beside:
        command += ["--explain"] * options["explain"] + ["--json"] * options["json"]
        command += ["--mapping", "mapping.csv"] if options["mapping"] else []
        command += ["--lattice", "lattice.csv"] if options["lattice"] else []
        command += ["--shuffle"] * options["shuffle"]
    return command + reading(case)


def anonymize_database(case):
    """The same run from one database into another."""
    options = case["options"]
    return ["anonymize", "study.yaml", "-i", "sqlite:data.db?table=t", "-o", "sqlite:release.db?table=t",
            "--seed", str(options["seed"]), "--threads", str(options["threads"]), "--quiet"
            ] + ["--keep-order"] * options["keep_order"]


def simulate(case, output="run", threads=None, **other):
    """The command of a joint case; `other` replaces sites, split or seed."""
    options, joint = case["options"], dict(case["joint"], **other)
    command = ["simulate", "study.yaml", "-i", data_name(case), "-o", output, "--in-process",
               "--sites", str(joint["sites"]), "--seed", str(joint.get("seed", options["seed"])),
               "--threads", str(threads or options["threads"])]
    command += ["--split", joint["split"]] if joint["split"] else []
    command += ["--json"] * options["json"] + ["--compress"] * options["compress"]
    command += ["--baseline"] * options["baseline"]
    if case["study"].get("publish") == "virtual" and output == "run":
        command += ["--query", queries.sql(case["study"], joint.get("query", {}))]
    return command + reading(case)


def generator():
    """The key generator that some studies of the ID-based protocol name."""
    return ["pkg", "init", "-o", "generator", "--name", "ministry", "--quiet"]


def verify(case, release, data=True, mapping=False):
    return ["verify", "study.yaml", release, "--json"] + (["--mapping", "mapping.csv"] if mapping else []) + (
        ["--data", data_name(case)] + reading(case) if data else ["--separator", case["form"]["separator"]])


def shell(arguments):
    return "kith " + " ".join(shlex.quote(a) for a in arguments)
