"""Studies and hierarchies as objects, and what is wrong with them as exceptions."""

import pickle
import unittest
from pathlib import Path

import pandas

import kith
from support import PEOPLE, PEOPLE_STUDY, DirectoryCase

AS_DICT = {
    "study": "people",
    "columns": [
        {"name": "age", "role": "quasi-identifying", "type": "integer", "hierarchy": {"intervals": [10, 20]}},
        {"name": "zip", "role": "quasi-identifying", "hierarchy": {"mask": "right"}},
        {"name": "disease", "role": "sensitive", "hierarchy": None},
    ],
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


class Studies(DirectoryCase):
    def test_a_dictionary_a_text_and_a_file_are_the_same(self):
        path = self.directory / "people.yaml"
        path.write_text(PEOPLE_STUDY)
        studies = [kith.Study(AS_DICT), kith.Study(PEOPLE_STUDY), kith.Study(path), kith.Study(str(path))]
        self.assertEqual(len({study.digest for study in studies}), 1)
        self.assertEqual({study.name for study in studies}, {"people"})
        self.assertEqual(studies[1].text, PEOPLE_STUDY)
        self.assertEqual(studies[0].to_dict()["privacy"], [{"model": "k-anonymity", "k": "2"}])

    def test_values_are_changed(self):
        study = kith.Study(PEOPLE_STUDY)
        changed = study.change({"utility.suppression": 0.25, "columns.age.max_level": 1}, k=3)
        self.assertIn("k: 3", changed.text)
        self.assertIn("k: 2", study.text)
        self.assertNotEqual(changed.digest, study.digest)
        self.assertEqual(changed.to_dict()["utility"], {"suppression": "0.25"})
        self.assertEqual(kith.anonymize(PEOPLE, changed).summary.at("models.0.k"), 3)

    def test_findings_have_path_and_line(self):
        wrong = PEOPLE_STUDY.replace("type: integer", "type: whole").replace("k: 2", "k: 1")
        path = self.directory / "wrong.yaml"
        path.write_text(wrong)
        with self.assertRaises(kith.InvalidError) as caught:
            kith.Study(path)
        found = {finding.path: finding for finding in caught.exception.findings}
        self.assertEqual(found["columns.age.type"].line, 3)
        self.assertEqual(found["columns.age.type"].file, str(path))
        self.assertEqual(found["columns.age.type"].severity, "problem")
        self.assertEqual(found["privacy.k-anonymity.k"].line, 7)
        self.assertIn(f"{path}:7", str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            kith.Study(PEOPLE_STUDY).change(k=1)
        self.assertEqual(caught.exception.findings[0].path, "privacy.0.k")
        self.assertIsNone(caught.exception.findings[0].line)

    def test_dictionaries_have_lines_too(self):
        with self.assertRaises(kith.InvalidError) as caught:
            kith.Study({**AS_DICT, "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "privacy"}]})
        self.assertEqual(caught.exception.findings[0].line, 8)
        with self.assertRaises(kith.InvalidError):
            kith.Study({"study": object()})
        with self.assertRaises(kith.InvalidError):
            kith.Study(PEOPLE_STUDY).change(k=[2, 3])

    def test_data_is_checked(self):
        study = kith.Study(PEOPLE_STUDY)
        self.assertEqual([f for f in study.check(PEOPLE) if f.severity == "problem"], [])
        with self.assertRaises(kith.DataError) as caught:
            study.check({"age": ["x", "21"], "disease": ["flu", "cold"]})
        texts = [finding.text for finding in caught.exception.findings]
        self.assertIn("'x' is not an integer (column age)", texts)
        self.assertIn("column 'zip' is not in the table", texts)

    def test_a_draft_is_a_study(self):
        draft = kith.Study.draft(pandas.DataFrame(PEOPLE))
        roles = {column["name"]: column["role"] for column in draft.to_dict()["columns"]}
        self.assertEqual(set(roles), set(PEOPLE))

    def test_a_file_that_is_not_there(self):
        with self.assertRaises(kith.InputOutputError):
            kith.Study(Path("nowhere.yaml"))


class Hierarchies(DirectoryCase):
    rows = [["21", "20-29", "*"], ["23", "20-29", "*"], ["41", "40-49", "*"]]

    def test_every_way_to_make_one(self):
        path = self.directory / "h.csv"
        path.write_text("".join(";".join(row) + "\n" for row in self.rows))
        text = path.read_text()
        frame = pandas.DataFrame(self.rows)
        made = [
            kith.hierarchies.read(path),
            kith.hierarchies.parse(text),
            kith.hierarchies.from_labels(self.rows),
            kith.hierarchies.from_frame(frame),
            kith.hierarchies.build({"intervals": [10]}, [21, 23, 41]),
            kith.hierarchies.build({"intervals": [10]}, ["21", "23", "41"], type="integer"),
            kith.hierarchies.build("{intervals: [10]}", pandas.DataFrame({"age": [41, 21, 23]}), "age"),
        ]
        for hierarchy in made:
            self.assertEqual(hierarchy.labels(), self.rows)
            self.assertEqual((len(hierarchy), hierarchy.levels), (3, 3))
        self.assertEqual(made[0].frame().to_numpy().tolist(), self.rows)
        self.assertEqual(made[0].tree()["root"]["label"], "*")
        made[0].write(self.directory / "again.csv")
        self.assertEqual((self.directory / "again.csv").read_text(), text)
        self.assertIn("20-29", made[0]._repr_html_())

    def test_a_study_takes_them(self):
        groups = [[str(age), "young" if age < 40 else "old", "*"] for age in sorted(set(PEOPLE["age"]))]
        in_dict = {**AS_DICT, "columns": [dict(column) for column in AS_DICT["columns"]]}
        in_dict["columns"][0]["hierarchy"] = kith.hierarchies.from_labels(groups)
        studies = [
            kith.Study(AS_DICT).change(hierarchies={"age": groups}),
            kith.Study(AS_DICT).change(hierarchies={"age": pandas.DataFrame(groups)}),
            kith.Study(in_dict),
        ]
        for study in studies:
            release = kith.anonymize(PEOPLE, study, seed=1)
            self.assertLessEqual(set(release.frame["age"]), {"young", "old", "*"} | {row[0] for row in groups})
        self.assertEqual(studies[0].digest, studies[1].digest)

    def test_what_is_wrong_with_them(self):
        with self.assertRaises(kith.Error) as caught:
            kith.hierarchies.from_labels([["a", "x", "*"], ["b", "y", "+"]])
        self.assertTrue(caught.exception.findings)
        with self.assertRaises(kith.InvalidError):
            kith.hierarchies.from_labels([["a", "*"], ["b"]])
        with self.assertRaises(kith.InvalidError):
            kith.hierarchies.build({"intervals": [10]}, PEOPLE, "weight")
        with self.assertRaises(TypeError):
            kith.Hierarchy()
        hierarchy = kith.hierarchies.from_labels(self.rows)
        self.assertEqual(hierarchy.check(["21", "41"]), [])
        with self.assertRaises(kith.DataError) as caught:
            hierarchy.check({"age": ["21", "99"]}, "age")
        self.assertIn("99", caught.exception.findings[0].text)


class Exceptions(unittest.TestCase):
    def test_a_class_for_every_status(self):
        import ctypes

        from kith import errors
        from kith._library import lib

        lib.kith_status_name.restype = ctypes.c_char_p
        names = [lib.kith_status_name(status).decode() for status in range(1, 9)]
        self.assertEqual(len(set(names)), 8)
        classes = [type(errors.of_status(status, "m", "h", ())) for status in range(1, 9)]
        self.assertEqual(len(set(classes)), 8)
        self.assertTrue(all(issubclass(kind, kith.Error) for kind in classes))

    def test_what_no_release_can_keep(self):
        with self.assertRaises(kith.InfeasibleError) as caught:
            kith.anonymize(PEOPLE, kith.Study(PEOPLE_STUDY).change(k=9))
        self.assertIn("9", caught.exception.message)

    def test_parameters(self):
        for wrong in ({"threads": 0}, {"seed": -1}, {"seed": 2**64}):
            with self.assertRaises(kith.InvalidError):
                kith.anonymize(PEOPLE, PEOPLE_STUDY, **wrong)
        with self.assertRaises(kith.InvalidError):
            kith.Table.read("x.csv", separator="::")

    def test_they_travel_between_processes(self):
        error = kith.DataError("message", "hint", [kith.Finding("problem", "text", line=3)])
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.message, again.hint, again.findings), (error.message, error.hint, error.findings))


if __name__ == "__main__":
    unittest.main()
