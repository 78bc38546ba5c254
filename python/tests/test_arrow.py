"""Arrow streams in and out, against a producer and a consumer that share nothing with the package."""

import gc
import unittest

import kith
from kith import _arrow
from arrow_witness import Producer, consume
from support import PEOPLE, PEOPLE_STUDY


class StreamsIn(unittest.TestCase):
    chunks = [
        {"age": ["21", "23"], "zip": ["81667", None], "disease": ["flu", "grün"]},
        {"age": [], "zip": [], "disease": []},
        {"age": ["24"], "zip": [""], "disease": [None]},
    ]

    def test_chunks_become_one_table(self):
        producer = Producer(self.chunks)
        table = kith.Table(producer)
        self.assertEqual(
            table.to_dict(),
            {"age": ["21", "23", "24"], "zip": ["81667", None, None], "disease": ["flu", "grün", None]},
        )
        self.assertEqual(producer.given, 3)
        self.assertEqual(producer.released, {"stream": 1, "schema": 1, "array": 3})

    def test_a_study_chooses_columns_and_types(self):
        table = kith.Table(Producer(self.chunks), kith.Study(PEOPLE_STUDY))
        self.assertEqual(table.values(table.columns.index("age")), ["21", "23", "24"])

    def test_a_stream_that_fails_is_released(self):
        producer = Producer(self.chunks, fail_at=1)
        with self.assertRaises(kith.InputOutputError) as caught:
            kith.Table(producer)
        self.assertIn("the disk is gone", str(caught.exception))
        self.assertEqual(producer.released["stream"], 1)

    def test_the_first_rows_are_shown(self):
        table = kith.Table(Producer(self.chunks))
        self.assertEqual(table.head(2)[1], {"age": "23", "zip": None, "disease": "grün"})
        self.assertEqual(len(table.head()), 3)
        self.assertIn("<td>grün</td>", table._repr_html_())
        self.assertIn("0 rows", kith.Table({"a": []})._repr_html_())

    def test_anything_else_is_refused(self):
        with self.assertRaises(kith.InvalidError):
            kith.Table(42)

    def test_names_with_a_nul_are_refused(self):
        """The library would take what is before it for the name."""

        class Told(Producer):  # as pyarrow tells names
            schema = type("Schema", (), {"names": ["age", "zip\0x"]})

        class Asked(Producer):  # as polars does
            schema = type("Schema", (dict,), {"names": lambda self: ["age\0"]})()

        sources = [Told(self.chunks), Asked(self.chunks), {"age": ["1"], "a\0b": ["2"]}, "people.csv\0x"]
        for source in sources:
            for study in (None, kith.Study(PEOPLE_STUDY)):
                with self.assertRaises(kith.InvalidError) as caught:
                    kith.Table(source, study)
                self.assertIn("has a NUL in it", str(caught.exception))


class StreamsOut(unittest.TestCase):
    def test_numbers_are_numbers_and_texts_have_a_dictionary(self):
        formats, cells = consume(kith.Table(PEOPLE, kith.Study(PEOPLE_STUDY)))
        self.assertEqual(cells["age"], PEOPLE["age"])
        self.assertEqual(formats["age"], "l")
        self.assertEqual(cells["disease"], PEOPLE["disease"])
        self.assertIn("[", formats["disease"])

    def test_a_release_has_the_types_of_its_data(self):
        release = kith.anonymize(PEOPLE, kith.Study(PEOPLE_STUDY), seed=1)
        formats, cells = consume(release.arrow)
        self.assertEqual(cells, release.table.to_dict())
        self.assertCountEqual(cells["disease"], PEOPLE["disease"])
        self.assertNotEqual(formats["age"], "l")
        self.assertEqual(consume(release)[1], cells)

    def test_a_stream_outlives_its_table(self):
        capsule = kith.Table(PEOPLE).__arrow_c_stream__()
        gc.collect()

        class Holder:
            def __arrow_c_stream__(self, requested_schema=None):
                return capsule

        self.assertEqual(kith.Table(Holder()).to_dict()["zip"], PEOPLE["zip"])

    def test_capsules_that_nobody_reads_are_released(self):
        gc.collect()
        before = len(_arrow._in_capsules)
        capsules = [kith.Table(PEOPLE).__arrow_c_stream__() for _ in range(5)]
        self.assertEqual(len(_arrow._in_capsules), before + 5)
        del capsules
        gc.collect()
        self.assertEqual(len(_arrow._in_capsules), before)


if __name__ == "__main__":
    unittest.main()
