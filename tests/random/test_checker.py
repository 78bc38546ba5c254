#!/usr/bin/env python3
"""The checker itself: it accepts true releases and sees what was spoilt."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import databases  # noqa: E402
import expectation  # noqa: E402
import matching  # noqa: E402
import queries  # noqa: E402
import shrink  # noqa: E402
import texts  # noqa: E402
import values  # noqa: E402
from check import Release  # noqa: E402
from examine_joint import JointExamination  # noqa: E402
from ladders import Ladder, Refused  # noqa: E402
from means import Means  # noqa: E402
from subject import Subject, change  # noqa: E402

AGE = {"name": "age", "role": "quasi-identifying", "type": "integer", "hierarchy": {"intervals": [5, 10]}}
SEX = {"name": "sex", "role": "quasi-identifying"}
ILL = {"name": "ill", "role": "sensitive"}
PID = {"name": "pid", "role": "identifying"}
ROWS = [["21", "f", "flu", "p1"], ["23", "f", "cold", "p2"], ["24", "f", "gout", "p3"],
        ["27", "m", "flu", "p4"], ["28", "m", "cold", "p5"], ["29", "m", "gout", "p6"]]
GOOD = [["20-24", "f", "flu"], ["20-24", "f", "cold"], ["20-24", "f", "gout"],
        ["25-29", "m", "flu"], ["25-29", "m", "cold"], ["25-29", "m", "gout"]]


def case(models, rows=None, columns=None, files=None, **study):
    """A case with the columns age, sex, ill and pid."""
    columns = columns or [AGE, SEX, ILL, PID]
    return {"study": {"study": "s", "columns": columns, "privacy": models, **study},
            "table": {"names": [c["name"] for c in columns], "rows": ROWS if rows is None else rows},
            "form": {"separator": ",", "newline": "\n", "quotes": False, "encoding": "utf-8", "gzip": False,
                     "header": True},
            "files": files or {}, "expect": None, "drawn": "test",
            "options": {"seed": 1, "threads": 1, "shuffle": False, "keep_order": True, "json": False, "explain": False,
                        "mapping": False, "lattice": False, "separator": False}}


def judged(a_case, rows, names=("age", "sex", "ill"), shuffled=False):
    release = Release(Subject(a_case), texts.csv_text(list(names), rows), shuffled)
    if not release.findings:
        release.check_recoding()
    return [kind for kind, _ in release.findings]


def changed(row, column, cell, rows=None):
    rows = [list(r) for r in rows or GOOD]
    rows[row][column] = cell
    return rows


class Order(unittest.TestCase):
    def test_sorted_rows(self):
        for rows, expected in ((sorted(GOOD), True), (GOOD, False), (sorted(GOOD) + [["25-29", "m", ""]], True),
                               ([["25-29", "m", ""]] + sorted(GOOD), False)):
            release = Release(Subject(case([{"model": "k-anonymity", "k": 1}])),
                              texts.csv_text(["age", "sex", "ill"], rows), shuffled=True)
            self.assertEqual(release.is_sorted(), expected)


class Persons(unittest.TestCase):
    """Models that count persons."""

    def judged(self, model, pids, ills=None, **study):
        rows = [[row[0], row[1], ills[i] if ills else row[2], pid] for i, (row, pid) in enumerate(zip(ROWS, pids))]
        release = [[*cells[:2], row[2]] for cells, row in zip(GOOD, rows)]
        return judged(case([model], rows=rows, unit="pid", **study), release)

    def test_classes(self):
        k2 = {"model": "k-anonymity", "k": 2}
        self.assertEqual(self.judged(k2, ["1", "1", "2", "3", "3", "4"]), [])
        self.assertEqual(self.judged(k2, ["1", "1", "1", "3", "3", "4"]), ["model k-anonymity"])
        self.assertEqual(self.judged(k2, ["", "", "", "3", "3", "4"]), [])  # each a person of its own
        self.assertEqual(self.judged({"model": "k-anonymity", "k": 3}, ["1", "1", "2", "3", "4", "5"]), ["model k-anonymity"])

    def test_values(self):
        share = {"model": "alpha-k", "alpha": 0.5, "k": 2}
        twice = ["flu", "flu", "cold", "flu", "cold", "gout"]
        self.assertEqual(self.judged(share, ["1", "1", "2", "3", "3", "4"], twice), ["model alpha-k"])  # 1 has two rows of three
        self.assertEqual(self.judged(share, ["1", "1", "2", "3", "3", "4"]), [])
        self.assertEqual(self.judged(share, ["1", "2", "3", "4", "5", "6"]), [])
        both = ["flu", "cold", "flu", "flu", "cold", "gout"]
        l2 = {"model": "l-diversity", "variant": "distinct", "l": 2}
        self.assertEqual(self.judged(l2, ["1", "1", "2", "3", "4", "5"], both), ["model l-diversity"])  # all have flu

    def test_dominance(self):
        half = {"model": "dominance", "share": 0.5}
        self.assertEqual(self.judged(half, ["1", "1", "2", "3", "4", "5"]), ["model dominance"])
        self.assertEqual(self.judged(half, ["1", "2", "6", "3", "4", "5"]), [])

    def test_one_value_of_each(self):
        closeness = {"model": "t-closeness", "t": 1}
        for pids, statuses in ((["1", "1", "2", "3", "3", "4"], {2}), (["1", "2", "3", "4", "5", "6"], {0})):
            rows = [row[:3] + [pid] for row, pid in zip(ROWS, pids)]
            self.assertEqual(expectation.expected(Subject(case([closeness], rows=rows, unit="pid")))[0], statuses)

    def test_intersections(self):
        l2 = {"model": "l-diversity", "variant": "distinct", "l": 2}
        pids = ["1", "2", "3", "1", "4", "5"]
        for ills, kinds in ((["flu", "cold", "gout", "flu", "ague", "cough"], ["model intersections"]),
                            (["flu", "cold", "gout", "flu", "cold", "cough"], []),
                            (["flu", "cold", "gout", "cold", "ague", "cough"], [])):  # no value of 1 lasts
            self.assertEqual(self.judged(l2, pids, ills, intersections="refuse"), kinds)
            self.assertEqual(self.judged(l2, pids, ills), [])
        for study, statuses in (({}, {0}), ({"algorithm": "flash"}, {2}), ({"unit": "row"}, {2})):
            rows = [row[:3] + [pid] for row, pid in zip(ROWS, ["1", "2", "3", "4", "5", "6"])]
            study = {"unit": "pid", "intersections": "refuse", **study}
            self.assertEqual(expectation.expected(Subject(case([l2], rows=rows, **study)))[0], statuses)
        rows = [row[:3] + [pid] for row, pid in zip(ROWS, pids)]
        rows[3][2] = "ague"
        several = case([l2], rows=rows, unit="pid", intersections="refuse")
        self.assertEqual(expectation.expected(Subject(several))[0], {2})
        self.assertEqual(expectation.expected(Subject(case([{"model": "k-anonymity", "k": 2}], rows=rows, unit="pid",
                                                           intersections="warn")))[0], {2})

    def test_without_order_nothing_is_judged(self):
        release = Release(Subject(case([{"model": "k-anonymity", "k": 6}], unit=["pid"])),
                          texts.csv_text(["age", "sex", "ill"], GOOD[::-1]), shuffled=True)
        self.assertEqual(release.findings, [])
        self.assertEqual(Release(release.subject, texts.csv_text(["age", "sex", "ill"], GOOD[::-1]), True,
                                 records=[5, 4, 3, 2, 1, 0]).findings[0][0], "model k-anonymity")


class Databases(unittest.TestCase):
    """Tables in SQLite."""

    def test_cells_come_back(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "x.db")
            names, rows = ['a "b"', "c", "D"], [["007", "", "x;\ny"], ["é", "1.50", "'"]]
            databases.write(path, names, rows)
            self.assertEqual(databases.read(path), (names, rows))

    def test_names(self):
        self.assertTrue(databases.can_hold(["a", "b"]))
        self.assertFalse(databases.can_hold(["a", "A"]))
        self.assertFalse(databases.can_hold([""]))


class Models(unittest.TestCase):
    """Every model: a release that keeps it, and one that a changed cell spoils."""

    def check(self, model, spoilt, rows=None, good=None, **more):
        self.assertEqual(judged(case([model], rows, **more), good or GOOD), [])
        kinds = judged(case([model], [list(r) + [f"p{i}"] for i, r in enumerate(spoilt[1])], **more), spoilt[0])
        self.assertIn(f"model {model['model']}", kinds)

    def values(self, *ills):
        """GOOD with other illnesses, and data that agrees with it."""
        release = [row[:2] + [ill] for row, ill in zip(GOOD, ills)]
        data = [row[:2] + [ill] for row, ill in zip(ROWS, ills)]
        return release, data

    def test_k_anonymity(self):
        self.check({"model": "k-anonymity", "k": 3}, (changed(0, 0, "20-29"), [r[:3] for r in ROWS]))

    def test_l_diversity(self):
        spoilt = self.values("flu", "flu", "gout", "flu", "cold", "gout")
        for variant, l in (("frequency", 3), ("distinct", 3), ("entropy", 3)):
            self.check({"model": "l-diversity", "variant": variant, "l": l}, spoilt)
        self.check({"model": "l-diversity", "variant": "recursive", "l": 2, "c": 1.5}, spoilt)

    def test_t_closeness(self):
        spoilt = self.values("flu", "flu", "flu", "cold", "cold", "gout")
        self.check({"model": "t-closeness", "t": 0.1}, spoilt)

    def test_t_closeness_ordered_and_hierarchical(self):
        numbers = [dict(AGE), dict(SEX), dict(ILL, type="integer", hierarchy={"intervals": [2, 4]}), PID]
        rows = [r[:2] + [str(1 + i % 3)] + r[3:] for i, r in enumerate(ROWS)]
        good = [r[:2] + [str(1 + i % 3)] for i, r in enumerate(GOOD)]
        spoilt = ([r[:2] + [s] for r, s in zip(GOOD, "111233")], [r[:2] + [s] for r, s in zip(ROWS, "111233")])
        for variant in ("ordered", "hierarchical"):
            self.check({"model": "t-closeness", "variant": variant, "t": 0.1}, spoilt, rows, good,
                       columns=numbers)

    def test_t_closeness_values(self):
        """By hand: shares 1/2, 1/2 and 1, 0 of two values are half a table apart."""
        data = case([{"model": "t-closeness", "t": 0.4}],
                    [["21", "f", "flu", "1"], ["23", "f", "flu", "2"], ["27", "m", "cold", "3"],
                     ["28", "m", "cold", "4"]])
        release = Release(Subject(data), texts.csv_text(
            ["age", "sex", "ill"], [["20-24", "f", "flu"]] * 2 + [["25-29", "m", "cold"]] * 2))
        self.assertAlmostEqual(release.worst[0], 0.5)

    def test_delta_presence(self):
        model = {"model": "delta-presence", "min": 0.2, "max": 0.5, "subset": {"column": "ill", "values": ["flu"]}}
        self.check(model, self.values("flu", "flu", "gout", "flu", "cold", "gout"))
        self.check(model, self.values("cold", "cold", "gout", "flu", "cold", "gout"))

    def test_alpha_k(self):
        self.check({"model": "alpha-k", "alpha": 0.5, "k": 3},
                   self.values("flu", "flu", "gout", "flu", "cold", "gout"))
        self.check({"model": "alpha-k", "alpha": 1, "k": 3}, (changed(0, 0, "20-29"), [r[:3] for r in ROWS]))

    def test_p_sensitive(self):
        self.check({"model": "p-sensitive", "p": 3, "k": 3},
                   self.values("flu", "flu", "gout", "flu", "cold", "gout"))

    def test_lkc(self):
        self.check({"model": "lkc", "l": 1, "k": 3, "c": 0.5, "values": ["flu"]},
                   self.values("flu", "flu", "gout", "flu", "cold", "gout"))
        self.check({"model": "lkc", "l": 2, "k": 3, "c": 1}, (changed(0, 0, "20-29"), [r[:3] for r in ROWS]))

    def test_dissimilarity(self):
        self.check({"model": "dissimilarity", "epsilon": 0, "delta": 0.9, "k": 3},
                   self.values("flu", "flu", "gout", "flu", "cold", "gout"))

    def test_delta_disclosure(self):
        self.check({"model": "delta-disclosure", "delta": 0.5},
                   self.values("flu", "flu", "gout", "flu", "cold", "gout"))

    def test_beta_likeness(self):
        for variant in ("basic", "enhanced"):
            self.check({"model": "beta-likeness", "variant": variant, "beta": 0.2},
                       self.values("flu", "flu", "gout", "gout", "cold", "gout"))

    def test_m_invariance(self):
        earlier = {"earlier.csv": {"kind": "table", "names": ["confidential_row", "pid", "ill", "_kith_class"],
                                   "rows": [["1", "p1", "flu", "1"], ["2", "x", "cold", "1"], ["3", "y", "gout", "1"]]}}
        model = {"model": "m-invariance", "m": 3, "previous": ["earlier.csv"], "id": "pid"}
        self.assertEqual(judged(case([model], files=earlier), GOOD), [])
        earlier["earlier.csv"]["rows"][1][2] = "asthma"
        self.assertIn("model m-invariance", judged(case([model], files=earlier), GOOD))
        bare = case([model], columns=[AGE, SEX, PID], rows=[[r[0], r[1], r[3]] for r in ROWS], files=earlier)
        self.assertEqual(Subject(bare).signatures(model), {})
        plain = {"model": "m-invariance", "m": 3}
        self.check(plain, self.values("flu", "flu", "gout", "flu", "cold", "gout"))

    def test_k_map(self):
        people = {"people.csv": {"kind": "table", "names": ["age", "sex"],
                                 "rows": [["21", "f"], ["23", "f"], ["27", "m"], ["28", "m"], ["22", "f"]]}}
        good = {"model": "k-map", "k": 2, "population": "people.csv"}
        self.assertEqual(judged(case([good], files=people), GOOD), [])
        # 22 is no value of the data, so that it fits the root only.
        self.assertEqual(judged(case([dict(good, k=3)], files=people), GOOD), ["model k-map"])


class Cover(unittest.TestCase):
    model = {"model": "k-anonymity", "k": 3}

    def test_wrong_label(self):
        self.assertIn("cover", judged(case([self.model]), changed(0, 0, "25-29")))
        self.assertIn("cover", judged(case([self.model]), changed(0, 0, "21-24")))

    def test_wrong_plain_cell(self):
        self.assertIn("cover", judged(case([self.model]), changed(0, 2, "gout")))

    def test_lost_and_repeated_rows(self):
        self.assertIn("rows", judged(case([{"model": "k-anonymity", "k": 2}]), GOOD[1:]))
        self.assertIn("rows", judged(case([self.model]), GOOD + [GOOD[0]]))

    def test_order(self):
        self.assertEqual(judged(case([self.model]), GOOD[::-1]), ["order"])
        self.assertEqual(judged(case([self.model]), GOOD[::-1], shuffled=True), [])

    def test_columns(self):
        self.assertIn("columns", judged(case([self.model]), [r + ["p"] for r in GOOD], ("age", "sex", "ill", "pid")))
        self.assertIn("columns", judged(case([self.model]), [r[:2] for r in GOOD], ("age", "sex")))
        swapped = [[r[1], r[0], r[2]] for r in GOOD]
        self.assertEqual(judged(case([self.model]), swapped, ("sex", "age", "ill")), ["order of columns"])

    def test_form_of_a_number(self):
        """007 is released as it was read, or generalized."""
        rows = [["07", "f", "flu", "1"], ["07", "f", "flu", "2"]]
        two = {"model": "k-anonymity", "k": 2}
        self.assertEqual(judged(case([two], rows), [["07", "f", "flu"]] * 2), [])
        self.assertIn("cover", judged(case([two], rows), [["7", "f", "flu"]] * 2))

    def test_closures(self):
        self.assertEqual(judged(case([self.model]), [["20-29", "f", r[2]] for r in GOOD[:3]]
                                + [["20-29", "m", r[2]] for r in GOOD[3:]]), ["closure"])

    def test_one_level(self):
        mixed = [["20-29", "f", r[2]] for r in GOOD[:3]] + GOOD[3:]
        self.assertEqual(judged(case([self.model], algorithm="flash"), mixed), ["global recoding"])

    def test_a_cut(self):
        rows = [["21", "f", "flu", "1"], ["22", "f", "flu", "2"]]
        self.assertEqual(judged(case([{"model": "k-anonymity", "k": 1}], rows, algorithm="top-down"),
                                [["20-24", "f", "flu"], ["22", "f", "flu"]]), ["global recoding"])

    def test_levels(self):
        bounded = [dict(AGE, max_level=1), SEX, ILL, PID]
        self.assertEqual(judged(case([self.model], columns=bounded), GOOD), [])
        coarse = [["20-29"] + r[1:] for r in GOOD]
        self.assertIn("levels", judged(case([self.model], columns=bounded), coarse))
        fine = [dict(AGE, min_level=2), SEX, ILL, PID]
        self.assertIn("levels", judged(case([self.model], columns=fine), GOOD))

    def test_suppression(self):
        study = case([{"model": "k-anonymity", "k": 5}], utility={"suppression": 0.2}, algorithm="flash")
        rows = [["*", "*", "flu"]] + [["*", "m", r[2]] for r in GOOD[1:]]
        study["table"]["rows"] = [ROWS[0]] + [[r[0], "m"] + r[2:] for r in ROWS[1:]]
        self.assertEqual(judged(study, rows), [])
        study["study"]["utility"]["suppression"] = 0.1
        self.assertEqual(judged(study, rows), ["model k-anonymity"])

    def test_suppressed_rows_among_wildcards(self):
        """Too many to count as suppressed, and yet one of them was."""
        rows = [["", "", "flu", "1"]] * 3 + [["21", "f", "flu", "2"]] * 3 + [["55", "m", "flu", "3"]]
        study = case([self.model], rows, utility={"suppression": 0.15}, algorithm="datafly", missing="wildcard")
        release = [["*", "*", "flu"]] * 3 + [["21", "f", "flu"]] * 3 + [["*", "*", "flu"]]
        self.assertEqual(judged(study, release), [])
        self.assertEqual(judged(study, changed(3, 0, "20-24", changed(4, 0, "20-24", changed(
            5, 0, "20-24", release)))), [])
        mixed = rows[:6] + [["28", "m", "flu", "3"]] * 3
        study["table"]["rows"] = mixed
        self.assertEqual(judged(study, release[:6] + [["25-29", "m", "flu"]] * 3), ["global recoding"])

    def test_missing(self):
        rows = [["21", "", "flu", "1"], ["22", "f", "", "2"]]
        two = {"model": "k-anonymity", "k": 2}
        star = [["20-24", "*", "flu"], ["20-24", "*", ""]]
        self.assertEqual(judged(case([two], rows), star), [])
        self.assertEqual(judged(case([two], rows, missing="wildcard"), star), [])
        self.assertIn("cover", judged(case([two], rows), [["20-24", "f", "flu"], ["20-24", "f", ""]]))
        self.assertEqual(judged(case([{"model": "k-anonymity", "k": 1}], rows, missing="drop"), []), [])

    def test_ranges(self):
        study = case([self.model], algorithm="mondrian", ranges=True)
        self.assertEqual(judged(study, [["21..24", "f", r[2]] for r in GOOD[:3]]
                                + [["27..29", "m", r[2]] for r in GOOD[3:]]), [])
        self.assertIn("cover", judged(study, [["23..24", "f", r[2]] for r in GOOD[:3]]
                                      + [["27..29", "m", r[2]] for r in GOOD[3:]]))
        self.assertIn("closure", judged(study, [["21..27", "f", r[2]] for r in GOOD[:3]]
                                        + [["27..29", "m", r[2]] for r in GOOD[3:]]))

    def test_changed_values(self):
        column = {"name": "pay", "role": "sensitive", "type": "integer", "round": 10, "top": 50}
        rows = [["21", "f", "14", "1"], ["22", "f", "15", "2"], ["23", "f", "99", "3"]]
        study = case([self.model], rows, [AGE, SEX, column, PID])
        good = [["20-24", "f", "10"], ["20-24", "f", "20"], ["20-24", "f", "50"]]
        self.assertEqual(judged(study, good, ("age", "sex", "pay")), [])
        self.assertIn("cover", judged(study, changed(0, 2, "14", good), ("age", "sex", "pay")))

    def test_halves_are_those_of_the_text(self):
        for text, to, rounded in (("0.95", 0.1, "1"), ("0.94", 0.1, "0.9"), ("0.285", 0.01, "0.29"),
                                  ("-0.95", 0.1, "-0.9"), ("1.005", 0.01, "1.01"), ("2.5", 1, "3")):
            column = {"name": "pay", "type": "decimal", "round": to}
            self.assertEqual(values.number_text(change(column, text)), rounded)

    def test_form_of_the_file(self):
        subject = Subject(case([self.model]))
        for text in ("age,sex,ill\n20-24,f\n", "age,sex,ill\na\"b,f,flu\n", "age,sex,ill\n20-24,f,flu", ""):
            self.assertEqual([k for k, _ in Release(subject, text).findings], ["form"])


class ClassMeans(unittest.TestCase):
    """Columns that show the means of their classes."""

    MEAN = dict(AGE, microaggregate="mean")
    SHOWN = [["22.67", "f", "flu"], ["22.67", "f", "cold"], ["22.67", "f", "gout"],
             ["28", "m", "flu"], ["28", "m", "cold"], ["28", "m", "gout"]]

    def judged(self, shown, rows=None, column=None, **study):
        columns = [column or self.MEAN, SEX, ILL, PID]
        return judged(case([{"model": "k-anonymity", "k": 2}], rows, columns, **study), shown)

    def test_right_and_wrong(self):
        self.assertEqual(self.judged(self.SHOWN), [])
        wrong = [["22.66"] + row[1:] if row[1] == "f" else row for row in self.SHOWN]
        self.assertEqual(self.judged(wrong), ["means"])
        self.assertEqual(self.judged(GOOD), ["means"])
        self.assertIn("means", self.judged([["*"] + row[1:] if row[1] == "f" else row for row in self.SHOWN]))

    def test_missing(self):
        """A class with a missing value shows a label."""
        rows = [["", "f", "flu", "p1"]] + ROWS[1:]
        label = [["*"] + row[1:] if row[1] == "f" else row for row in self.SHOWN]
        self.assertEqual(self.judged(label, rows), [])
        self.assertIn("cover", self.judged([["23.5"] + row[1:] if row[1] == "f" else row for row in self.SHOWN], rows))

    def test_levels(self):
        """Records of different nodes at the highest level are not in one class."""
        narrow = dict(self.MEAN, max_level=1)
        self.assertEqual(self.judged(self.SHOWN, column=narrow), [])
        rows = [["21", "f", "flu", "p1"], ["33", "f", "cold", "p2"], ["27", "f", "gout", "p3"]]
        self.assertEqual(self.judged([["27", "f", row[2]] for row in rows], rows, column=narrow), ["means"])

    def test_form(self):
        money = {"name": "age", "role": "quasi-identifying", "type": "decimal", "decimal": "comma",
                 "microaggregate": "mean"}
        subject = Subject(case([{"model": "k-anonymity", "k": 2}],
                               [["1,50", "f", "flu", "p1"], ["-3", "f", "flu", "p2"]], [money, SEX, ILL, PID]))
        shown = Means(subject, "age")
        self.assertEqual([shown.text(t) for t in (["1,50"], ["1,50", "-3"], ["1,51", "1,50"], ["-1,51", "-1,50"])],
                         ["1,50", "-0,75", "1,51", "-1,50"])
        self.assertEqual([shown.has_form(t) for t in ("1,50", "1.50", "1,5", "1")], [True, False, False, False])
        self.assertIsNone(shown.refusal())


class Queries(unittest.TestCase):
    """Counts in the virtual database."""

    def test_bounds(self):
        release = Release(Subject(case([{"model": "k-anonymity", "k": 2}])), texts.csv_text(["age", "sex", "ill"], GOOD))
        self.assertEqual(queries.answers(release, {"column": "age", "text": "24"}), (0, 3, 1))
        self.assertEqual(queries.answers(release, {"column": "sex", "text": "m"}), (3, 3, 3))
        self.assertEqual(queries.answers(release, {"column": "ill", "text": "flu"}), (2, 2, 2))
        self.assertEqual(queries.answers(release, {}), (6, 6, 6))

    def test_text(self):
        study = {"columns": [dict(AGE, name='a"b'), SEX]}
        self.assertEqual(queries.sql(study, {"column": 'a"b', "text": "007"}), 'SELECT count(*) WHERE "a""b" = 7')
        self.assertEqual(queries.sql(study, {"column": "sex", "text": "it's"}), "SELECT count(*) WHERE \"sex\" = 'it''s'")


class Hierarchies(unittest.TestCase):
    """The labels of docs/hierarchies.md."""

    def path(self, column, text, others=(), files=None):
        return Ladder(dict({"name": "c"}, **column), {text, *others}, False, files or {}).path(text)

    def test_intervals(self):
        integer = {"type": "integer", "hierarchy": {"intervals": [5, 10], "origin": 18}}
        self.assertEqual(self.path(integer, "23"), ("23", "23-27", "18-27", "*"))
        integer["hierarchy"]["snap"] = True
        self.assertEqual(self.path(integer, "17"), ("17", "15-19", "15-24", "*"))
        self.assertEqual(self.path({"type": "integer", "hierarchy": {"intervals": [5]}}, "-5"), ("-5", "-5 to -1", "*"))
        decimal = {"type": "decimal", "hierarchy": {"intervals": [0.1, 2.5]}}
        self.assertEqual(self.path(decimal, "0.3"), ("0.3", "[0.3, 0.4)", "[0, 2.5)", "*"))
        comma = {"type": "decimal", "decimal": "comma", "hierarchy": {"intervals": [2.5]}}
        self.assertEqual(self.path(comma, "21,5"), ("21,5", "[20; 22,5)", "*"))

    def test_mask(self):
        right = {"hierarchy": {"mask": "right"}}
        self.assertEqual(self.path(right, "123", ["12345"]), ("123", "123", "123**", "12***", "1****", "*"))
        left = {"hierarchy": {"mask": "left", "character": "#"}}
        self.assertEqual(self.path(left, "81667"), ("81667", "#1667", "##667", "###67", "####7", "*"))

    def test_dates(self):
        units = ["minute", "hour", "day", "week"]
        column = {"type": "date", "format": "%Y-%m-%d %H:%M", "hierarchy": {"dates": units}}
        self.assertEqual(self.path(column, "2024-03-13 08:15"),
                         ("2024-03-13 08:15", "2024-03-13 08:15", "2024-03-13 08:00-08:59", "2024-03-13",
                          "2024-W11", "*"))
        column = {"type": "date", "hierarchy": {"dates": ["month", "quarter", "year", "decade"]}}
        self.assertEqual(self.path(column, "2024-03-13"), ("2024-03-13", "2024-03", "2024-Q1", "2024", "2020s", "*"))
        column = {"type": "date", "format": "%H:%M", "hierarchy": {"dates": ["hour"]}}
        self.assertEqual(self.path(column, "08:15"), ("08:15", "08:00-08:59", "*"))

    def test_order(self):
        column = {"hierarchy": {"order": [2, 4]}}
        self.assertEqual(self.path(column, "c", "abde"), ("c", "c..d", "a..d", "*"))
        self.assertEqual(self.path(column, "e", "abcd"), ("e", "e", "e", "*"))

    def test_files(self):
        files = {"h.csv": {"rows": [["007", "low", "all"], ["8", "low", "all"], ["", "none", "all"]]}}
        column = {"type": "integer", "hierarchy": "h.csv"}
        self.assertEqual(self.path(column, "7", files=files), ("7", "low", "all"))
        with self.assertRaises(Refused):
            self.path(column, "9", files=files)

    def test_files_keep_their_order(self):
        files = {"h.csv": {"rows": [["b0", "b", "all"], ["a0", "a", "all"], ["b1", "b", "all"]]}}
        column = {"name": "x", "hierarchy": "h.csv", "domain": "data"}
        ladder = Ladder(column, ["a0", "b1"], False, files)
        self.assertEqual([path[0] for path in ladder.paths], ["b1", "a0"])

    def test_the_form_of_the_data(self):
        column = {"type": "integer", "hierarchy": {"intervals": [5]}, "domain": {"range": [0, 9]}}
        self.assertEqual(self.path(column, "007", ["7", "8"]), ("007", "5-9", "*"))
        column["hierarchy"] = {"intervals": [1, 5]}
        self.assertEqual(self.path(column, "007", ["7", "8"]), ("7", "7", "5-9", "*"))
        self.assertEqual(self.path(column, "007", ["8"]), ("007", "7", "5-9", "*"))
        column = {"type": "date", "format": "%d.%m.%Y", "hierarchy": {"order": [2]},
                  "domain": {"range": ["2024-03-01", "2024-03-04"]}}
        self.assertEqual(self.path(column, "1.3.2024", []), ("1.3.2024", "1.3.2024..02.03.2024", "*"))

    def test_one_label_one_set(self):
        with self.assertRaises(Refused):
            self.path({"hierarchy": {"mask": "right"}}, "816*", ["8166"])
        with self.assertRaises(Refused):
            self.path({}, "*", ["a"])


class Numbers(unittest.TestCase):
    def test_values(self):
        self.assertEqual(values.value({"type": "integer"}, "+007"), 7)
        self.assertIsNone(values.value({"type": "integer"}, "7.0"))
        self.assertEqual(values.value({"type": "decimal", "decimal": "comma"}, "1.234,50"), 1234.5)
        self.assertIsNone(values.value({"type": "decimal", "decimal": "comma"}, "1.23,5"))
        self.assertEqual(values.value({"type": "date", "format": "%H:%M"}, "01:00"), 3600)
        self.assertEqual(values.value({"type": "date"}, "1970-01-02"), 86400)
        self.assertIsNone(values.value({"type": "date"}, "1970-02-30"))

    def test_texts(self):
        self.assertEqual([values.number_text(n) for n in (5, 2.5, 10.0, 0.1, 1e20)],
                         ["5", "2.5", "10", "0.1", "1e+20"])


class Expectations(unittest.TestCase):
    def test_statuses(self):
        self.assertEqual(expectation.expected(Subject(case([{"model": "k-anonymity", "k": 6}])))[0], {0})
        self.assertEqual(expectation.expected(Subject(case([{"model": "k-anonymity", "k": 7}])))[0], {4})
        self.assertEqual(expectation.expected(Subject(case([{"model": "k-anonymity", "k": 2}], [])))[0], {4})
        rejected = case([{"model": "k-anonymity", "k": 2}], [["", "f", "flu", "1"]] * 2, missing="reject")
        self.assertEqual(expectation.expected(Subject(rejected))[0], {2})

    def test_lattice(self):
        two = case([{"model": "k-anonymity", "k": 3}], levels={"age": 1}, algorithm="flash")
        self.assertEqual(expectation.expected(Subject(two))[0], {0})
        two["study"]["levels"] = {"age": 0}
        self.assertEqual(expectation.expected(Subject(two))[0], {4})


class Joint(JointExamination):
    """A joint run whose files are given here."""

    def __init__(self, a_case, files):
        super().__init__(None, a_case, None, None)
        self.files, self.study = files, a_case["study"]
        self.subject = Subject(a_case)
        self.bytes = files["run/release.csv"]
        self.release = Release(self.subject, self.bytes.decode(), shuffled=True)

    def read(self, path):
        return self.files[path]

    def kinds(self):
        self.findings = [f for f in self.release.findings if f[0] != "order"]
        self.check_sites()
        self.check_sites_models()
        self.check_id_based()
        return [kind for kind, _ in self.findings]


class JointRuns(unittest.TestCase):
    names = ["age", "sex", "ill"]

    def judged(self, models, sites, protocol="clustering", whole=None, **more):
        a_case = case(models, partition="horizontal", protocol=protocol, **more)
        a_case["joint"] = {"sites": len(sites), "split": None}
        rows = whole or (sites[0] if more.get("publish") != "own-rows" else sum(sites, []))
        files = {f"run/site{i + 1}/release.csv": texts.csv_text(self.names, rows).encode()
                 for i, rows in enumerate(sites)}
        files["run/release.csv"] = texts.csv_text(self.names, rows).encode()
        return Joint(a_case, files).kinds()

    def test_sites_hold_the_same(self):
        three = [{"model": "k-anonymity", "k": 3}]
        self.assertEqual(self.judged(three, [GOOD, GOOD]), [])
        self.assertIn("sites", self.judged(three, [GOOD, changed(0, 2, "gout")]))
        self.assertIn("sites", self.judged(three, [GOOD, GOOD], whole=changed(0, 2, "gout")))
        twins = [["20-24", "f", "flu"], ["25-29", "m", "flu"]] * 2
        self.assertIn("sites", self.judged([{"model": "k-anonymity", "k": 2}], [twins, twins]))

    def test_models_of_sites(self):
        own = {"publish": "own-rows"}
        three = {"model": "k-anonymity", "k": 3}
        parts = [[GOOD[0], GOOD[3]], [GOOD[1], GOOD[4]], [GOOD[2], GOOD[5]]]
        off = {"model": "m-privacy", "k": 0}
        for models in ([{"model": "m-privacy", "k": 2}],
                       [{"model": "l-site-diversity", "variant": "sites", "l": 3}, off]):
            self.assertEqual(self.judged([three] + models, parts, **own), [])
            worse = [GOOD[:2] + [GOOD[3]], [GOOD[2], GOOD[4]], [GOOD[5]]]
            self.assertEqual(self.judged([three] + models, worse, **own), ["model of sites"])
        two = [three, {"model": "l-diversity", "variant": "distinct", "l": 2}, {"model": "m-privacy", "k": 1}]
        self.assertEqual(self.judged(two, parts, **own), [])
        self.assertEqual(self.judged(two, worse, **own), ["model of sites"])
        self.assertEqual(self.judged(two[:2] + [dict(two[2], values=0)], worse, **own), [])
        self.assertEqual(self.judged([three], [GOOD[:3], GOOD[3:]], protocol="weave", **own), [])
        self.assertEqual(self.judged([three], [GOOD[:2] + GOOD[3:], GOOD[2:3]], protocol="weave", **own),
                         ["model of sites"])

    def test_id_based(self):
        rows = [["21", "f", "flu", "1"]] * 3 + [["22", "f", "flu", "2"], ["23", "f", "flu", "3"]]
        shown, hidden = [["21", "f", "flu"]], [["*", "*", "flu"]]
        two = [{"model": "k-anonymity", "k": 2}]
        for good, release in ((True, 3 * shown + 2 * hidden), (True, 5 * hidden),
                              (False, 4 * shown + hidden), (False, 3 * shown + [["22", "f", "flu"]] + hidden)):
            kinds = self.judged(two, [release, release], protocol="id-based", rows=rows)
            self.assertEqual("id-based" not in kinds and kinds == [], good, release)


class Tools(unittest.TestCase):
    def test_matching(self):
        self.assertTrue(matching.perfect([[0, 1], [0], [1]], [1, 2]))
        self.assertFalse(matching.perfect([[0], [0], [1]], [1, 2]))
        self.assertTrue(matching.perfect([[0], [0, 1], [0, 1]], [1, 1]))

    def test_shrinking(self):
        """Finds the one row that matters, and drops what does not."""
        large = case([{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "l": 2}], trim=True)

        def fails(other):
            return any("gout" in row for row in other["table"]["rows"]) and len(other["study"]["columns"]) > 0
        small = shrink.shrink(large, fails, 20)
        self.assertEqual(len(small["table"]["rows"]), 1)
        self.assertEqual(len(small["study"]["privacy"]), 1)
        self.assertEqual(len(small["study"]["columns"]), 2)
        self.assertNotIn("trim", small["study"])

    def test_yaml(self):
        self.assertEqual(texts.yaml_study({"study": "null", "columns": [{"name": "a\"b", "min_level": 0}],
                                           "trim": True}),
                         'study: "null"\ncolumns:\n  - {name: "a\\"b", min_level: 0}\ntrim: true\n')


if __name__ == "__main__":
    unittest.main()
