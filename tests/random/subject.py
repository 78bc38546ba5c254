"""What a study asks of a table: which rows and columns are released, what the cells are after the study's
changes, and the hierarchy of every quasi-identifier."""

import hashlib
import math
from collections import Counter
from fractions import Fraction

import ladders
import values as v

QUASI, SENSITIVE = "quasi-identifying", "sensitive"
CHANGES = ("top", "bottom", "round")


class Subject:
    """A case as the checker sees it. Cells are texts, None where they are missing."""

    def __init__(self, case):
        self.case = case
        self.study = case["study"]
        self.columns = {c["name"]: c for c in self.study["columns"]}
        self.trim = self.study.get("trim", False)
        self.missing_texts = set(self.study.get("missing_values", [""]))
        self.policy = self.study.get("missing", "value")
        names, rows = case["table"]["names"], case["table"]["rows"]
        self.names = [self.clean(name) for name in names]
        unit = self.study.get("unit", "row")
        self.unit = [] if unit == "row" else [unit] if isinstance(unit, str) else unit
        self.joint = case.get("joint") is not None
        # A joint release has no site's separator.
        self.separator = "," if self.joint else case["form"]["separator"]
        self.released = [n for n in self.names if n in self.columns and self.is_released(self.columns[n])]
        self.quasi = [n for n in self.released if self.columns[n]["role"] == QUASI]
        self.sensitive = [n for n in self.released if self.columns[n]["role"] == SENSITIVE]
        place = {name: i for i, name in enumerate(self.names)}
        self.cells = {n: [self.cell(row[place[n]]) for row in rows] for n in self.columns if n in place}
        self.n_data = len(rows)
        self.refusal = self.find_refusal(place)
        if self.refusal is None:
            self.choose_rows()
            self.find_persons()
            self.change_values()
            self.make_ladders()

    def is_released(self, column):
        """A joint release has insensitive columns only if the study asks for them."""
        if column["role"] == "identifying":
            return "pseudonym" in column
        return column["role"] != "insensitive" or not self.joint or self.study.get("publish_insensitive", False)

    def ranges(self):
        return self.study.get("ranges", self.study.get("protocol") == "mondrian")

    def clean(self, text):
        return text.strip(v.BLANKS) if self.trim else text

    def cell(self, text):
        text = self.clean(text)
        return None if text in self.missing_texts else text

    def find_refusal(self, place):
        """Why the table does not fit the study, None if it does."""
        if not self.case["form"]["header"] and self.n_data == 0:
            return "the file is empty"
        for name, column in self.columns.items():
            if name not in place:
                if name in self.needed():
                    return f"no column {name!r}"
                continue
            for text in self.cells[name]:
                if text is not None and v.value(column, text) is None and name in self.needed():
                    return f"{text!r} is not of the type of {name!r}"
        if self.policy == "reject" and any(
                self.cells[n][i] is None and not self.is_empty(i)
                for n in self.quasi + self.sensitive for i in range(self.n_data)):
            return "a missing value is rejected"
        return None

    def needed(self):
        """Columns that are read."""
        ids = {m["id"] for m in self.study["privacy"] if "id" in m}
        return {n for n, c in self.columns.items()
                if c["role"] != "identifying" or "pseudonym" in c or n in ids or n in self.unit}

    def is_empty(self, row):
        """Has the row no value in any column that is read? Then it is no record."""
        ids = self.study.get("ids")
        read = [n for n in self.cells if n == ids or n in self.needed()]
        return len(read) > 1 and all(self.cells[n][row] is None for n in read)

    def choose_rows(self):
        looked_at = self.quasi + self.sensitive
        self.n_empty = sum(self.is_empty(i) for i in range(self.n_data))
        self.rows = [i for i in range(self.n_data) if not self.is_empty(i)
                     if self.policy != "drop" or all(self.cells[n][i] is not None for n in looked_at)]
        share = self.study.get("sample")
        self.n_released = len(self.rows)
        if share is not None and self.rows:
            self.n_released = max(1, math.floor(share * len(self.rows) + 0.5))

    def find_persons(self):
        """Whose each row of the data is; one that lacks a cell is a person of its own."""
        self.person_of = []
        for i in range(self.n_data if self.unit else 0):
            cells = [self.cells[n][i] for n in self.unit]
            self.person_of.append((None, i) if None in cells else
                                  tuple(v.value(self.columns[n], t) for n, t in zip(self.unit, cells)))

    def several_rows(self):
        return self.unit and len({self.person_of[i] for i in self.rows}) < len(self.rows)

    def change_values(self):
        """top, bottom, round and pseudonym. Rounding comes first, halves go up."""
        self.changed = {}
        for name in self.released:
            column = self.columns[name]
            if "pseudonym" in column:
                key = bytes.fromhex(self.case["files"][column["pseudonym"]]["hex"])
                self.changed[name] = [None if t is None else hashlib.blake2b(
                    t.encode(), key=key, digest_size=16).hexdigest() for t in self.cells[name]]
            else:
                self.changed[name] = [self.changed_cell(name, text) for text in self.cells[name]]

    def make_ladders(self):
        """Builders take the values of the rows that are kept; those of all of them, if a sample is
        drawn."""
        self.ladders = {}
        for name in self.quasi:
            kept = [self.changed[name][i] for i in self.rows]
            # In a sample it is not known which rows are released, and so whether one has a missing
            # value; a leaf for it that nobody needs does no harm.
            with_missing = self.policy == "value" and None in kept
            try:
                self.ladders[name] = ladders.Ladder(self.columns[name], {t for t in kept if t is not None},
                                                    with_missing, self.case["files"], self.policy == "wildcard", self.joint)
            except ladders.Refused as why:
                self.refusal = f"column {name!r}: {why}"
                return

    def people(self, path):
        """How often each combination of quasi-identifiers occurs in a population."""
        table = self.case["files"][path]
        place = [[self.clean(n) for n in table["names"]].index(name) for name in self.quasi]
        return Counter(tuple(self.changed_cell(name, self.cell(row[i])) for name, i in zip(self.quasi, place))
                       for row in table["rows"])

    def changed_cell(self, name, text):
        """What the study makes of a number."""
        column = self.columns[name]
        if text is None or not any(key in column for key in CHANGES):
            return text
        return v.number_text(change(column, text))

    def signatures(self, model):
        """For the rows of the data the values of the class in which the person was last released; a
        suppressed record has no class."""
        name = model.get("attribute", self.sensitive[0] if self.sensitive else None)
        if name not in self.columns:
            return {}
        column, latest = self.columns[name], {}
        for path in model.get("previous", []):
            table = self.case["files"][path]
            place = {name: i for i, name in enumerate(table["names"])}
            of_class = {}
            for row in table["rows"]:
                text = row[place[column["name"]]]
                of_class.setdefault(row[place["_kith_class"]], set()).add(
                    None if text == "" else v.value(column, text))
            for row in table["rows"]:
                person, number = row[place[model["id"]]], row[place["_kith_class"]]
                if person != "" and number != "":
                    latest[person] = of_class[number]
        if not latest:
            return {}
        return {i: latest[t] for i, t in enumerate(self.cells[model["id"]]) if t in latest}

    def bounds(self, name):
        """The lowest and the highest level that a release may show of a column."""
        top = self.ladders[name].n_levels - 1
        if "levels" in self.study:
            level = self.study["levels"].get(name, 0)
            return level, level
        column = self.columns[name]
        coarse = self.study.get("pregeneralize", {}).get(name, 0)
        return column.get("min_level", coarse), column.get("max_level", top)

    def places(self, name):
        """Where each leaf of a column stands in the order behind ranges: by value, or by the hierarchy.
        A leaf that is no value of the column's type comes last."""
        ladder, column = self.ladders[name], self.columns[name]
        leaves = [path[0] for path in ladder.paths]
        if self.study.get("order", "value") == "value":
            numeric = column.get("type", "string") != "string"

            def key(leaf):
                if not numeric:
                    return (0, leaf.encode())
                number = ladder.leaf_value(leaf)
                return (math.inf if number is None else number, leaf.encode())
            leaves.sort(key=key)
        return {leaf: place for place, leaf in enumerate(leaves)}

    def may_suppress(self, n_rows):
        if self.study.get("protocol") == "id-based":
            return n_rows
        return math.floor(self.study.get("utility", {}).get("suppression", 0) * n_rows)

    def algorithm(self):
        """The study's algorithm, or its default (docs/study.md)."""
        if "algorithm" in self.study:
            return self.study["algorithm"]
        utility = self.study.get("utility", {})
        measure, suppression = utility.get("measure", "lm"), utility.get("suppression", 0)
        if measure in ("dm", "arx-loss") or "levels" in self.study:
            return "flash"
        if measure in ("pmi", "wmi"):
            return "sequential"
        return "flash" if measure in ("entropy", "mi") and suppression > 0 else "weave"


def change(column, text):
    number = v.value(column, text)
    whole = column["type"] == "integer"
    if "round" in column:
        step = Fraction(repr(column["round"])) if isinstance(column["round"], float) else column["round"]
        # A half is one of the number as it is written: the double of 0.95 is a little less.
        steps = math.floor(Fraction(v.number_text(number)) / step + Fraction(1, 2))
        number = steps * step
        number = int(number) if whole else float(number)
    if "top" in column:
        number = min(number, column["top"] if whole else float(column["top"]))
    if "bottom" in column:
        number = max(number, column["bottom"] if whole else float(column["bottom"]))
    return number
