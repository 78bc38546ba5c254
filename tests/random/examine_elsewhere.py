"""One case in memory, and again from the disk or by several ranks: all that is seen must be the same."""

import json
import os
import re
import shutil
import subprocess

import engine as e
import texts
from check import Release
from examine import Examination
from spoil import spoilt
from subject import Subject

# What docs/scale.md says of studies that are not served.
REFUSED = re.compile(r"needs all rows|is not available for tables|cannot be looked at in parts|over ranks|"
                     r"several processes|from the disk|on a release in parts")
BESIDE = ("mapping.csv", "lattice.csv")
VARIES = ("seconds", "peak_rss_bytes", "ranks", "sent_bytes", "other_releases")
# Only one process looks at columns that are released as they are, and others say that nobody did.
OF_COLUMNS = ("is released as it is", " is a person, ", "were not searched for identifiers")


def without_varying(text):
    """A summary without what depends on the clock and on the number of processes."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    for key in VARIES:
        document.pop(key, None)
    if "warnings" in document:
        document["warnings"] = [w for w in document["warnings"] if not any(words in w for words in OF_COLUMNS)]
    return json.dumps(document, sort_keys=True, indent=1)


def elsewhere_name(name):
    """Of a file that is written beside the release."""
    return "stored-" + name if name in BESIDE else name


def first_difference(one, other):
    for number, (a, b) in enumerate(zip(one.splitlines(), other.splitlines())):
        if a != b:
            return f"line {number + 1}: {a[:200]!r} in memory, {b[:200]!r} elsewhere"
    longer = max(one, other, key=len).splitlines()[min(len(one.splitlines()), len(other.splitlines())):]
    return f"{len(one.splitlines())} lines in memory, {len(other.splitlines())} elsewhere: {' / '.join(longer)[:300]}"


def said(outcome):
    """The messages of kith; a launcher adds notices of its own."""
    starts = ("kith: error: ", "kith: hint: ", "kith: warning: ", "{")  # not those of progress
    return [line for line in outcome.stderr.splitlines()
            if line.startswith(starts) and not any(words in line for words in OF_COLUMNS)]


class ElsewhereExamination(Examination):
    """Runs in memory, runs elsewhere, compares."""

    def __init__(self, engine, case, directory, draw):
        super().__init__(engine, case, directory, draw)
        self.place = case["elsewhere"]
        self.counts = {"compared": 0, "compared when verified": 0, "not served": 0}

    def write_parts(self):
        """The data in several files, each with its header."""
        case, rows = self.case, self.case["table"]["rows"]
        os.mkdir(os.path.join(self.directory, "parts"))
        cuts = sorted(self.draw.below(len(rows) + 1) for _ in range(self.place["parts"] - 1))
        for i, (begin, end) in enumerate(zip([0] + cuts, cuts + [len(rows)])):
            form = dict(case["form"], gzip=self.place["whole"] and self.draw.chance(0.5))
            name = f"part-{i:05}.csv" + (".gz" if form["gzip"] else "")
            texts.write_table(os.path.join(self.directory, "parts", name), case["table"]["names"],
                              rows[begin:end], form)

    def input(self):
        if self.place["parts"] == 0:
            return e.data_name(self.case)
        return "parts/*.csv*" if self.place["whole"] or self.place["parts"] % 2 else "parts"

    def anonymize(self, output):
        command = e.anonymize(self.case, output)
        command[command.index("-i") + 1] = self.input()
        return command

    def elsewhere(self, arguments):
        """The same command where the case says, judged like any other."""
        ranks = self.place.get("ranks")
        if ranks is None:
            return self.run(arguments)
        outcome = self.engine.run_ranks(self.directory, ranks, arguments)
        why = outcome.crash()
        if why is not None:
            self.say(f"crash of {arguments[0]}", f"{ranks} ranks, {e.shell(arguments)}: {why}")
        return outcome, why is None

    def from_disk(self, command):
        """From a pipe, whose size nobody knows, so that no table is small enough for the memory."""
        name = e.data_name(self.case)
        if self.place["parts"] > 0:
            name = os.path.join("parts", max(os.listdir(os.path.join(self.directory, "parts"))))
        return self.piped(name, command)

    def piped(self, name, command):
        path, kept = os.path.join(self.directory, name), os.path.join(self.directory, "kept~")
        os.rename(path, kept)
        os.mkfifo(path)
        with subprocess.Popen(["cp", kept, path]) as feeder:
            try:
                return self.run(command + ["--memory", "1MB"])
            finally:
                feeder.kill()
                feeder.wait()
                os.rename(kept, path)

    def examine(self):
        e.write_files(self.case, self.directory)
        if self.place["parts"] > 0:
            self.write_parts()
        self.before = set(os.listdir(self.directory))
        ranks = "ranks" in self.place
        self.outcome, fine = self.run(self.anonymize("release.csv"))
        if not fine:
            return self
        output = "release" if ranks else "stored.csv"
        command = [elsewhere_name(a) for a in self.anonymize(output)]
        other, fine = self.elsewhere(command) if ranks else self.from_disk(command)
        if not fine:
            return self
        if self.refused(other):
            self.counts["not served"] += 1
            if os.path.exists(os.path.join(self.directory, output)):
                self.say("left behind", "a release, though refused")
            return self
        self.counts["compared"] += 1
        self.compare(self.outcome, other, "anonymize")
        if self.outcome.status == 0 and other.status == 0:
            self.released = True
            self.compare_releases(output)
            if not self.findings:
                self.compare_verify()
        if ranks and self.draw.chance(0.3):
            self.compare_describe()
        self.compare_left(output)
        return self

    def refused(self, other):
        return other.status == 2 and bool(REFUSED.search(other.stderr)) and not REFUSED.search(self.outcome.stderr)

    def compare(self, one, other, what, varying=True):
        if one.status != other.status:
            self.say(f"status of {what}", f"{one.status} in memory, {other.status} elsewhere; "
                                          f"{one.stderr.strip()[:300]} | {other.stderr.strip()[:300]}")
            return
        a, b = "\n".join(said(one)), "\n".join(said(other))
        if a != b and "ranks" not in self.place:
            # Who looks for the line of a row that has been read cannot read a pipe again.
            a = re.sub(r"(\.csv(\.gz)?):[0-9]+(: missing|: '|: value)", r"\1\3", a)
            b = re.sub(r"(\.csv(\.gz)?):[0-9]+(: missing|: '|: value)", r"\1\3", b)
        if a != b:
            self.say(f"messages of {what}", first_difference(a, b))
        a, b = one.stdout, other.stdout
        if varying:
            a, b = without_varying(a), without_varying(b)
        if a != b and (not varying or self.case["options"]["json"]):
            self.say(f"output of {what}", first_difference(a, b))

    def read(self, name):
        with open(os.path.join(self.directory, name), "rb") as source:
            return source.read()

    def compare_releases(self, output):
        one, meta = self.read("release.csv"), self.read("release.csv.meta.json")
        if output != "release":
            two, meta_two = self.read(output), self.read(output + ".meta.json")
        else:
            names = sorted(n for n in os.listdir(os.path.join(self.directory, output)) if n.startswith("part-"))
            parts = [self.read(os.path.join(output, n)) for n in names]
            header = self.header(one)
            if not all(p.startswith(header) for p in parts):
                self.say("release", "a part has another header")
            two = parts[0] + b"".join(p[len(header):] for p in parts[1:])
            meta_two = self.read(os.path.join(output, "release.meta.json"))
        if one != two:
            self.say("release", first_difference(one.decode("utf-8", "replace"), two.decode("utf-8", "replace")))
        if meta != meta_two:
            self.say("companion", first_difference(without_varying(meta.decode()), without_varying(meta_two.decode())))
        for name in self.beside():
            a, b = self.read(name).decode("utf-8", "replace"), self.read(elsewhere_name(name)).decode("utf-8", "replace")
            if a != b:
                self.say(name, first_difference(a, b))

    def beside(self):
        return [name for name in BESIDE if self.case["options"][name.removesuffix(".csv")]]

    @staticmethod
    def header(text):
        """The first line: an even number of quotes before its end."""
        at = text.index(b"\n")
        while text[:at].count(b'"') % 2:
            at = text.index(b"\n", at + 1)
        return text[:at + 1]

    def verify(self, release, data):
        command = e.verify(self.case, release, data)
        if data:
            command[command.index("--data") + 1] = self.input()
        return command

    def compare_verify(self):
        self.compare_verdicts("release.csv", "release" if "ranks" in self.place else "release.csv", "verify")
        subject = Subject(self.case)
        if not self.place["spoils"] or subject.refusal is not None:
            return
        release = Release(subject, self.read("release.csv").decode("utf-8"), False)
        if release.findings or len(release.rows) > 300:
            return
        for what, names, rows in spoilt(self.draw, subject, release):
            text = texts.csv_text(names, rows, self.case["form"]["separator"])
            with open(os.path.join(self.directory, "spoilt.csv"), "w", encoding="utf-8", newline="") as out:
                out.write(text)
            self.compare_verdicts("spoilt.csv", "spoilt.csv", f"verify ({what})")

    def compare_verdicts(self, one_path, other_path, what):
        for data in (False, True):
            one, fine = self.run(self.verify(one_path, data))
            other, well = (self.elsewhere(self.verify(other_path, data)) if "ranks" in self.place
                           else self.piped(other_path, self.verify(other_path, data)))
            if not fine or not well:
                return
            if other.status == 2 and one.status != 2 and REFUSED.search(other.stderr):
                self.counts["not served"] += 1
                continue
            self.counts["compared when verified"] += 1
            if one_path != other_path:
                one.stdout = one.stdout.replace(one_path, other_path)
                one.stderr = one.stderr.replace(one_path, other_path)
            if "ranks" not in self.place:
                for outcome in (one, other):  # a pipe has no lines
                    outcome.stdout = re.sub(r'\s*"(data_)?line":\s*[0-9]+,?', "", outcome.stdout)
            self.compare(one, other, what, varying=False)

    def compare_describe(self):
        for study in ([], ["study.yaml"]):
            command = ["describe", self.input()] + study + ["--json"] + e.reading(self.case)
            one, fine = self.run(command)
            other, well = self.elsewhere(command)
            if fine and well:
                self.compare(one, other, "describe")

    def compare_left(self, output):
        left = set(os.listdir(self.directory)) - self.before - {"spoilt.csv", "tmp"}
        wanted = set()
        if self.outcome.status == 0:
            wanted = {"release.csv", "release.csv.meta.json", output}
            wanted |= {output + ".meta.json"} if output != "release" else set()
            wanted |= {n for name in self.beside() for n in (name, elsewhere_name(name))}
        if left != wanted and not self.findings:
            self.say("left behind", f"{sorted(left)} instead of {sorted(wanted)}")
        shutil.rmtree(os.path.join(self.directory, "tmp"), ignore_errors=True)
