"""One case of `kith simulate`: all parties run in one process, their releases are judged, and what
docs/joint.md and docs/protocols promise about other runs is compared."""

import itertools
import json
import os
from collections import Counter

import databases
import engine as e
import queries
import values as v
from check import LATTICE, Release
from draw_joint import columns_split
from examine import Examination
from expectation import expected_joint
from texts import read_release

OF_SITES = ("l-site-diversity", "m-privacy")


class JointExamination(Examination):
    """A simulation. The release that the sites hold is sorted; the one of the whole run is shuffled."""

    def expected(self):
        return expected_joint(self.subject)

    def command(self):
        return e.simulate(self.case)

    def check_release(self):
        self.study = self.case["study"]
        self.bytes = self.read("run/release.csv")
        self.release = Release(self.subject, self.bytes.decode("utf-8"), shuffled=True)
        self.findings += [f for f in self.release.findings if f[0] != "order"]
        self.check_files()
        if self.findings:
            return
        self.check_sites()
        self.check_sites_models()
        self.check_persons()
        self.check_query()
        self.check_id_based()
        self.check_summary()
        # --separator is that of data and release, and a joint release has a comma.
        if not self.case["options"]["separator"] or self.case["form"]["separator"] == ",":
            self.check_verify("run/release.csv", self.release)
        self.check_again()
        self.check_promises()

    def read(self, path):
        with open(os.path.join(self.directory, path), "rb") as source:
            return source.read()

    def check_files(self):
        left = set(os.listdir(self.directory)) - self.before
        if left != {"run"}:
            self.say("left behind", f"{sorted(left)} instead of a directory")

    def rows(self, data):
        """The rows of a file, as often as they occur."""
        return self.counted(*read_release(data.decode("utf-8"), self.subject.separator))

    @staticmethod
    def counted(names, rows):
        return Counter(tuple(sorted(zip(names, row))) for row in rows)

    def site_releases(self):
        return [self.read(f"run/site{i + 1}/release.csv") for i in range(self.case["joint"]["sites"])]

    def site_rows(self):
        """Names and rows that each site holds, in a file or in its own database."""
        if self.study.get("publish") == "virtual":
            return [databases.read(os.path.join(self.directory, f"run/site{i + 1}/rows.sqlite"), "rows")
                    for i in range(self.case["joint"]["sites"])]
        return [read_release(data.decode("utf-8"), self.subject.separator) for data in self.site_releases()]

    def check_sites(self):
        """All sites hold the same sorted file, or together the rows of the release."""
        whole = self.rows(self.bytes)
        if self.study.get("publish", "joint") == "joint":
            releases = self.site_releases()
            if any(release != releases[0] for release in releases):
                self.say("sites", "sites hold different releases")
            if self.rows(releases[0]) != whole:
                self.say("sites", "the sites' release is not that of the run")
            _, rows = read_release(releases[0].decode("utf-8"), self.subject.separator)
            if len(list(itertools.groupby(rows))) != len(whole):
                self.say("sites", "rows are not sorted by their cells")
        elif sum((self.counted(*held) for held in self.site_rows()), Counter()) != whole:
            self.say("sites", "the sites' rows are not those of the release")

    def check_sites_models(self):
        """Where every site publishes its own rows, models about sites can be counted."""
        if self.study.get("publish", "joint") == "joint":
            return
        classes, values = {}, {}
        for site, (names, rows) in enumerate(self.site_rows()):
            for row in rows:
                cells = dict(zip(names, row))
                key = tuple(cells[n] for n in self.subject.quasi)
                classes.setdefault(key, Counter())[site] += 1
                for name in self.protected():
                    values.setdefault((key, name), set()).add((site, self.value_of(name, cells[name])))
        for model in self.site_models():
            for cells, sites in classes.items():
                if model["model"] == "m-privacy":
                    others = [sum(sites.values()) - count for count in sites.values()]
                    good = all(n >= model["k"] or n == 0 for n in others)
                    for name in self.protected() if model.get("values", 0) > 0 else ():
                        left = [{v for at, v in values[cells, name] if at != site} for site in sites]
                        good = good and all(len(v) >= model["values"] or not v for v in left)
                elif model.get("variant", "sites") == "sites":
                    good = len(sites) >= model["l"]
                else:
                    continue
                if not good:
                    self.say("model of sites", f"{model} does not hold in {cells}: {dict(sites)}")
                    return

    def check_persons(self):
        """The release does not show whose its rows are; but no class can have more persons than those of the
        records that fit some row of it."""
        if not self.subject.unit:
            return
        k = max(m.get("k", 1) for m in self.study["privacy"] if m["model"] not in OF_SITES)
        for members in self.release.classes:
            rows = [self.release.maps[number] for number in members]
            persons = {self.subject.person_of[i] for i in self.subject.rows
                       if any(self.release.wrong_cell(row, i) is None for row in rows)}
            if len(persons) < k:
                self.say("persons", f"a class of {len(rows)} rows has at most {len(persons)} persons, k is {k}")

    def check_query(self):
        """The sites' answer has the right bounds, and the truth lies between them."""
        if self.study.get("publish") != "virtual":
            return
        said = json.loads(self.outcome.stdout)["query"]
        certain, possible, exact = queries.answers(self.release, self.case["joint"].get("query", {}))
        low, middle, high = said["answer"]["rows"][0]
        possible = high if possible is None else possible
        if (low, high) != (certain, possible) or not low - 1e-3 <= middle <= high + 1e-3:
            self.say("query", f"{said['text']}: {[low, middle, high]} instead of {[certain, possible]}")
        if said["exact"]["rows"] != [[exact]] or not certain <= exact <= possible:
            self.say("query", f"{said['text']}: {said['exact']['rows']} instead of {exact}, "
                              f"between {certain} and {possible}")

    def site_models(self):
        models = [m for m in self.study["privacy"] if m["model"] in OF_SITES]
        over_rows = (self.study["partition"] == "horizontal"
                     and self.study["protocol"] in ("weave", "clustering", "mondrian"))
        if over_rows and not any(m["model"] == "m-privacy" for m in models):
            models.append({"model": "m-privacy", "k": 3})
        by_default = 2 if self.protected() and not self.study.get("private_diversity") else 0
        models = [dict(m, values=m.get("values", by_default)) if m["model"] == "m-privacy" else m for m in models]
        # Rows of others may be of persons whom the site has, too.
        matched = self.study.get("overlap") == "matched"
        return [m for m in models if m.get("k") != 0 and not (matched and m["model"] == "m-privacy")]

    def value_of(self, name, text):
        """Numbers may be written in several ways."""
        try:
            return text if self.subject.columns[name].get("type", "string") == "string" else float(text)
        except (TypeError, ValueError):
            return text

    def protected(self):
        """The sensitive columns that a model looks at."""
        sensitive = [c["name"] for c in self.study["columns"] if c["role"] == "sensitive"]
        return sorted({m.get("attribute", sensitive[0] if sensitive else None) for m in self.study["privacy"]
                       if m["model"] in ("l-diversity", "alpha-k", "p-sensitive")
                       and m.get("l", 2) > 1 and m.get("alpha", 0) < 1})

    def check_id_based(self):
        """Whole rows are suppressed, if there is a rare one: all that fewer than k rows share, and k
        or more in all."""
        if self.study["protocol"] != "id-based":
            return
        subject, k = self.subject, self.study["privacy"][0]["k"]
        before = Counter(tuple(self.shown(n, i) for n in subject.quasi) for i in subject.rows)
        after = Counter(tuple(row[n] for n in subject.quasi) for row in self.release.maps)
        root = tuple(subject.ladders[n].root for n in subject.quasi)
        hidden = after.pop(root, 0)  # among them are records that are wildcards throughout
        rare = sum(count for count in before.values() if count < k)  # besides sigma, k rows of one owner
        if any(count > before[cells] for cells, count in after.items()):
            self.say("id-based", "a row shows what no record has")
        if any(count < k for count in after.values()):
            self.say("id-based", "a rare row is not suppressed")
        if hidden < rare or rare == 0 and hidden != before.get(root, 0) or 0 < hidden < k:
            self.say("id-based", f"{hidden} rows are suppressed, {rare} are rare, k is {k}")

    def shown(self, name, record):
        return self.subject.ladders[name].path(self.subject.changed[name][record])[0]

    def check_summary(self):
        documents = [json.loads(self.read("run/summary.json"))]
        if self.case["options"]["json"]:
            documents.append(json.loads(self.outcome.stdout))
        figures = self.release.figures()
        for document in documents:
            for key in ("records", "classes", "smallest_class", "suppressed"):
                if key in document and document[key] != figures[key]:
                    self.say("summary", f"{key} is {document[key]}, not {figures[key]}")
            if not all(m["holds"] for m in document["models"]):
                self.say("summary", "says that a model does not hold")

    def again(self, name, arguments, environment=None):
        """Another run; the site's release, None if it failed."""
        outcome, fine = self.run(arguments, environment)
        self.counts["repeated"] += 1
        if not fine:
            return None
        if outcome.status != 0:
            self.say(name, f"exit status {outcome.status}: {outcome.stderr[:300]}")
            return None
        return self.held(arguments[arguments.index("-o") + 1])

    def held(self, output):
        """What the first site has after a run."""
        if self.study.get("publish") == "virtual":
            return databases.read(os.path.join(self.directory, output, "site1/rows.sqlite"), "rows")
        return self.read(output + "/site1/release.csv")

    def repeatable(self):
        """An encrypted view has a random order in every run, on which local recoding depends. Noise and
        blur, and which site a person counts at, come from a key of the site, which is another one in every simulation."""
        drawn = self.study.get("overlap") == "matched" and self.study["protocol"] != "encrypted-view"
        if self.study.get("noise") or self.study.get("blur") or drawn:
            return False
        return self.study["protocol"] != "encrypted-view" or self.subject.algorithm() in LATTICE

    def check_again(self):
        if not self.repeatable():
            return
        threads, simd = 3 - self.case["options"]["threads"], self.draw.pick(("portable", "avx2", "avx512"))
        other = self.again("same bytes", e.simulate(self.case, "again", threads), {"KITH_SIMD": simd})
        if other is not None and other != self.held("run"):
            self.say("same bytes", f"another release with {threads} threads and KITH_SIMD={simd}")

    def check_promises(self):
        protocol, partition = self.study["protocol"], self.study["partition"]
        # With m-privacy by persons, or homes that are drawn, the distribution matters.
        about_sites = bool(self.site_models()) or self.study.get("overlap") == "matched" and protocol != "encrypted-view"
        if protocol == "weave" and partition == "vertical":
            return  # who holds what decides which records are lent
        drawn = any(m["model"] in ("l-diversity", "alpha-k", "p-sensitive") for m in self.study["privacy"])
        if protocol == "weave" and not about_sites and not drawn and not self.study.get("blur"):
            self.check_other_split(sites=5, split=None)  # with diversity each site draws which records stay
        elif protocol == "clustering" and partition == "vertical" and not self.study.get("noise"):
            self.check_other_columns()
        elif protocol == "mondrian" and not about_sites and self.study.get("mondrian") != "relaxed":
            self.check_one_place()
        elif protocol == "encrypted-view" and self.subject.algorithm() in LATTICE and (
                "pregeneralize" not in self.study):
            self.check_one_place()

    def check_other_split(self, **other):
        """Classes do not depend on who holds what."""
        if self.study.get("publish", "joint") != "joint" or "rows" in self.study:
            return
        made = self.again("split", e.simulate(self.case, "other", **other))
        if made is not None and made != self.read("run/site1/release.csv"):
            self.say("split", f"another release with {other}")

    def check_other_columns(self):
        quasi = self.draw.shuffled(self.subject.quasi)
        others = [n for n, c in self.subject.columns.items() if c["role"] in ("sensitive", "insensitive")]
        parts = [quasi[:1] + others, quasi[1:]]
        self.check_other_split(sites=2, split=columns_split(self.draw.shuffled(parts)))

    def check_one_place(self):
        """The release has the rows that `kith anonymize` gives for the whole table. Of generalizations that are
        equally good the order of the columns decides, which in joint runs is that of the study."""
        whole, names = "place-" + e.data_name(self.case), self.case["table"]["names"]
        order = [n for n in self.subject.columns if n in names] if self.case["form"]["header"] else names
        e.write_data(self.case, self.directory, whole, order + [n for n in names if n not in order])
        command = ["anonymize", "study.yaml", "-i", whole, "-o", "place.csv", "--quiet",
                   "--seed", str(self.case["options"]["seed"])] + e.reading(self.case)
        outcome, fine = self.run(command)
        self.counts["repeated"] += 1
        if not fine:
            return
        if outcome.status != 0:
            self.say("one place", f"exit status {outcome.status}: {outcome.stderr[:300]}")
        elif (self.comparable(self.read("place.csv"), self.case["form"]["separator"])
              != self.comparable(self.bytes, self.subject.separator)):
            self.say("one place", "another release than in one place")

    def comparable(self, data, separator):
        names, rows = read_release(data.decode("utf-8"), separator)
        released = self.subject.released
        by_value = self.study["protocol"] == "encrypted-view"

        def cell(name, text):
            column = self.subject.columns[name]
            return v.value(column, text) if by_value and column["role"] == "sensitive" and text else text
        return Counter(tuple(cell(n, dict(zip(names, row))[n]) for n in released) for row in rows)
