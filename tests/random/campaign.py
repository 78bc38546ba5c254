"""Many cases: drawn, examined, and what fails made small and written down."""

import collections
import json
import os
import re
import shutil
import tempfile
import traceback

import engine as e
from draw import Draw
from draw_elsewhere import draw_elsewhere
from draw_joint import draw_joint
from draw_study import draw_case
from examine import Examination
from examine_elsewhere import ElsewhereExamination
from examine_joint import JointExamination
from shrink import shrink

SHRINK_SECONDS = 60
SHOWN = 5


def examine(engine, case, tries=1):
    """Examines a case in a directory of its own. tries: how many draws of what is spoilt."""
    for number in range(tries):
        with tempfile.TemporaryDirectory(prefix="kith-random-") as directory:
            try:
                done = kind_of(case)(engine, case, directory, Draw(f"{case['drawn']}:{number}")).examine()
            except Exception:  # a fault of the checker is a finding, too
                done = Broken(traceback.format_exc())
        if done.findings:
            break
    return done


def kind_of(case):
    return (JointExamination if case.get("joint") else
            ElsewhereExamination if case.get("elsewhere") else Examination)


def draw(what, seed, number):
    if what == "joint":
        return draw_joint(f"{seed}:joint:{number}")
    if what in ("stored", "ranks"):
        return draw_elsewhere(f"{seed}:{what}:{number}", what == "ranks")
    return draw_case(f"{seed}:{number}")


def alike(finding):
    """What two findings of the same fault have in common: kind and words, without names and numbers."""
    kind, text = finding
    if kind == "checker":
        return kind, text.strip().splitlines()[-1]
    said = text.partition("; ")[2] if kind.startswith("exit status") else text
    said = re.sub(r"^\{\"error\": |'[^']*'|[0-9.]+|\[[^\]]*\]", "", said)
    return kind, said[:60] if kind.startswith(("exit status", "crash", "summary")) else ""


class Broken:
    """The checker itself failed."""

    def __init__(self, trace):
        self.findings = [("checker", trace)]
        self.outcome, self.released, self.counts = None, False, {}


def work(job):
    """One case, by number; made smaller if it fails."""
    kith, timeout, seed, number, may_shrink, what = job
    engine = e.Engine(kith, timeout)
    case = draw(what, seed, number)
    done = examine(engine, case)
    report = {"number": number, "what": what, "status": done.outcome.status if done.outcome else None,
              "findings": done.findings, "counts": done.counts}
    if done.findings:
        wanted = alike(done.findings[0])
        tries = 6 if "spoilt" in wanted[0] else 1

        def fails(other):
            return any(alike(f) == wanted for f in examine(engine, other, tries).findings)
        report["case"] = shrink(case, fails, SHRINK_SECONDS) if may_shrink else case
        report["found"] = examine(engine, report["case"], tries).findings or done.findings
    return report


def commands(case):
    if case.get("joint"):
        before = [e.generator()] if case["study"].get("pkg", "self") != "self" else []
        return before + [e.simulate(case), e.verify(case, "run/release.csv")]
    if case.get("elsewhere"):
        there = [] if "ranks" in case["elsewhere"] else ["--memory", "1MB"]
        return [e.anonymize(case), e.anonymize(case, "elsewhere") + there]
    return [e.anonymize(case), e.verify(case, "release.csv")]


def write_case(report, place):
    """A directory with all that is needed to see the failure again."""
    directory = os.path.join(place, f"{report['what']}-{report['number']}")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    case = report["case"]
    e.write_files(case, directory)
    with open(os.path.join(directory, "command"), "w", encoding="utf-8") as out:
        out.write("".join(e.shell(command) + "\n" for command in commands(case)))
    with open(os.path.join(directory, "expected"), "w", encoding="utf-8") as out:
        out.writelines(f"{kind}: {text}\n" for kind, text in report["found"])
    with open(os.path.join(directory, "case.json"), "w", encoding="utf-8") as out:
        json.dump(case, out, ensure_ascii=False, indent=1)
    return directory


def show(report, directory):
    print(f"\n{os.path.basename(directory)} fails; it is in {directory}:")
    for name in sorted(os.listdir(directory)):
        if name == "case.json":
            continue
        with open(os.path.join(directory, name), "rb") as source:
            text = source.read(3000).decode("utf-8", "replace")
        print(f"--- {name}\n{text}", end="" if text.endswith("\n") else "\n")


class Tally:
    """Sums over all cases."""

    def __init__(self):
        self.statuses, self.kinds = collections.Counter(), collections.Counter()
        self.counts = collections.Counter()
        self.failed = 0

    def add(self, report):
        self.statuses[report["status"]] += 1
        self.counts.update(report["counts"])
        if report["findings"]:
            self.failed += 1
            self.kinds[report["findings"][0][0]] += 1

    def text(self, what):
        parts = [f"{sum(self.statuses.values())} {what}: {self.statuses[0]} released, "
                 f"{self.statuses[2]} refused, {self.statuses[4]} infeasible"]
        parts += [f"{count} {name}" for name, count in sorted(self.counts.items())]
        parts.append(f"{self.failed} failed")
        return ", ".join(parts)


def run(jobs, pool, place):
    """All jobs; returns the tally."""
    tally = Tally()
    shown = collections.Counter()
    for report in pool.imap_unordered(work, jobs, chunksize=2):
        tally.add(report)
        if not report["findings"]:
            continue
        directory = write_case(report, place)
        kind = report["findings"][0][0]
        shown[kind] += 1
        if shown[kind] <= SHOWN:
            show(report, directory)
        else:
            print(f"{os.path.basename(directory)} fails, too ({kind}): {directory}")
    return tally
