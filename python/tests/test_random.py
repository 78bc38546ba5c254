"""Random frames under random studies: the package releases what the program does, and the release keeps its k."""

import io
import random
import unittest

import pandas

import kith
from support import DirectoryCase, program, rows_of


def draw_column(draw, rows):
    """A column that pandas writes to CSV as Kith reads it, and what a study says of it."""

    def cells(make):
        return [None if draw.random() < 0.1 else make() for _ in range(rows)]

    kind = draw.randrange(5)
    if kind == 0:
        width = draw.choice([2, 5, 10])
        spec = {"type": "integer", "hierarchy": {"intervals": [width, width * 4]}}
        return pandas.Series([draw.randrange(100) for _ in range(rows)]), spec
    if kind == 1:  # floats in pandas, because cells are missing
        return pandas.Series(cells(lambda: draw.randrange(30)), dtype="float64"), {
            "type": "integer",
            "hierarchy": {"intervals": [10]},
        }
    if kind == 2:
        days = cells(lambda: pandas.Timestamp(2024, 1, 1) + pandas.Timedelta(days=draw.randrange(400)))
        spec = {"type": "date", "hierarchy": {"dates": ["month", "year"]}}
        return pandas.Series(days, dtype="datetime64[ns]"), spec
    texts = draw.choice([["a", "b", "c"], ["größer", 'said "no"', "x, y", "two\nlines"], ["10115", "10117", "20095"]])
    dtype = pandas.CategoricalDtype(texts) if kind == 3 else object
    hierarchy = draw.choice(["suppress", {"mask": "right"}])
    return pandas.Series(cells(lambda: draw.choice(texts)), dtype=dtype), {"hierarchy": hierarchy}


def draw_case(seed):
    draw = random.Random(seed)
    rows, k = draw.randint(20, 120), draw.choice([2, 3, 5])
    columns, specs = {}, []
    for number in range(draw.randint(1, 4)):
        columns[f"q{number}"], spec = draw_column(draw, rows)
        specs.append({"name": f"q{number}", "role": "quasi-identifying", **spec})
    columns["unused"] = pandas.Series(range(rows))
    columns["illness"] = pandas.Series(draw.choices(["flu", "gout", "cold"], k=rows))
    specs.append({"name": "illness", "role": "sensitive"})
    names = draw.sample(sorted(columns), len(columns))
    frame = pandas.DataFrame({name: columns[name] for name in names})
    study = {"study": f"random-{seed}", "columns": specs, "privacy": [{"model": "k-anonymity", "k": k}]}
    return frame, study, k


class RandomFrames(DirectoryCase):
    def test_the_same_release_as_the_program(self):
        for seed in range(25):
            frame, description, k = draw_case(seed)
            with self.subTest(seed=seed):
                study = kith.Study(description)
                data, out = self.directory / f"{seed}.csv", self.directory / f"{seed}.out.csv"
                (self.directory / "study.yaml").write_text(study.text, encoding="utf-8")
                whole = {name: "Int64" for name in frame if frame[name].dtype == "float64"}
                frame.astype(whole).to_csv(data, index=False)
                program("anonymize", "study.yaml", "-i", str(data), "-o", str(out), "--seed", "5", "-q",
                        directory=self.directory)  # fmt: skip
                release = kith.anonymize(frame, study, seed=5)
                columns = release.table.to_dict()
                found = [list(columns)] + [[cell or "" for cell in row] for row in zip(*columns.values())]
                self.assertEqual(found, rows_of(out))
                self.keeps(release, frame, k)

    def keeps(self, release, frame, k):
        """Counted from the frame as its user sees it, written and read again by pandas."""
        again = pandas.read_csv(io.StringIO(release.frame.to_csv(index=False)), dtype=str, keep_default_na=False)
        quasi = [name for name in again if name.startswith("q")]
        self.assertGreaterEqual(again.groupby(quasi).size().min(), k)
        self.assertEqual(sorted(again["illness"]), sorted(frame["illness"]))
        self.assertNotIn("unused", again)
        for name in quasi:
            if set(release.frame[name].dropna()) <= set(frame[name].dropna()):
                self.assertEqual(release.frame[name].dtype, frame[name].dtype, f"{name} was released whole")


if __name__ == "__main__":
    unittest.main()
