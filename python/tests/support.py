"""What the tests share: the program, a hospital's data, and a directory of their own."""

from __future__ import annotations

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]

PEOPLE_STUDY = """\
study: people
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
"""

PEOPLE: Dict[str, List[Any]] = {
    "name": ["Ada", "Ben", "Cem", "Dee", "Eva", "Fay", "Gus", "Hal"],
    "age": [21, 23, 24, 41, 44, 47, 45, 22],
    "zip": ["81667", "81669", "81661", "90402", "90403", "90408", "90402", "81662"],
    "disease": ["flu", "cold", "flu", "gout", "flu", "cold", None, "flu"],
}


def program(*arguments: str, directory: Any = None) -> str:
    """Runs the kith of this build, and returns what it prints."""
    kith = os.environ["KITH_PROGRAM"]
    return subprocess.run(
        [kith, *arguments], cwd=directory, check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout


def rows_of(path: Path) -> List[List[str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


class DirectoryCase(unittest.TestCase):
    """A test with files in a directory that is removed."""

    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.directory = Path(held.name)

    def generate(self, profile: str, records: int) -> Path:
        data = self.directory / f"{profile}.csv"
        program("generate", profile, "-n", str(records), "--seed", "7", "-o", str(data))
        return data
