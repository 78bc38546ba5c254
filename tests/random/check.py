"""The checker: is a release what its study promises?

It reads the release as text and the case as it was drawn. Findings are pairs of a kind and a sentence; a
kind says what was broken, so that a smaller case can be asked whether it breaks the same.
"""

import math

import matching
import means
import values as v
from judge import Judge
from subject import CHANGES
from texts import BadText, read_release

LATTICE = ("flash", "ola", "incognito", "breadth-first", "depth-first", "datafly")
# Above this many pairs of record and class no matching is looked for.
MAX_PAIRS = 400000


class Release:
    """A release, read. `findings` lists what is wrong with it; `doubtful` is true if a bound is met only
    up to rounding, so that the engine may see it otherwise."""

    def __init__(self, subject, text, shuffled=False, records=None):
        """`records`: the rows of the data that the rows are made from, by a mapping."""
        self.subject = subject
        self.records = records
        self.findings = []
        self.doubtful = False
        self.worst = []
        try:
            self.names, self.rows = read_release(text, subject.separator)
        except BadText as why:
            self.findings.append(("form", str(why)))
            return
        self.check_columns()
        if any(name not in self.names for name in subject.released):
            return
        self.as_maps()
        self.means = {n: means.Means(subject, n) for n in subject.quasi if means.wanted(subject.columns[n])}
        self.find_classes()
        self.check_cover(shuffled)
        self.check_means(shuffled)
        self.check_levels()
        self.check_models()

    def say(self, kind, text):
        self.findings.append((kind, text))

    def check_columns(self):
        for name in self.names:
            if name not in self.subject.released:
                self.say("columns", f"column {name!r} must not be released")
        for name in self.subject.released:
            if name not in self.names:
                self.say("columns", f"column {name!r} is not released")
        if not self.findings and self.names != self.subject.released and not self.subject.joint:
            self.say("order of columns", f"{self.names} instead of {self.subject.released}")

    def as_maps(self):
        self.maps = [dict(zip(self.names, row)) for row in self.rows]

    def shows_root(self, row, star):
        for name in self.subject.quasi:
            ladder = self.subject.ladders[name]
            if row[name] == ladder.root:
                continue
            if not (star and row[name] == "*" and "*" not in ladder.sets):
                return False
        return True

    def find_classes(self):
        """Rows with equal texts in all quasi-identifiers; those at the root are suppressed while they
        are few enough."""
        classes = {}
        for i, row in enumerate(self.maps):
            classes.setdefault(tuple(row[n] for n in self.subject.quasi), []).append(i)
        self.suppressed = []
        allowed = self.subject.may_suppress(len(self.maps))
        for star in (False, True):
            found = [cells for cells, members in classes.items()
                     if self.shows_root(self.maps[members[0]], star)]
            if found and allowed > 0:
                if len(classes[found[0]]) <= allowed:
                    self.suppressed = classes.pop(found[0])
                break
        self.classes = list(classes.values())

    def is_sorted(self):
        """By the bytes of the cells, column by column; empty ones come last."""
        keys = [[(cell == "", cell.encode()) for cell in row] for row in self.rows]
        return all(one <= other for one, other in zip(keys, keys[1:]))

    def check_cover(self, shuffled):
        """Every row stands for a record of its own: row by row, or by some assignment."""
        subject = self.subject
        self.in_order = False
        if len(self.rows) != subject.n_released:
            self.say("rows", f"{len(self.rows)} rows instead of {subject.n_released}")
            return
        wrong, records = None, self.records
        if records is None and len(subject.rows) == subject.n_released:
            records = subject.rows
        if records is not None:
            wrong = next((w for w in (self.wrong_cell(row, i)
                                      for row, i in zip(self.maps, records)) if w), None)
            self.in_order = wrong is None and records == subject.rows
        if self.in_order or self.records is not None and wrong is None:
            return
        if self.records is not None:
            self.say("cover", wrong)
            return
        if wrong is not None and not shuffled:
            self.say("order", wrong)
        answer = self.can_be_assigned()
        if answer is None:
            self.doubtful = True
        elif not answer:
            self.say("cover", wrong or "no assignment of the rows to records of the data")

    def wrong_cell(self, row, i):
        """Why a row cannot be about record i, None if it can."""
        subject = self.subject
        for name in subject.released:
            text = subject.changed[name][i]
            if name in subject.ladders:
                if not self.covers(name, row[name], text):
                    return f"{row[name]!r} does not stand for {text!r} (column {name!r}, record {i + 1})"
            elif not self.same(name, row[name], text):
                return f"{row[name]!r} instead of {text!r} (column {name!r}, record {i + 1})"
        return None

    def same(self, name, cell, text):
        """Cells that are not generalized keep their text; numbers that the study changes keep their
        value."""
        text = "" if text is None else text
        if cell == text or not self.by_value(name):
            return cell == text
        column = self.subject.columns[name]
        return cell != "" and text != "" and v.value(column, cell) == v.value(column, text)

    def by_value(self, name):
        """Numbers that the study changes; and sensitive cells of an encrypted view, whose master cannot
        tell that two texts are equal."""
        subject = self.subject
        return any(k in subject.columns[name] for k in CHANGES) or (
            subject.study.get("protocol") == "encrypted-view" and name in subject.sensitive)

    def covers(self, name, label, text):
        """A mean may stand for any value: its class is looked at later."""
        if name in self.means and text is not None and self.means[name].has_form(label):
            return True
        return self.stands_for(name, label, text)

    def stands_for(self, name, label, text):
        ladder = self.subject.ladders[name]
        if ladder.holds(label, text):
            return True
        return self.subject.ranges() and self.in_range(name, label, text)

    def in_range(self, name, label, text):
        """Is a value inside a range min..max? Both ends are values of the data or labels of leaves."""
        place = self.subject.places(name)
        if text is None or label in self.subject.ladders[name].sets:
            return False
        here = place.get(self.subject.ladders[name].path(text)[0])
        at = label.find("..")
        while at >= 0:
            low, high = place.get(label[:at]), place.get(label[at + 2:])
            if low is not None and high is not None and low <= here <= high:
                return True
            at = label.find("..", at + 1)
        return False

    def can_be_assigned(self):
        """True, False, or None if there are too many pairs to look at."""
        subject = self.subject
        plain = [n for n in subject.released if n not in subject.ladders]
        places, buckets = {}, {}
        for row in self.maps:
            whole = tuple(row[n] for n in subject.released)
            places[whole] = places.get(whole, 0) + 1
        room = list(places.values())
        for number, whole in enumerate(places):
            row = dict(zip(subject.released, whole))
            buckets.setdefault(self.plain_key(plain, row), []).append((number, row))
        records = [(i, buckets.get(self.plain_key(plain, {n: subject.changed[n][i] for n in plain}), ()))
                   for i in subject.rows]
        if sum(len(candidates) for _, candidates in records) > MAX_PAIRS:
            return None
        fits = [[number for number, row in candidates if self.wrong_cell(row, i) is None]
                for i, candidates in records]
        return matching.perfect(fits, room)

    def plain_key(self, plain, row):
        """Equal for cells that may stand for each other."""
        key = []
        for name in plain:
            column, text = self.subject.columns[name], row[name]
            key.append(v.value(column, text) if self.by_value(name) and text else text or "")
        return tuple(key)

    def check_means(self, shuffled):
        """Exact where the records of a class are known. Where they are not what their order says, they may be others:
        a mean has no values of its own by which one could tell."""
        for name in self.means:
            wrong = means.wrong_mean(self, name) if self.in_order else None
            if wrong is not None and not shuffled:
                self.say("means", wrong)
            if wrong is not None or not self.in_order:
                self.in_order = False
                self.doubtful = True
                return

    def check_levels(self):
        """A cell stands for all values below its node at the lowest level, and for none outside that at
        the highest: whichever of its values the record has. Suppressed rows are free."""
        subject = self.subject
        for name in subject.quasi:
            hidden = set(self.suppressed) | self.rows_with_means(name)
            low, high = subject.bounds(name)
            ladder = subject.ladders[name]
            if low == 0 and high == ladder.n_levels - 1:
                continue
            for i, row in enumerate(self.maps):
                shown = ladder.sets.get(row[name], ladder.sets[ladder.root] if row[name] == "*" else None)
                if i in hidden or shown is None:
                    continue
                path = ladder.paths[min(shown)]
                if not ladder.sets[path[low]] <= shown <= ladder.sets[path[high]]:
                    self.say("levels", f"{row[name]!r} is not between level {low} and {high} "
                                       f"(column {name!r}, row {i + 1})")
                    return

    def rows_with_means(self, name):
        if name not in self.means or not self.in_order:
            return set(range(len(self.maps))) if name in self.means else set()
        return {i for members in self.classes if means.shows_mean(self, name, members) for i in members}

    def check_models(self):
        classes = self.classes
        if self.suppressed and self.subject.study.get("protocol") == "id-based":
            classes = classes + [self.suppressed]  # they hide among each other
        judge = Judge(self.subject, self.maps, classes, self.in_order, self.records)
        self.persons = judge.person
        for model in self.subject.study["privacy"]:
            strict, loose, worst = judge.verdict(model)
            self.worst.append(worst)
            if not loose:
                self.say(f"model {model['model']}", f"{model} does not hold (worst: {worst})")
            elif not strict:
                self.doubtful = True
        self.intersections = judge.intersections()
        if self.subject.study.get("intersections") == "refuse":
            for name, (needed, persons) in self.intersections.items():
                if persons > 0:
                    self.say("model intersections", f"{persons} persons are left with fewer than {needed} values of {name!r}")

    def check_recoding(self):
        """How the algorithm's classes look: one level per column, a cut, or closures."""
        subject = self.subject
        if not self.in_order:
            return
        algorithm = subject.algorithm()
        for name in subject.quasi:
            self.check_no_root(name)
            if subject.ranges():
                self.check_closest_range(name)
            elif algorithm in LATTICE:
                self.check_one_level(name)
            elif algorithm == "top-down":
                self.check_cut(name)
            elif subject.bounds(name)[0] == 0:
                self.check_closures(name)

    def check_no_root(self, name):
        """Only suppressed rows show the root where there is a mean."""
        for members in self.classes:
            texts = [self.subject.changed[name][self.subject.rows[i]] for i in members]
            if name in self.means and None not in texts and not means.shows_mean(self, name, members) and not (
                    self.shows_root(self.maps[members[0]], True)):
                self.say("means", f"no mean of {texts[:9]} (column {name!r})")
                return

    def shown(self, name):
        """(class, label, path) of every row that is in a class, shows a label, and whose value has a leaf."""
        ladder = self.subject.ladders[name]
        for number, members in enumerate(self.classes):
            if means.shows_mean(self, name, members):
                continue
            for i in members:
                text = self.subject.changed[name][self.subject.rows[i]]
                if ladder.leaf[text] is not None:
                    yield number, self.maps[i][name], ladder.path(text)

    def check_one_level(self, name):
        """Rows at the root throughout may have been suppressed, also where records without any value make
        them too many to count as such."""
        ladder = self.subject.ladders[name]
        may_hide = self.subject.may_suppress(len(self.maps)) > 0
        at_root = {number for number, members in enumerate(self.classes)
                   if may_hide and self.shows_root(self.maps[members[0]], True)}
        rows = [shown for shown in self.shown(name) if shown[0] not in at_root]
        if not any(all(label == path[level] for _, label, path in rows)
                   for level in range(ladder.n_levels)):
            self.say("global recoding", f"column {name!r} is not on one level")

    def check_cut(self, name):
        sets = [self.subject.ladders[name].sets[label] for label in {s[1] for s in self.shown(name)}]
        for i, one in enumerate(sets):
            if any(one & other and one != other for other in sets[:i]):
                self.say("global recoding", f"column {name!r} is not a cut through its hierarchy")
                return

    def check_closures(self, name):
        """A class shows the lowest node that covers all of its records."""
        ladder = self.subject.ladders[name]
        lowest = {}
        wild = {number for number, members in enumerate(self.classes) for i in members
                if ladder.leaf[self.subject.changed[name][self.subject.rows[i]]] is None}
        for number, label, path in self.shown(name):
            known = lowest.setdefault(number, (label, path))
            level = next(i for i in range(len(path)) if path[i:] == known[1][len(known[1]) - len(path) + i:])
            lowest[number] = (label, path[level:])
        for number, (label, path) in lowest.items():
            best = ladder.root if number in wild else path[0]
            if ladder.sets.get(label) != ladder.sets[best]:
                self.say("closure", f"{label!r} instead of {best!r} (column {name!r})")
                return

    def check_closest_range(self, name):
        """A class shows its smallest and its largest value."""
        place = self.subject.places(name)
        ladder = self.subject.ladders[name]
        for members in self.classes:
            if means.shows_mean(self, name, members):
                continue
            texts = [self.subject.changed[name][self.subject.rows[i]] for i in members]
            label = self.maps[members[0]][name]
            if all(t is None for t in texts) and self.subject.policy == "value":
                best = ""
            elif None in texts:
                best = ladder.root
            else:
                ends = sorted((ladder.path(t)[0] for t in texts), key=lambda leaf: place[leaf])
                best = ends[0] if ends[0] == ends[-1] else f"{ends[0]}..{ends[-1]}"
            if label != best:
                self.say("closure", f"{label!r} instead of {best!r} (column {name!r})")
                return

    def figures(self):
        """Numbers that the summary must have."""
        n = len(self.rows)
        sizes = [len(members) for members in self.classes]
        return {"records": n, "classes": len(sizes), "suppressed": len(self.suppressed),
                "smallest_class": min(sizes, default=0), "dropped": self.subject.n_data - len(self.subject.rows) - self.subject.n_empty,
                "empty": self.subject.n_empty,
                "dm": sum(s * s for s in sizes) + n * len(self.suppressed),
                "lm": self.lm() if self.in_order else None}

    def persons_of_classes(self):
        """What the summary says where models count persons."""
        return {"persons": len(set(self.persons)),
                "smallest_class_persons": min((len({self.persons[i] for i in c}) for c in self.classes), default=0)}

    def lm(self):
        """Mean over all cells of (values of the node - 1) / (values - 1)."""
        subject, total = self.subject, 0.0
        for name in subject.quasi:
            ladder = subject.ladders[name]
            size = len(ladder.paths)
            behind = self.nodes_behind_means(name)
            for place, (row, i) in enumerate(zip(self.maps, subject.rows)):
                if ladder.leaf[subject.changed[name][i]] is None or size <= 1:
                    continue  # a wildcard from the start costs nothing
                shown = behind.get(place, ladder.sets.get(row[name]))
                if shown is None:
                    return None  # a range
                total += (len(shown) - 1) / (size - 1)
        cells = len(self.rows) * len(subject.quasi)
        return total / cells if cells else None

    def nodes_behind_means(self, name):
        """For every row that shows a mean the lowest node above the values of its class; with ranges it is
        not worked out."""
        subject, ladder, behind = self.subject, self.subject.ladders[name], {}
        for members in self.classes:
            if means.shows_mean(self, name, members):
                paths = [ladder.path(subject.changed[name][subject.rows[i]]) for i in members]
                level = next(level for level in range(len(paths[0])) if len({p[level:] for p in paths}) == 1)
                node = None if subject.ranges() else ladder.sets[paths[0][level]]
                behind.update(dict.fromkeys(members, node))
        return behind


def differs(a, b):
    return a is not None and b is not None and not math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)
