"""Frames of pandas: every type into a table and back, random frames, and what cannot be taken over."""

import datetime
import decimal
import random
import unittest

import numpy
import pandas

import kith
from kith import _arrow


def random_series(draw, rows):
    """A column of a random type, in which cells may be missing. Empty texts are left out: Kith calls them missing."""
    holes = [draw.random() < draw.choice([0, 0.2, 1]) for _ in range(rows)]

    def cells(make):
        return [None if hole else make() for hole in holes]

    def moment():
        return pandas.Timestamp(1900 + draw.randrange(200), 1 + draw.randrange(12), 1 + draw.randrange(28))

    texts = draw.choice([["a", "b", "c"], ["ä", "\n", '"', ",;", "x" * 300], [str(i) for i in range(1000)]])
    kind = draw.randrange(11)
    if kind == 0:
        name = draw.choice(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
        limits = numpy.iinfo(name)
        return pandas.Series([draw.randint(limits.min, limits.max) for _ in holes], dtype=name)
    if kind == 1:
        return pandas.Series(cells(lambda: draw.uniform(-1e6, 1e6)), dtype="float64")
    if kind == 2:
        return pandas.Series(cells(lambda: draw.uniform(-10, 10)), dtype="float32")
    if kind == 3:
        return pandas.Series(cells(lambda: float(draw.randint(-9, 9))), dtype="float64")
    if kind == 4:
        return pandas.Series([draw.random() < 0.5 for _ in holes], dtype=bool)
    if kind == 5:
        return pandas.Series(cells(lambda: draw.random() < 0.5), dtype="boolean")
    if kind == 6:
        return pandas.Series(cells(lambda: draw.randint(-(2**62), 2**62)), dtype="Int64")
    if kind == 7:
        return pandas.Series(cells(moment), dtype="datetime64[ns]")
    if kind == 8:
        shift = pandas.Timedelta(microseconds=draw.randrange(10**10))
        return pandas.Series(cells(lambda: moment() + shift), dtype="datetime64[ns]")
    if kind == 9:
        return pandas.Series(cells(lambda: draw.choice(texts)), dtype="string")
    return pandas.Series(pandas.Categorical(cells(lambda: draw.choice(texts)), categories=texts, ordered=True))


def without_unused_categories(frame):
    frame = frame.copy()
    for name in frame.select_dtypes("category"):
        frame[name] = frame[name].cat.remove_unused_categories()
    return frame


class Frames(unittest.TestCase):
    def test_names_with_a_nul_are_refused(self):
        frame = pandas.DataFrame({"age": [1, 2], "zip\0x": ["a", "b"]})
        with self.assertRaises(kith.InvalidError) as caught:
            kith.Table(frame)
        self.assertIn(r"the name of column 'zip\x00x' has a NUL in it", str(caught.exception))

    def test_random_frames_there_and_back(self):
        for seed in range(150):
            draw = random.Random(seed)
            rows = draw.choice([0, 1, 2, 7, 8, 9, 100])
            columns = {f"c{i}": random_series(draw, rows) for i in range(draw.randint(1, 5))}
            frame = pandas.DataFrame(columns)
            if rows and draw.random() < 0.3:  # views with strides
                frame = frame.iloc[:: draw.choice([-1, 2])].reset_index(drop=True)
            with self.subTest(seed=seed):
                back = kith.Table(frame).to_pandas(like=frame)
                pandas.testing.assert_frame_equal(back, without_unused_categories(frame))
        self.assertEqual(len(_arrow._held), 0, "a stream was not released")

    def test_cells_are_what_a_csv_file_would_have(self):
        frame = pandas.DataFrame(
            {
                "whole": [1.0, numpy.nan, 3.0],
                "date": [datetime.date(2024, 1, 2), None, datetime.date(1900, 1, 1)],
                "decimal": [decimal.Decimal("1.50"), None, decimal.Decimal("3")],
                "mixed": [1, "1", None],
                "flag": [True, False, True],
                "day": pandas.to_datetime(["2024-01-01", None, "1950-12-31"]),
                "category": pandas.Categorical([3, 1, None]),
                "sparse": pandas.arrays.SparseArray([1, 0, 0]),
                "nothing": [None, None, None],
            }
        )
        self.assertEqual(
            kith.Table(frame).to_dict(),
            {
                "whole": ["1", None, "3"],
                "date": ["2024-01-02", None, "1900-01-01"],
                "decimal": ["1.50", None, "3"],
                "mixed": ["1", "1", None],
                "flag": ["true", "false", "true"],
                "day": ["2024-01-01", None, "1950-12-31"],
                "category": ["3", "1", None],
                "sparse": ["1", "0", "0"],
                "nothing": [None, None, None],
            },
        )

    def test_times_of_a_zone_are_moments(self):
        moments = pandas.to_datetime(["2024-01-01 12:30", "2024-07-01 12:30"]).tz_localize("Europe/Berlin")
        frame = pandas.DataFrame({"at": moments})
        table = kith.Table(frame)
        self.assertEqual(table.to_dict()["at"], ["2024-01-01T11:30:00Z", "2024-07-01T10:30:00Z"])
        pandas.testing.assert_frame_equal(table.to_pandas(like=frame), frame)

    def test_the_index_is_left_out(self):
        frame = pandas.DataFrame({"a": [1, 2]}, index=["patient 1", "patient 2"])
        self.assertEqual(kith.Table(frame).to_dict(), {"a": ["1", "2"]})

    def test_a_mapping_of_series(self):
        columns = {"a": pandas.Series([1, None], dtype="Int64"), "b": pandas.Series([1.5, numpy.nan])}
        self.assertEqual(kith.Table(columns).to_dict(), {"a": ["1", None], "b": ["1.5", None]})

    def test_columns_of_numbers_have_names(self):
        self.assertEqual(kith.Table(pandas.DataFrame([[1, 2]])).columns, ["0", "1"])

    def test_what_has_no_text_is_refused(self):
        for cells in ([b"x", b"y"], [[1], [2]], ["\ud800", "x"]):
            with self.assertRaises(kith.DataError):
                kith.Table(pandas.DataFrame({"a": cells}))
        with self.assertRaises(kith.Error):
            kith.Table(pandas.DataFrame([[1, 2]], columns=["a", "a"]))
        several = pandas.DataFrame([[1]], columns=pandas.MultiIndex.from_tuples([("a", "b")]))
        with self.assertRaises(kith.InvalidError):
            kith.Table(several)
        self.assertEqual(len(_arrow._held), 0, "a stream was not released")

    def test_types_are_kept_only_where_all_values_allow_it(self):
        like = pandas.DataFrame({"a": [1], "b": [1.5], "c": [True], "d": pandas.to_datetime(["2024-01-01"])})
        table = kith.Table({"a": ["1", "10-19"], "b": ["1", "*"], "c": ["true", "*"], "d": ["2024-01-01", "2024"]})
        back = table.to_pandas(like=like)
        self.assertEqual([str(kind) for kind in back.dtypes], ["object"] * 4)
        self.assertEqual(back["a"].tolist(), ["1", "10-19"])
        # 007 is no number that was written so by a frame.
        self.assertEqual(kith.Table({"a": ["007"]}).to_pandas(like=like)["a"].tolist(), ["007"])
        # A missing cell in a column that cannot have one.
        self.assertEqual(str(kith.Table({"a": ["1", None]}).to_pandas(like=like)["a"].dtype), "Int64")

    def test_categories_stay_categories(self):
        like = pandas.DataFrame({"a": pandas.Categorical(["x", "y"], categories=["y", "x", "z"], ordered=True)})
        same = kith.Table({"a": ["x", "y", "z", None]}).to_pandas(like=like)["a"]
        self.assertEqual(same.dtype, like["a"].dtype)
        self.assertEqual(same.astype(object).tolist()[:3], ["x", "y", "z"])
        fewer = kith.Table({"a": ["z", "y", "y"]}).to_pandas(like=like)["a"]
        self.assertEqual(fewer.dtype, pandas.CategoricalDtype(["y", "z"], ordered=True))
        self.assertEqual(fewer.tolist(), ["z", "y", "y"])
        coarser = kith.Table({"a": ["x", "*"]}).to_pandas(like=like)["a"]
        self.assertEqual(sorted(coarser.cat.categories), ["*", "x"])

    def test_categories_of_dropped_rows_are_not_released(self):
        data = pandas.DataFrame({"age": [30, 30, None], "ill": pandas.Categorical(["flu", "flu", "rare"])})
        columns = [{"name": "age", "role": "quasi-identifying"}, {"name": "ill", "role": "sensitive"}]
        study = {"study": "s", "missing": "drop", "columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
        self.assertEqual(list(kith.anonymize(data, study).frame["ill"].cat.categories), ["flu"])


if __name__ == "__main__":
    unittest.main()
