"""The tutorial notebook is a valid one, has no output in it, and runs."""

import ast
import json
import re
import unittest

from support import ROOT

NOTEBOOK = ROOT / "python" / "notebooks" / "tutorial.ipynb"


def run_cell(source, names):
    """Runs the code of a cell; returns the value of its last expression, as a notebook would show it."""
    tree = ast.parse(source)
    shown = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        shown = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "<cell>", "exec"), names)
    return eval(compile(shown, "<cell>", "eval"), names) if shown is not None else None


class Notebook(unittest.TestCase):
    def setUp(self):
        self.notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))

    def test_it_is_valid(self):
        """What the schema of nbformat 4.5 asks for."""
        self.assertEqual((self.notebook["nbformat"], self.notebook["nbformat_minor"]), (4, 5))
        self.assertLessEqual({"cells", "metadata", "nbformat", "nbformat_minor"}, set(self.notebook))
        ids = [cell["id"] for cell in self.notebook["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        for cell in self.notebook["cells"]:
            self.assertRegex(cell["id"], re.compile(r"^[a-zA-Z0-9-_]{1,64}$"))
            self.assertIsInstance(cell["metadata"], dict)
            self.assertTrue(all(isinstance(line, str) for line in cell["source"]))
            keys = {"cell_type", "id", "metadata", "source"}
            if cell["cell_type"] == "code":
                keys |= {"execution_count", "outputs"}
            else:
                self.assertEqual(cell["cell_type"], "markdown")
            self.assertEqual(set(cell), keys)

    def test_it_has_no_output(self):
        for cell in self.notebook["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_it_runs(self):
        names = {"__name__": "__main__"}
        for cell in self.notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            with self.subTest(cell=cell["id"]):
                shown = run_cell("".join(cell["source"]), names)
                if hasattr(shown, "_repr_html_"):
                    self.assertIn("<", shown._repr_html_())
        self.assertGreaterEqual(
            names["release"].frame.groupby(["age", "sex", "zip", "job", "admitted"]).size().min(), 5
        )


if __name__ == "__main__":
    unittest.main()
