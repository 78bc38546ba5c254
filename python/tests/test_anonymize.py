"""The verbs: the same releases as the program's, in the kind of the data, judged by counting."""

import csv
import io
import json
import os
import sys
import types
import unittest
import unittest.mock
import warnings

import pandas

import kith
from support import PEOPLE, PEOPLE_STUDY, ROOT, DirectoryCase, program, rows_of

DUCKDB = ROOT / "build" / "duckdb" / "libduckdb.so"


def cells_of(release):
    """The cells of a release row by row, with its header, as a CSV file has them."""
    columns = release.table.to_dict()
    return [list(columns)] + [[cell or "" for cell in row] for row in zip(*columns.values())]


class LikeTheProgram(DirectoryCase):
    def test_releases_are_those_of_the_program(self):
        data = self.generate("hospital", 400)
        study = self.directory / "hospital.study.yaml"
        frame = pandas.read_csv(data, dtype={"zip": str}, parse_dates=["admitted"])
        categories = frame.astype({"job": "category", "disease": "category"})
        for seed in (1, 2):
            out = self.directory / f"release{seed}.csv"
            program("anonymize", str(study), "-i", str(data), "-o", str(out), "--seed", str(seed), "-q")
            expected = rows_of(out)
            for name, source in (("path", data), ("frame", frame), ("categories", categories)):
                with self.subTest(seed=seed, source=name):
                    release = kith.anonymize(source, study, seed=seed)
                    self.assertEqual(cells_of(release), expected)
                    # The frame, written by pandas, is the file that the program wrote.
                    written = io.StringIO(release.frame.to_csv(index=False))
                    self.assertEqual(list(csv.reader(written)), expected)

    def test_summaries_are_those_of_the_program(self):
        data = self.generate("hospital", 200)
        study = self.directory / "hospital.study.yaml"
        summary = self.directory / "summary.json"
        out = self.directory / "out.csv"
        program(
            "anonymize", str(study), "-i", str(data), "-o", str(out), "--seed", "1", "-q", "--summary", str(summary)
        )
        expected = json.loads(summary.read_text())
        found = kith.anonymize(data, study, seed=1).summary
        for key in ("records", "classes", "smallest_class", "models", "loss", "attribute_loss", "algorithm"):
            self.assertEqual(found[key], expected[key], key)


class Releases(DirectoryCase):
    def test_pandas_in_pandas_out(self):
        frame = pandas.DataFrame(PEOPLE, index=[f"row {i}" for i in range(8)])
        release = kith.anonymize(frame, PEOPLE_STUDY, seed=1)
        self.assertIsInstance(release.frame, pandas.DataFrame)
        self.assertEqual(list(release.frame.columns), ["age", "zip", "disease"])
        self.assertEqual(release.frame.index.tolist(), list(range(8)))
        sizes = release.frame.groupby(["age", "zip"]).size()
        self.assertGreaterEqual(sizes.min(), 2)
        self.assertEqual(len(sizes), release.summary["classes"])
        self.assertEqual(sorted(release.frame["disease"].fillna("")), sorted(d or "" for d in PEOPLE["disease"]))

    def test_rows_are_sorted_unless_they_keep_their_order(self):
        def rows(release):
            return list(zip(*release.table.to_dict().values()))

        def place(row):
            return [(cell is None, cell or "") for cell in row]

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            usual = kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=1)
        with self.assertWarnsRegex(UserWarning, "in the order of the data"):
            kept = kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=1, keep_order=True)
        self.assertEqual(kept.table.to_dict()["disease"], PEOPLE["disease"])
        self.assertEqual(rows(usual), sorted(rows(kept), key=place))
        self.assertEqual([usual.summary["order"], kept.summary["order"]], ["sorted", "data"])
        self.assertEqual(kith.verify(kept, PEOPLE_STUDY, PEOPLE).at("cover.check"), "in order")

    def test_a_mapping_says_which_row_a_record_became(self):
        path = self.directory / "mapping.csv"
        release = kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=1, mapping=path)
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        diseases = release.table.to_dict()["disease"]
        for row in csv.DictReader(path.open(encoding="utf-8")):
            self.assertEqual(
                diseases[int(row["release_row"]) - 1], PEOPLE["disease"][int(row["confidential_row"]) - 1]
            )
        self.assertEqual(kith.verify(release, PEOPLE_STUDY, PEOPLE).at("cover.check"), "matched")
        self.assertEqual(kith.verify(release, PEOPLE_STUDY, PEOPLE, mapping=path).at("cover.check"), "in order")
        with self.assertRaises(kith.InvalidError):  # it is not overwritten
            kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=1, mapping=path)

    def test_other_kinds(self):
        self.assertIsInstance(kith.anonymize(PEOPLE, PEOPLE_STUDY).frame, dict)
        table = kith.Table(PEOPLE)
        self.assertIsInstance(kith.anonymize(table, PEOPLE_STUDY).frame, kith.Table)

    def test_a_frame_of_polars(self):
        """Polars is not at hand: a module of its name with what the package uses of it."""

        class DataFrame:
            def __init__(self, source):
                self.table = kith.Table(source)

            def __arrow_c_stream__(self, requested_schema=None):
                return self.table.__arrow_c_stream__(requested_schema)

        DataFrame.__module__ = "polars.dataframe.frame"
        sys.modules["polars"] = types.SimpleNamespace(DataFrame=DataFrame)
        self.addCleanup(sys.modules.pop, "polars")
        release = kith.anonymize(DataFrame(kith.Table(PEOPLE)), PEOPLE_STUDY, seed=1)
        self.assertIsInstance(release.frame, DataFrame)
        self.assertEqual(release.frame.table.to_dict(), release.table.to_dict())

    def test_a_release_is_written_completely_or_not_at_all(self):
        release = kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=1)
        path = self.directory / "release.csv"
        release.write(path)
        self.assertEqual(rows_of(path), cells_of(release))
        with self.assertRaises(kith.Error):
            release.write(path)
        release.write(f"sqlite:{path}.sqlite?table=t")
        self.assertEqual(kith.Table.read(f"sqlite:{path}.sqlite?table=t").to_dict(), release.table.to_dict())

    @unittest.skipUnless(DUCKDB.exists(), "without DuckDB's library (make duckdb)")
    def test_parquet_and_json(self):
        people = {**PEOPLE, "visits": [3, 1, 2, 2, 5, 1, 1, 4]}
        study = PEOPLE_STUDY.replace("privacy:", "  - {name: visits, role: insensitive, type: integer}\nprivacy:")
        source, target = self.directory / "people.parquet", self.directory / "release.parquet"
        with unittest.mock.patch.dict(os.environ, {"KITH_DUCKDB": str(DUCKDB)}):
            kith.Table(people).write(source)
            release = kith.anonymize(source, study, seed=1)
            self.assertEqual(cells_of(release), cells_of(kith.anonymize(people, study, seed=1)))
            release.write(target)
            self.assertEqual(kith.Table.read(target).to_dict(), release.table.to_dict())
            # Numbers that are released whole stay numbers, intervals are texts.
            release.write(self.directory / "release.json")
        rows = json.loads((self.directory / "release.json").read_text(encoding="utf-8"))
        self.assertEqual(sorted(row["visits"] for row in rows), sorted(people["visits"]))
        self.assertEqual([row["age"] for row in rows], release.table.to_dict()["age"])

    def test_shown_in_notebooks(self):
        release = kith.anonymize(pandas.DataFrame(PEOPLE), PEOPLE_STUDY, seed=1)
        self.assertIn("k-anonymity", release._repr_html_())
        page = release.report()
        self.assertIn("<!doctype html>", page.html)
        self.assertIn("<iframe srcdoc=", page._repr_html_())
        self.assertNotIn("Confidential", page.html)
        self.assertIn("Confidential", release.report(PEOPLE, internal=True).html)
        with self.assertRaises(kith.InvalidError):
            release.report(PEOPLE)
        page.save(self.directory / "report.html")
        self.assertEqual((self.directory / "report.html").read_text(encoding="utf-8"), page.html)


class Judgements(DirectoryCase):
    def setUp(self):
        super().setUp()
        self.data = pandas.DataFrame(PEOPLE)
        self.study = kith.Study(PEOPLE_STUDY)
        self.release = kith.anonymize(self.data, self.study, seed=1)

    def test_releases_verify_and_data_does_not(self):
        self.assertTrue(kith.verify(self.release, self.study, self.data))
        self.assertTrue(kith.verify(self.release.frame, self.study))
        verdict = kith.verify(self.data, self.study)
        self.assertFalse(verdict)
        self.assertFalse(verdict.holds)
        self.assertEqual(verdict.at("models.0.worst"), 1)
        self.assertIn("does not hold", verdict._repr_html_())

    def test_a_frame_from_elsewhere(self):
        made = pandas.DataFrame(
            {"age": ["20-39"] * 3 + ["40-59"] * 4 + ["20-39"], "zip": ["*"] * 8, "disease": PEOPLE["disease"]}
        )
        self.assertTrue(kith.verify(made, self.study, self.data))
        report = kith.measure(made, self.study, self.data, queries=20, seed=1)
        self.assertEqual(report.at("loss.lm") > 0, True)
        self.assertIn("risk after", report._repr_html_())
        report["loss"]["entropy"] = None  # as of a release in another order, with suppressed rows
        self.assertIn("loss: entropy</th><td>–</td>", report._repr_html_())
        lie = made.assign(age=["40-59"] * 4 + ["20-39"] * 4)
        self.assertFalse(kith.verify(lie, self.study, self.data))

    def test_a_mapping_says_whose_row_is_whose(self):
        ages = ["20-39"] * 3 + ["40-59"] * 4 + ["20-39"]
        made = pandas.DataFrame({"age": ages, "zip": ["*"] * 8, "disease": PEOPLE["disease"]}).iloc[::-1]
        mapping = pandas.DataFrame({"confidential_row": range(1, 9), "release_row": range(8, 0, -1)})
        file = self.directory / "mapping.csv"
        mapping.to_csv(file, index=False)
        self.assertEqual(kith.verify(made, self.study, self.data).at("cover.check"), "matched")
        self.assertIsNone(kith.measure(made, self.study, self.data).at("loss.pmi"))
        for whose in (mapping, str(file)):
            verdict = kith.verify(made, self.study, self.data, mapping=whose)
            self.assertTrue(verdict)
            self.assertEqual((verdict.at("cover.check"), verdict.at("cover.mapping")), ("in order", True))
            self.assertIsNotNone(kith.measure(made, self.study, self.data, mapping=whose).at("loss.pmi"))
        wrong = mapping.assign(release_row=[1] * 8)
        with self.assertRaisesRegex(kith.DataError, "release_row 1 was named before"):
            kith.verify(made, self.study, self.data, mapping=wrong)

    def test_persons_are_counted_by_a_mapping(self):
        data = pandas.DataFrame({"pid": [1, 1, 2, 3, 3, 4, 5, 6], **PEOPLE})
        words = {"study": "visits", "columns": [
            {"name": "pid", "role": "identifying"},
            {"name": "age", "role": "quasi-identifying", "type": "integer", "hierarchy": {"intervals": [20]}}],
            "privacy": [{"model": "k-anonymity", "k": 3}], "unit": "pid"}  # fmt: skip
        study, file = kith.Study(words), self.directory / "mapping.csv"
        release = kith.anonymize(data, study, seed=1, mapping=file)
        self.assertEqual(release.summary["persons"], 6)
        alone = kith.verify(release, study, data)
        self.assertFalse(alone)
        self.assertEqual((alone["holds"], alone["not_checked"]), (None, ["units"]))
        self.assertIn("not checked", alone._repr_html_())
        self.assertTrue(kith.verify(release, study, data, mapping=file))
        self.assertEqual(kith.measure(release, study, data)["not_checked"], ["units"])
        self.assertIn("largest_part", kith.measure(release, study, data, mapping=file).at("risk.after"))

    def test_descriptions(self):
        description = kith.describe(self.data)
        self.assertEqual([c["name"] for c in description["columns"]], list(PEOPLE))
        self.assertEqual(description.at("columns.1.distinct"), 8)
        self.assertIn("identifying", description._repr_html_())
        self.assertIn("columns", kith.describe(self.data, self.study))

    def test_values_are_explored(self):
        tried = kith.explore(self.data, self.study, {"k": [2, 4, 9]}, seed=1)
        self.assertEqual([row["outcome"] for row in tried.ways], ["released", "released", "infeasible"])
        self.assertLessEqual(tried.ways[0]["lm"], tried.ways[1]["lm"])
        self.assertEqual(len(tried.frame()), 3)

    def test_sites_together(self):
        run = kith.simulate(self.data, self.study, sites=2, seed=1)
        self.assertTrue(kith.verify(run, self.study))
        self.assertEqual(len(run.frame), 8)
        self.assertEqual(sorted(run.frame["disease"].dropna()), sorted(d for d in PEOPLE["disease"] if d))
        self.assertIsNone(run.directory)
        comparison = kith.compare(self.data, self.study, sites=2, seed=1)
        self.assertIn("one place", [way["way"] for way in comparison.ways])
        self.assertIn("one place", comparison._repr_html_())


if __name__ == "__main__":
    unittest.main()
