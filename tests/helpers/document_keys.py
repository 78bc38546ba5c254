"""The keys of documents, by docs/summary.md.

document_keys.py SUMMARY.md DOCUMENT.json… compares documents with the page.
document_keys.py SUMMARY.md prints include/kith/keys.h.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, Set

# The sections that tell what the keys of a document are, by the beginning of its name.
ANONYMIZE = ["The summary of anonymize", "Why not finer: `--explain`", "The report of measure"]
PARTY = ANONYMIZE + ["The summary of party and simulate"]
SECTIONS = {
    "anonymize": ANONYMIZE,
    "party": PARTY,
    "simulate": PARTY + ["The summary of simulate", "The documents of estimate and compare"],
    "verify": ANONYMIZE + ["The verdict of verify"],
    "measure": ANONYMIZE + ["The verdict of verify"],
    "try": ["The table of try"],
    "compare": ["The documents of estimate and compare"],
    "estimate": ["The documents of estimate and compare"],
}
# Whose documents come from calls of kith.h and joint.h.
STABLE = PARTY + ["The verdict of verify"]
# Objects whose keys are names: of columns, primitives, facts of a protocol, classes of disclosure.
NAMED = {
    "attribute_loss", "attribute_values", "attribute_levels", "cells", "levels", "calls", "paper_calls",
    "paper_calls_strict", "facts", "learned",
}
HEADING = {"kith", "command", "study"}  # of every document
NOT_SHOWN = {"ranks", "sent_bytes"}  # over MPI ranks only


def keys_of(value: Any) -> Set[str]:
    """Every key, whatever it stands in."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    found = set(value)
    for key, below in value.items():
        named = isinstance(below, dict) and key in NAMED and "holds" not in below
        found |= set().union(*map(keys_of, below.values())) if named else keys_of(below)
    return found


def words(text: str) -> Set[str]:
    """What stands between backticks, and the keys of examples."""
    quoted = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
    return set(re.findall(r"[\w-]+", " ".join(quoted))) | set(re.findall(r'"([\w-]+)"\s*:', text))


def listed(text: str) -> Set[str]:
    """Every part of the paths in the first column of a table."""
    rows = re.findall(r"^\| (`.*?`) \|", text, flags=re.M)
    return {key for row in rows for path in re.findall(r"`([^`]+)`", row) for key in re.findall(r"[\w-]+", path)} - {"NAME"}


def print_header(sections: Dict[str, str]) -> None:
    """Every key once; paths are made of them by the compiler."""
    keys = set().union(*(listed(sections[name]) for name in STABLE)) | HEADING
    print("/* Keys of the documents that calls return, as docs/summary.md lists them: KITH_KEY_LOSS \".\"")
    print(" * KITH_KEY_LM is a path. Made by tests/helpers/document_keys.py. */")
    print("#ifndef KITH_KEYS_H\n#define KITH_KEYS_H\n")
    for key in sorted(keys):
        name = key.upper().replace("-", "_")
        print(f'#define KITH_KEY_{name} "{key}"')
    print("\n#endif")


def main() -> int:
    parts = re.split(r"^##+ (.*)\n", Path(sys.argv[1]).read_text(), flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    if len(sys.argv) == 2:
        print_header(sections)
        return 0
    shown: Set[str] = set()
    faults = []
    for path in map(Path, sys.argv[2:]):
        kind = path.name.split("-")[0].split(".")[0]
        told = set().union(*(words(sections[name]) for name in SECTIONS[kind])) | HEADING
        found = keys_of(json.loads(path.read_text()))
        shown |= found
        faults += [f"{path.name}: docs/summary.md does not tell what '{key}' is" for key in sorted(found - told)]
    for name, text in sections.items():
        faults += [f"{name}: no document has '{key}'" for key in sorted(listed(text) - shown - NOT_SHOWN)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
