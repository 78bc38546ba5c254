"""Hierarchies as docs/hierarchies.md describes them: for every value the labels from the value itself
up to the root, and for every label the set of values that it stands for.

A ladder is made from the study's words and the values of the column alone. It is written from the
documents, so that a release is judged by what is promised and not by what the engine does.
"""

import datetime
from fractions import Fraction

import values as v

MAX_LEVELS = 64


class Refused(Exception):
    """The documents say that such a hierarchy is refused."""


def exact(number):
    """A number of the study or of the data as it is written: 0.1 is a tenth."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def interval_label(low, width, column):
    if column["type"] == "decimal":
        comma = column.get("decimal") == "comma"
        ends = [bound_text(low), bound_text(low + width)]
        if comma:
            ends = [end.replace(".", ",") for end in ends]
        return f"[{ends[0]}{';' if comma else ','} {ends[1]})"
    if width == 1:
        return str(low)
    return f"{low} to {low + width - 1}" if low < 0 else f"{low}-{low + width - 1}"


def bound_text(bound):
    """A decimal fraction without trailing zeros."""
    digits = 0
    while (bound * 10 ** digits).denominator != 1:
        digits += 1
    size = abs(bound * 10 ** digits)
    text = str(size).rjust(digits + 1, "0")
    if digits > 0:
        text = text[:-digits] + "." + text[-digits:]
    return ("-" if bound < 0 else "") + text


def interval_labels(text, column, spec):
    number = v.value(column, text)
    number = exact(number)
    widths = [exact(w) for w in spec["intervals"]]
    origin = exact(spec.get("origin", 0))
    if spec.get("snap", False):
        origin = origin // widths[0] * widths[0]
    labels = []
    for width in widths:
        low = (number - origin) // width * width + origin
        labels.append(interval_label(low, width, column))
    return labels


def date_label(seconds, unit, with_day):
    moment = v.EPOCH + datetime.timedelta(seconds=seconds)
    day = f"{moment.year:04}-{moment.month:02}-{moment.day:02}"
    if unit == "minute":
        return (day + " " if with_day else "") + f"{moment.hour:02}:{moment.minute:02}"
    if unit == "hour":
        return (day + " " if with_day else "") + f"{moment.hour:02}:00-{moment.hour:02}:59"
    if unit == "day":
        return day
    if unit == "week":
        year, week, _ = moment.isocalendar()
        return f"{year:04}-W{week:02}"
    return {"month": f"{moment.year:04}-{moment.month:02}",
            "quarter": f"{moment.year:04}-Q{(moment.month + 2) // 3}",
            "year": f"{moment.year:04}",
            "decade": f"{moment.year // 10 * 10:04}s"}[unit]


def mask_labels(text, longest, spec):
    character = spec.get("character", "*")
    labels = []
    for level in range(1, longest):
        shown = longest - level
        if len(text) < shown:
            labels.append(text)
        elif spec["mask"] == "left":
            labels.append(character * level + (text[len(text) - shown:]))
        else:
            labels.append(text[:shown] + character * level)
    return labels


def order_labels(leaves, sizes):
    """For every leaf the labels of its groups; leaves are in order."""
    labels = [[] for _ in leaves]
    for size in sizes:
        known = set()
        for first in range(0, len(leaves), size):
            group = leaves[first:first + size]
            label = group[0] if len(group) == 1 else f"{group[0]}..{group[-1]}"
            if label in known:
                raise Refused(f"{label!r} would be the label of two groups")
            known.add(label)
            for place in range(first, first + len(group)):
                labels[place].append(label)
    return labels


def range_leaves(column, spec, texts):
    """All values of a range, as the data writes them. One that the data writes in several ways has a leaf
    for each, unless a level above shows single values: then it has one, in the plain form."""
    low, high = column["domain"]["range"]
    if column["type"] == "integer":
        plain = {number: str(number) for number in range(low, high + 1)}
    else:
        first = datetime.datetime.fromisoformat(low)
        days = (datetime.datetime.fromisoformat(high) - first).days
        plain = {}
        for day in range(days + 1):
            moment = first + datetime.timedelta(days=day)
            plain[int((moment - v.EPOCH).total_seconds())] = date_text(moment, column.get("format"))
    own = {}
    for text in texts:
        own.setdefault(v.value(column, text), []).append(text)
    single = isinstance(spec, dict) and (
        spec.get("intervals", [0])[0] == 1 or spec.get("dates", [""])[0] in ("minute", "hour", "day"))
    leaves = []
    for value, text in plain.items():
        there = own.get(value, [text])
        leaves += [text] if single and len(there) > 1 else there
    return leaves


def date_text(moment, form):
    """A day in the column's format; YYYY-MM-DD if the format cannot say it."""
    if form is not None:
        text = moment.strftime(form)
        if v.seconds_of(text, form) == int((moment - v.EPOCH).total_seconds()):
            return text
    return moment.date().isoformat()


def numbered(paths):
    """Leaves are numbered group by group, and groups in the order in which they appear."""
    seen = {}

    def place(path):
        return tuple(seen.setdefault(path[level:], len(seen)) for level in range(len(path) - 1, -1, -1))
    return [path for _, path in sorted((place(path), path) for path in paths)]


def file_of(column):
    """The name of the column's hierarchy file, None if it is built."""
    spec = column.get("hierarchy", "suppress")
    return spec.get("file") if isinstance(spec, dict) else spec if spec != "suppress" else None


class Ladder:
    """The hierarchy of one column.

    paths   for every leaf its labels, level 0 first, the root last
    leaf    from the text of a value (None: missing) to its leaf
    sets    for every label the leaves that it stands for
    root    the root's label
    """

    def __init__(self, column, texts, with_missing, files, wildcard=False, joint=False):
        """texts: the different values of the column that are kept, missing ones left out.
        with_missing: missing values are a value of their own, and there is one.
        wildcard: missing values are the root, wherever a file would place them.
        joint: files and ranges keep their labels, since all parties must have the same tree."""
        self.column, self.joint = column, joint
        spec = column.get("hierarchy", "suppress")
        self.ranged = isinstance(column.get("domain"), dict)
        self.in_file = file_of(column) is not None
        texts = sorted(texts, key=lambda t: v.order(column, t))
        if self.in_file:
            self.read_file(files[file_of(column)]["rows"])
        else:
            self.build(spec, range_leaves(column, spec, [] if joint else texts) if self.ranged else texts)
        self.find_leaves(texts)
        self.add_missing(with_missing, wildcard)
        self.collect_sets()

    def build(self, spec, leaves):
        self.root = "*"
        if spec == "suppress":
            middle = [[] for _ in leaves]
        elif "intervals" in spec:
            middle = [interval_labels(leaf, self.column, spec) for leaf in leaves]
        elif "dates" in spec:
            seconds = [self.leaf_value(leaf) for leaf in leaves]
            with_day = v.has_date(self.column.get("format")) or self.ranged
            middle = [[date_label(s, unit, with_day) for unit in spec["dates"]] for s in seconds]
        elif "mask" in spec:
            longest = max([1] + [len(leaf) for leaf in leaves])
            if longest > MAX_LEVELS - 1:
                raise Refused("a value is too long for a mask")
            middle = [mask_labels(leaf, longest, spec) for leaf in leaves]
        else:
            middle = order_labels(leaves, spec["order"])
        self.n_levels = len(middle[0]) + 2 if middle else self.empty_levels(spec)
        self.paths = numbered([(leaf, *labels, "*") for leaf, labels in zip(leaves, middle)])

    def leaf_value(self, label):
        """The value of a leaf's label: a date is written as in the column, or as YYYY-MM-DD."""
        found = v.value(self.column, label)
        if found is None and self.column.get("type") == "date":
            found = v.seconds_of(label, None)
        return found

    @staticmethod
    def empty_levels(spec):
        """Levels of a hierarchy for a column without any value."""
        if spec == "suppress" or "mask" in spec:
            return 2
        return 2 + len(next(value for key, value in spec.items()
                            if key in ("intervals", "dates", "order")))

    def read_file(self, rows):
        self.rows = list(dict.fromkeys(tuple(row) for row in rows))
        self.paths = numbered(self.rows)
        self.root = self.paths[0][-1]
        self.n_levels = len(self.paths[0])

    def find_leaves(self, texts):
        """A value has the leaf of its text; in columns of numbers and dates, failing that, the first
        leaf of its value."""
        self.index_leaves()
        if self.in_file and self.column.get("domain") == "data":
            kept = {self.paths[leaf] for leaf in map(self.find, texts) if leaf is not None}
            # In the order of the whole file: which group comes first does not depend on what is kept.
            self.paths = [path for path in self.paths if path in kept or path[0] == ""]
            self.index_leaves()
        if self.in_file and self.column.get("type", "string") != "string" and not self.joint:
            self.take_texts(texts)
        self.leaf = {}
        for text in texts:
            leaf = self.find(text)
            if leaf is None:
                raise Refused(f"{text!r} is not in the hierarchy")
            self.leaf[text] = leaf

    def index_leaves(self):
        self.by_text = {path[0]: leaf for leaf, path in reversed(list(enumerate(self.paths)))}
        self.by_value = {}
        if self.column.get("type", "string") != "string":
            for leaf, path in enumerate(self.paths):
                key = self.leaf_value(path[0])
                if key is not None and path[0] != "":
                    self.by_value.setdefault(key, leaf)

    def take_texts(self, texts):
        """Leaves of a file get the texts of the data: instead of their own label, or beside it if that is
        a text of the data, too. The file's label stays where a label would stand for two sets."""
        labels = {label for path in self.paths for label in path}
        own = {}
        for text in texts:
            leaf = self.find(text)
            if leaf is not None and text not in labels:
                own.setdefault(leaf, []).append(text)
        paths = []
        for leaf, path in enumerate(self.paths):
            there = [path[0]] if path[0] in texts else []
            there += own.get(leaf, [])
            if not there or len(there) > 1 and path[0] in path[1:]:
                there = [path[0]]
            paths += [(text, *path[1:]) for text in there]
        self.paths = paths
        self.index_leaves()

    def find(self, text):
        """The leaf of any text, None if the hierarchy has none."""
        if text in self.by_text:
            return self.by_text[text]
        if not self.by_value:
            return None
        key = v.value(self.column, text)
        return None if key is None else self.by_value.get(key)

    def add_missing(self, with_missing, wildcard):
        """Where missing cells are a value, one without a place in the file gets a leaf that is empty at
        all levels below the root."""
        self.missing = self.by_text.get("") if self.in_file and not wildcard else None
        if with_missing and self.missing is None:
            self.missing = len(self.paths)
            self.paths.append(("",) * (self.n_levels - 1) + (self.root,))
        self.leaf[None] = self.missing

    def collect_sets(self):
        per_level = [{} for _ in range(self.n_levels)]
        for leaf, path in enumerate(self.paths):
            for level, label in enumerate(path):
                per_level[level].setdefault(label, set()).add(leaf)
        self.sets = {}
        for labels in per_level:
            for label, leaves in labels.items():
                if self.sets.setdefault(label, leaves) != leaves:
                    raise Refused(f"{label!r} stands for two sets")

    def path(self, text):
        """Labels that may stand for a text of the data; a missing one without a leaf has the root."""
        leaf = self.leaf[text]
        return (self.root,) if leaf is None else self.paths[leaf]

    def holds(self, label, text):
        """Does a label stand for a value of the data?"""
        if label == "*" and "*" not in self.sets:
            return True
        leaf = self.leaf[text]
        if leaf is None:
            return label == self.root
        return leaf in self.sets.get(label, ())
