"""One case of `kith anonymize`: run, judged, spoilt, run again in other ways."""

import json
import os

import databases
import engine as e
import texts
from check import Release, differs
from expectation import expected
from spoil import spoilt
from subject import Subject

SIMD = ("portable", "avx2", "avx512")


class Examination:
    """What was found about a case. `findings` are pairs of a kind and a sentence."""

    def __init__(self, engine, case, directory, draw):
        self.engine, self.case, self.directory, self.draw = engine, case, directory, draw
        self.findings = []
        self.outcome = None
        self.released = False
        self.counts = {"verified": 0, "spoilt": 0, "repeated": 0, "databases": 0}

    def say(self, kind, text):
        self.findings.append((kind, text))

    def run(self, arguments, environment=None):
        outcome = self.engine.run(self.directory, arguments, environment)
        why = outcome.crash()
        if why is not None:
            self.say(f"crash of {arguments[0]}", f"{e.shell(arguments)}: {why}")
        return outcome, why is None

    def examine(self):
        e.write_files(self.case, self.directory)
        if self.case["study"].get("pkg", "self") != "self":
            self.run(e.generator())
        self.before = set(os.listdir(self.directory))
        self.subject = Subject(self.case)
        statuses, why = self.expected()
        self.outcome, fine = self.run(self.command())
        if not fine:
            return self
        self.check_messages()
        if self.outcome.status not in statuses:
            self.say(f"exit status {self.outcome.status}",
                     f"expected {sorted(statuses)}, because {why}; {self.outcome.stderr.strip()[:400]}")
        if self.outcome.status == 0:
            self.released = True
            if self.subject.refusal is None:
                self.check_release()
        else:
            self.check_refusal()
        return self

    def expected(self):
        return expected(self.subject)

    def command(self):
        return e.anonymize(self.case)

    def check_messages(self):
        """One message and nothing else; with --json one document in one line."""
        outcome, options = self.outcome, self.case["options"]
        lines = [line for line in outcome.stderr.splitlines() if line]
        if outcome.status == 0:
            if any(line.startswith(("kith: error", "{")) for line in lines):
                self.say("messages", f"success, and yet: {outcome.stderr[:300]}")
            return
        if outcome.status not in (2, 4):
            self.say("status", f"exit status {outcome.status}: {outcome.stderr[:300]}")
        try:
            messages = outcome.messages()
        except (ValueError, KeyError):
            messages = []
        several = options["json"] and '"findings"' in outcome.stderr or all(
            "study.yaml" in m for m in messages)
        if not messages or len(messages) > 1 and not several:
            self.say("messages", f"{len(messages)} messages: {outcome.stderr[:400]}")
        if options["json"] and len(lines) != 1:
            self.say("messages", f"{len(lines)} lines instead of one document: {outcome.stderr[:400]}")
        if outcome.stdout:
            self.say("messages", f"a refusal prints to standard output: {outcome.stdout[:200]}")

    def check_refusal(self):
        """A refusal leaves nothing behind."""
        left = set(os.listdir(self.directory)) - self.before
        if left:
            self.say("left behind", f"after exit status {self.outcome.status}: {sorted(left)}")
        said = self.case["expect"] and self.case["expect"].get("say")
        if said and said not in self.outcome.stderr:
            self.say("message", f"{said!r} is not said: {self.outcome.stderr[:400]}")

    def check_release(self):
        self.check_files()
        with open(os.path.join(self.directory, "release.csv"), "rb") as source:
            self.bytes = source.read()
        self.release = Release(self.subject, self.bytes.decode("utf-8"), not self.case["options"]["keep_order"])
        self.findings += self.release.findings
        self.check_order()
        if self.release.findings:
            return
        self.release.check_recoding()
        self.findings += self.release.findings
        if self.findings:
            return
        self.check_summary()
        self.check_verify("release.csv", self.release)
        self.check_verify_mapped("release.csv", self.release)
        self.check_verify_alone()
        self.check_spoilt()
        self.check_again()
        self.check_database()

    def check_order(self):
        """Rows are sorted by their cells unless another order is asked for. A mapping says which row a record
        became, so that they can be compared one by one."""
        options, release = self.case["options"], self.release
        if not options["keep_order"] and not options["shuffle"] and not release.is_sorted():
            self.say("order", "the rows are not sorted by their cells")
        if not options["mapping"] or release.findings:
            return
        with open(os.path.join(self.directory, "mapping.csv"), encoding="utf-8", newline="") as source:
            names, rows = texts.read_release(source.read(), self.subject.separator)
        if names[:2] != ["confidential_row", "release_row"]:
            self.say("mapping", f"begins with {names[:2]}")
            return
        numbers = [int(row[1]) for row in rows]
        if [int(row[0]) for row in rows] != sorted(int(row[0]) for row in rows) or (
                sorted(numbers) != list(range(1, len(release.rows) + 1))):
            self.say("mapping", f"rows {numbers[:20]} of {len(release.rows)}")
            return
        self.numbers, self.records = numbers, [int(row[0]) - 1 for row in rows]
        self.mapped = self.by_mapping(release.names, release.rows)
        self.findings += [("mapping: " + kind, said) for kind, said in self.mapped.findings]

    def by_mapping(self, names, rows):
        """Rows of a release in the order of their records."""
        ordered = [rows[number - 1] for number in self.numbers]
        text = texts.csv_text(names, ordered, self.case["form"]["separator"])
        return Release(self.subject, text, records=self.records)

    def counts_persons(self):
        """Does a verdict need to know whose the rows are?"""
        return self.subject.unit and any(m["model"] != "k-map" for m in self.subject.study["privacy"])

    def check_files(self):
        options = self.case["options"]
        wanted = {"release.csv", "release.csv.meta.json"}
        wanted |= {"mapping.csv"} if options["mapping"] else set()
        wanted |= {"lattice.csv"} if options["lattice"] else set()
        left = set(os.listdir(self.directory)) - self.before
        if left != wanted:
            self.say("left behind", f"{sorted(left)} instead of {sorted(wanted)}")

    def check_summary(self):
        """What kith says about the release."""
        with open(os.path.join(self.directory, "release.csv.meta.json"), encoding="utf-8") as source:
            documents = [json.load(source)]
        if self.case["options"]["json"]:
            documents.append(json.loads(self.outcome.stdout))
        figures = self.release.figures()
        judged = self.release
        if self.subject.unit:
            judged = self.mapped
            figures.update(judged.persons_of_classes())
            self.check_intersections(documents)
        for document in documents:
            said = dict(document, **document["loss"])
            for key, figure in figures.items():
                if key in said and differs(figure, said[key]):
                    self.say("summary", f"{key} is {said[key]}, not {figure}")
            for model, worst in zip(document["models"], judged.worst):
                if not model["holds"]:
                    self.say("summary", f"says that {model} does not hold")
                elif model["model"] not in ("lkc", "delta-presence") and worst is not None and (
                        differs(worst, model.get("worst"))):
                    self.say("summary", f"worst of {model['model']} is {model['worst']}, not {worst}")

    def check_intersections(self, documents):
        """The companion, which is first, has no figure about persons. Where each has one row, nothing is counted."""
        several = len(set(self.mapped.persons)) < len(self.mapped.persons)
        counted = self.mapped.intersections if several else {}
        if "intersections" in documents[0]:
            self.say("summary", "the companion tells of intersections")
        for document in documents[1:]:
            said = {one["column"]: (one["values"], one["persons"]) for one in document.get("intersections", [])}
            if said != counted:
                self.say("summary", f"intersections are {said}, not {counted}")

    def check_verify(self, path, release):
        """`kith verify` and the checker must agree."""
        self.counts["verified"] += 1
        outcome, fine = self.run(e.verify(self.case, path))
        if not fine:
            return
        good = not [f for f in release.findings if f[0] != "order"]
        if self.counts_persons() and outcome.status == 1:  # not judged, unless something else is wrong
            good = not [f for f in release.findings if f[0] != "order" and (
                not f[0].startswith("model ") or f[0] == "model k-map")]
            if json.loads(outcome.stdout)["holds"] is not (None if good else False) and not release.doubtful:
                self.say("verify without a mapping", f"{path}: the checker {release.findings}; {outcome.stdout[:1500]}")
        elif outcome.status not in (0, 1):
            self.say("verify", f"exit status {outcome.status}: {outcome.stderr[:300]}")
        elif (outcome.status == 0) != good and not release.doubtful:
            self.say("verify", f"{path}: verify says {'yes' if outcome.status == 0 else 'no'}, the checker "
                               f"{release.findings or 'finds nothing'}; {outcome.stdout[:1500]}")

    def check_verify_mapped(self, path, release):
        """With the mapping every row is compared with its record: what is wrong in any order is wrong here, too."""
        if not self.case["options"]["mapping"]:
            return
        outcome, fine = self.run(e.verify(self.case, path, mapping=True))
        if not fine:
            return
        if self.subject.unit and len(release.rows) == len(self.numbers):
            release = self.by_mapping(release.names, release.rows)
        good = not [f for f in release.findings if f[0] != "order"]
        if outcome.status not in (0, 1):
            self.say("verify by the mapping", f"exit status {outcome.status}: {outcome.stderr[:300]}")
        elif outcome.status == 0 and not good and not release.doubtful:
            self.say("verify by the mapping", f"{path}: yes, the checker {release.findings}; {outcome.stdout[:1500]}")
        elif self.subject.unit and outcome.status == 1 and not release.findings and not release.doubtful:
            self.say("verify by the mapping", f"{path}: no, the checker finds nothing; {outcome.stdout[:1500]}")
        elif path == "release.csv" and (
                outcome.status != 0 or json.loads(outcome.stdout)["cover"]["check"] != "in order"):
            self.say("verify by the mapping", outcome.stdout[:1500])

    def check_verify_alone(self):
        """A release keeps its models also for whoever does not have the data."""
        outcome, fine = self.run(e.verify(self.case, "release.csv", data=False))
        if fine and outcome.status != (1 if self.counts_persons() else 0):
            self.say("verify without the data", f"exit status {outcome.status}: {outcome.stderr[:300]}"
                                                f"{outcome.stdout[:1500]}")

    def check_spoilt(self):
        """Releases with a changed cell, a lost row and the like: both must see the same."""
        if len(self.release.rows) > 300:
            return
        for what, names, rows in spoilt(self.draw, self.subject, self.release):
            text = texts.csv_text(names, rows, self.case["form"]["separator"])
            with open(os.path.join(self.directory, "spoilt.csv"), "w", encoding="utf-8", newline="") as out:
                out.write(text)
            self.counts["spoilt"] += 1
            known = len(self.findings)
            release = Release(self.subject, text)
            self.check_verify("spoilt.csv", release)
            self.check_verify_mapped("spoilt.csv", release)
            self.findings[known:] = [(f"{kind} of a spoilt release", f"{what}: {said}")
                                     for kind, said in self.findings[known:]]

    def check_database(self):
        """The same table from a database, into a database: the same cells in the same order."""
        table = self.case["table"]
        if self.case["options"]["shuffle"] or not databases.can_hold(table["names"]) or self.draw.chance(0.7):
            return
        databases.write(os.path.join(self.directory, "data.db"), table["names"], table["rows"])
        outcome, fine = self.run(e.anonymize_database(self.case))
        self.counts["databases"] += 1
        if not fine:
            return
        if outcome.status != 0:
            self.say("database", f"exit status {outcome.status}: {outcome.stderr[:300]}")
            return
        names, rows = databases.read(os.path.join(self.directory, "release.db"))
        if names != self.release.names:
            self.say("database", f"columns {names} instead of {self.release.names}")
        elif len(rows) != len(self.release.rows):
            self.say("database", f"{len(rows)} rows instead of {len(self.release.rows)}")
        else:
            for number, (found, wanted) in enumerate(zip(rows, self.release.rows)):
                if found != list(wanted):
                    self.say("database", f"row {number + 1} is {found}, in the file it is {wanted}")
                    return

    def check_again(self):
        """The same seed gives the same bytes, with any number of threads and any instruction set."""
        if self.case["options"]["shuffle"]:
            return
        threads = 3 - self.case["options"]["threads"]
        simd = self.draw.pick(SIMD)
        outcome, fine = self.run(e.anonymize(self.case, "again.csv", threads, beside=False) + ["--quiet"],
                                 {"KITH_SIMD": simd})
        self.counts["repeated"] += 1
        if not fine:
            return
        with open(os.path.join(self.directory, "again.csv"), "rb") as source:
            if outcome.status != 0 or source.read() != self.bytes:
                self.say("same bytes", f"another release with {threads} threads and KITH_SIMD={simd}")
