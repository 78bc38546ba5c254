"""The examples of docs/python.md give what the page says."""

import doctest
import os
import re
import unittest

import pandas

from support import ROOT, DirectoryCase

GUIDE = ROOT / "docs" / "python.md"


class Guide(DirectoryCase):
    def test_examples(self):
        before = os.getcwd()
        os.chdir(self.directory)
        self.addCleanup(os.chdir, before)
        parser, names = doctest.DocTestParser(), {}
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        text = GUIDE.read_text(encoding="utf-8")
        blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
        self.assertGreater(len(blocks), 5)
        said = []
        with pandas.option_context("display.width", 120):
            for block in blocks:
                line = text[: block.start(1)].count("\n")
                example = parser.get_doctest(block.group(1), names, "docs/python.md", str(GUIDE), line)
                runner.run(example, out=said.append, clear_globs=False)
                names = example.globs
        self.assertEqual(runner.failures, 0, "".join(said))

    def test_every_name_has_a_docstring(self):
        import kith

        for name in kith.__all__:
            self.assertTrue(getattr(kith, name).__doc__, f"{name} has no docstring")


if __name__ == "__main__":
    unittest.main()
