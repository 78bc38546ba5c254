"""What the package says about the library is what its headers say: structs, numbers of arguments, statuses."""

import ctypes
import re
import subprocess
import unittest

from kith import _library, _structs, errors
from support import ROOT

HEADERS = ROOT / "include" / "kith"


def class_name(struct):
    """kith_table_options is TableOptions here."""
    return "".join(word.capitalize() for word in struct.split("_")[1:])


def prototypes():
    """For every function of the headers the number of its parameters."""
    found = {}
    for header in HEADERS.glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for name, parameters in re.findall(r"KITH_API[^;(]*?\b(kith_\w+)\(([^)]*)\)\s*;", text):
            parameters = " ".join(parameters.split())
            found[name] = 0 if parameters in ("", "void") else parameters.count(",") + 1
    return found


class Headers(unittest.TestCase):
    def test_structs(self):
        script = str(ROOT / "tests" / "scripts" / "abi.sh")
        layout = subprocess.run(
            ["bash", script, "--layout-all", str(ROOT)], check=True, stdout=subprocess.PIPE, universal_newlines=True
        ).stdout
        checked = set()
        for line in layout.splitlines():
            struct, member, *numbers = line.split()
            kind = getattr(_structs, class_name(struct), None)
            if kind is None:  # the package does not use it
                continue
            checked.add(kind)
            if member == "=":
                self.assertEqual(ctypes.sizeof(kind), int(numbers[0]), struct)
                continue
            self.assertTrue(hasattr(kind, member), f"{struct} has a member {member}, which the package does not know")
            here = getattr(kind, member)
            self.assertEqual([here.offset, here.size], [int(number) for number in numbers], f"{struct}.{member}")
        ours = {kind for kind in vars(_structs).values() if isinstance(kind, type) and hasattr(kind, "_fields_")}
        self.assertEqual(ours - checked, set(), "no header has these structs")

    def test_numbers_of_arguments(self):
        known = prototypes()
        self.assertGreater(len(known), 50)
        for name, (_result, arguments) in _library._SIGNATURES.items():
            self.assertEqual(len(arguments), known.get(name), name)

    def test_statuses(self):
        text = re.sub(r"/\*.*?\*/", "", (HEADERS / "status.h").read_text(), flags=re.DOTALL)
        body = re.search(r"typedef enum kith_status \{(.*?)\}", text, re.DOTALL).group(1)
        names = re.findall(r"KITH_(\w+)", body)
        classes = {kind.status: kind.__name__ for kind in errors._CLASSES.values()}
        self.assertEqual(sorted(classes), list(range(1, len(names))))
        short = {"NOMEM": "NoMemory", "IO": "InputOutput"}
        for number, name in enumerate(names[1:], 1):
            self.assertEqual(classes[number], short.get(name, name.capitalize()) + "Error")


if __name__ == "__main__":
    unittest.main()
