"""Compares the numbers of messages in a protocol's page with those in its code: message_numbers.py SOURCE PAGE.md…

The section "Messages" of a page names places under src and has a row for every number: | 3 | … | `view.list`, `sum_masked` |.
In these places a comment, "message 3" or "messages 3, 7", stands beside every type of message and every call of a secure
primitive, or in the line above."""

import pathlib
import re
import sys

NUMBERS = re.compile(r"/\* messages? ([0-9, ]+) \*/")
TYPE = re.compile(r'\{"([a-z_]+\.[a-z_]+)", DISCLOSE_')


def primitives(source):
    """Calls in which all parties take part: functions of src/smc that take a party, but for those that send for them."""
    found = set()
    for header in (source / "src" / "smc").rglob("*.h"):
        for name in re.findall(r"^kith_status (\w+)\([^;]*\bparty \*", header.read_text(), re.MULTILINE):
            if not name.startswith(("smc_", "gmw_", "ot_", "commute_", "pair_")):
                found.add(name)
    return found


def told(page):
    """What a page says: (number, name) pairs, and the places of the code."""
    section = re.search(r"^## Messages\n(.*?)(?=^## |\Z)", page.read_text(), re.MULTILINE | re.DOTALL)
    if section is None:
        sys.exit(f"{page.name} has no section Messages")
    pairs = set()
    for number, names in re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", section[1], re.MULTILINE):
        pairs |= {(int(number), name) for name in re.findall(r"`([\w.]+)`", names)}
    return pairs, re.findall(r"`(src/[\w/.]+)`", section[1])


def numbered(path, calls):
    """What the code says. A type or call without a number has number None."""
    pairs, above = set(), None
    for line in path.read_text().splitlines():
        comment = NUMBERS.search(line)
        here = comment or above
        names = TYPE.findall(line)
        if line.startswith(" "):  # otherwise it is a definition
            names += [name for name in re.findall(r"\b(\w+)\(", line) if name in calls]
        for name in names:
            for number in here[1].split(",") if here else [None]:
                pairs.add((number and int(number), name))
        above = comment if not names else None
    return pairs


def main():
    source = pathlib.Path(sys.argv[1])
    shared = primitives(source)
    faults = []
    for page in map(pathlib.Path, sys.argv[2:]):
        said, places = told(page)
        calls = shared | {name for _, name in said if "." not in name}
        found = set()
        for place in places:
            files = [source / place] if place.endswith(".c") else sorted((source / place).glob("*.c"))
            if not files:
                faults.append(f"{page.name}: there is no code in {place}")
            for path in files:
                found |= numbered(path, calls)
        faults += [f"{page.name}: {name} has no number in the code" for number, name in sorted(found, key=str) if number is None]
        faults += [f"{page.name}: message {number} is no {name} in the code" for number, name in sorted(said - found)]
        faults += [f"the code has message {number}, {name}, and {page.name} has not"
                   for number, name in sorted((pair for pair in found - said if pair[0] is not None))]
        if len(said) < 9:
            faults.append(f"{page.name}: only {len(said)} messages were found")
    print("\n".join(faults) or f"{len(sys.argv) - 2} pages number messages as the code does")
    sys.exit(1 if faults else 0)


main()
