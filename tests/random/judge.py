"""Privacy models, from the definitions in docs/models.md, on the texts of a release.

A verdict is a pair: does the model hold by the letter, and does it hold if every comparison of fractions
and logarithms is given a little room? Where both differ, a bound is met up to rounding, and the engine
may say either.
"""

import itertools
import math
from collections import Counter

import ladders
import reading
import values as v

ROOM = 1e-6


def both(low, high):
    """Is low at most high, by the letter and with room?"""
    return (low <= high, low <= high + ROOM)


class Judge:
    """Judges the classes of a release. `rows` are its rows as mappings from names to texts; the
    suppressed ones are in no class, but they count in the distribution of the whole table."""

    def __init__(self, subject, rows, classes, in_order=True, records=None):
        """`records`: the row of the data that each row is made from; by default those that are kept, in order."""
        self.subject = subject
        self.rows = rows
        self.classes = classes
        self.in_order = in_order
        self.known = {}
        if records is None and in_order and len(rows) == len(subject.rows):
            records = subject.rows
        # Whose the rows are, if persons count; models cannot be judged where that is not known.
        self.person = [subject.person_of[i] for i in records] if subject.unit and records is not None else None
        self.unknown = bool(subject.unit) and self.person is None
        self.n = len(rows) if self.person is None else len(set(self.person))

    def verdict(self, model):
        """(holds by the letter, holds with room, the worst value or None)."""
        name = model["model"].replace("-", "_")
        judge = getattr(self, name, None)
        if judge is None or self.unknown and name != "k_map":
            return True, True, None
        if self.by_class(model):
            self.prepare(model)
            answers = [judge(model, members) for members in self.classes]
        else:
            answers = judge(model)
        largest = name in LARGEST or model.get("variant") == "recursive"
        worst = (max if largest else min)((a[2] for a in answers), default=None)
        return all(a[0] for a in answers), all(a[1] for a in answers), worst

    @staticmethod
    def by_class(model):
        return model["model"] not in ("lkc", "k-map")

    def attribute(self, model):
        if "subset" in model:
            return model["subset"]["column"]
        return model.get("attribute", self.subject.sensitive[0] if self.subject.sensitive else None)

    def key(self, name, text):
        """The value of a sensitive cell; an empty cell is missing, whatever the study's words for it."""
        return None if text == "" else v.value(self.subject.columns[name], text)

    def prepare(self, model):
        """Counts the values of the model's attribute in the whole table."""
        name = self.attribute(model)
        if name is None:
            return
        self.values = [self.key(name, row[name]) for row in self.rows]
        self.overall = self.counts(range(len(self.rows)))

    def counts(self, members):
        """How many rows have each value, or how many persons."""
        if self.person is None:
            return Counter(self.values[i] for i in members)
        return Counter(value for _, value in {(self.person[i], self.values[i]) for i in members})

    def size(self, members):
        return len(members) if self.person is None else len({self.person[i] for i in members})

    def certain(self, members):
        """Do all persons have one value, or has one more rows than there are without it?"""
        if self.person is None:
            return False
        shown = Counter(self.values[i] for i in members)
        own = Counter(self.person[i] for i in members)
        return (max(self.counts(members).values()) == self.size(members)
                or max(own.values()) > len(members) - max(shown.values()))

    def listed(self, model):
        """The values that a model names: texts of one value name the same one."""
        name = self.attribute(model)
        texts = model["subset"]["values"] if "subset" in model else model.get("values")
        if texts is None:
            return set(self.overall)
        return {v.value(self.subject.columns[name], text) for text in texts} - {None}

    def k_anonymity(self, model, members):
        good = self.size(members) >= model["k"]
        return good, good, self.size(members)

    def l_diversity(self, model, members):
        counts = sorted(self.counts(members).values(), reverse=True)
        size, l = self.size(members), model["l"]
        variant = model.get("variant", "frequency")
        if variant in ("frequency", "distinct") and self.certain(members):
            return l <= 1, l <= 1, 1
        if variant == "frequency":
            return *both(counts[0] * l, size), size / counts[0]
        if variant == "distinct":
            good = len(counts) >= l
            return good, good, len(counts)
        if variant == "entropy":
            entropy = -sum(c / size * math.log(c / size) for c in counts)
            return *both(math.log(l), entropy), math.exp(entropy)
        tail = sum(counts[int(l) - 1:])
        if tail == 0:
            return False, False, math.inf
        return counts[0] < model["c"] * tail, counts[0] < model["c"] * tail + ROOM, counts[0] / tail

    def t_closeness(self, model, members):
        n, size = self.n, self.size(members)
        counts = self.counts(members)
        change = {value: counts[value] / size - count / n for value, count in self.overall.items()}
        variant = model.get("variant", "equal")
        if variant == "equal":
            far = sum(abs(c) for c in change.values()) / 2
        elif variant == "ordered":
            far, left = 0, 0
            ranked = self.ranked(model)
            for value in ranked[:-1]:
                left += change[value]
                far += abs(left)
            far /= max(len(ranked) - 1, 1)
        else:
            far = self.moved_in_tree(model, change)
        return *both(far, model["t"]), far

    def ranked(self, model):
        """The values that occur, in the order of their distances; missing comes last."""
        name = self.attribute(model)
        column = self.subject.columns[name]
        there = [value for value in self.overall if value is not None]
        if column.get("type", "string") == "string":
            ladder = self.sensitive_ladder(name)
            there.sort(key=lambda text: ladder.leaf[text])
        else:
            there.sort()
        return there + [None] * (None in self.overall)

    def sensitive_ladder(self, name):
        """The hierarchy of a sensitive column. Leaves are found by text or value, so that one text of
        each value is enough."""
        subject = self.subject
        kept = {subject.changed[name][i] for i in subject.rows}
        column = subject.columns[name]
        if column.get("type", "string") != "string" and not self.leaves_are_given(column):
            kept = first_texts(column, kept)
        return ladders.Ladder(column, kept - {None}, None in kept, subject.case["files"], joint=True)

    @staticmethod
    def leaves_are_given(column):
        spec = column["hierarchy"]
        return isinstance(spec, str) and spec != "suppress" or isinstance(spec, dict) and "file" in spec

    def tree(self, model):
        """For every value that occurs its labels, level 0 first."""
        name = self.attribute(model)
        ladder = self.sensitive_ladder(name)
        column = self.subject.columns[name]
        paths = {}
        for text in ladder.leaf:
            value = None if text is None else v.value(column, text)
            if ladder.leaf[text] is not None:
                paths.setdefault(value, ladder.paths[ladder.leaf[text]])
        return paths, ladder.n_levels - 1

    def moved_in_tree(self, model, change):
        """At every inner node of height h of H: h/H times the smaller of the sums of positive and of
        negative surpluses of its children."""
        paths, height = self.tree(model)
        far = 0
        for level in range(1, height + 1):
            children = {}
            for value, surplus in change.items():
                path = paths[value]
                node = children.setdefault(path[level:], Counter())
                node[path[level - 1:]] += surplus
            for surpluses in children.values():
                gains = sum(s for s in surpluses.values() if s > 0)
                losses = -sum(s for s in surpluses.values() if s < 0)
                far += level / height * min(gains, losses)
        return far

    def delta_presence(self, model, members):
        listed = self.listed(model)
        share = sum(c for value, c in self.counts(members).items() if value in listed) / self.size(members)
        low, high = both(model["min"], share), both(share, model["max"])
        return low[0] and high[0], low[1] and high[1], share

    def alpha_k(self, model, members):
        share = 1 if self.certain(members) else max(self.counts(members).values()) / self.size(members)
        good = both(share, model["alpha"])
        large = self.size(members) >= model["k"]
        return large and good[0], large and good[1], share

    def p_sensitive(self, model, members):
        distinct = 1 if self.certain(members) else len(self.counts(members))
        good = self.size(members) >= model["k"] and distinct >= model["p"]
        return good, good, distinct

    def dominance(self, model, members):
        """The largest share of the rows that are of one person; each row is one unless the study says otherwise."""
        own = Counter(range(len(members)) if self.person is None else (self.person[i] for i in members))
        share = max(own.values()) / len(members)
        return *both(share, model["share"]), share

    def intersections(self):
        """For every protected column of which each person has one value: how many values its models ask for, and
        how many persons have rows in several classes which have fewer than that in common."""
        found = {}
        for name, needed in values_asked_for(self).items() if self.person is not None else ():
            self.values = [self.key(name, row[name]) for row in self.rows]
            if len(set(zip(self.person, self.values))) > len(set(self.person)):
                continue
            classes_of = {}
            for number, members in enumerate(self.classes):
                for i in members:
                    classes_of.setdefault(self.person[i], set()).add(number)
            shown = [{self.values[i] for i in members} for members in self.classes]
            found[name] = (needed, sum(len(own) > 1 and len(set.intersection(*(shown[c] for c in own))) < needed
                                       for own in classes_of.values()))
        return found

    def delta_disclosure(self, model, members):
        counts, n = self.counts(members), self.n
        if len(counts) < len(self.overall):
            return False, False, math.inf
        worst = max(abs(math.log(counts[value] / self.size(members) * n / count))
                    for value, count in self.overall.items())
        return worst < model["delta"], worst < model["delta"] + ROOM, worst

    def beta_likeness(self, model, members):
        n, worst = self.n, 0.0
        strict = loose = True
        for value, count in self.counts(members).items():
            q = self.overall[value] / n
            gain = (count / self.size(members) - q) / q
            bound = model["beta"]
            if model.get("variant", "basic") == "enhanced":
                bound = min(bound, -math.log(q))
            here = both(gain, bound)
            strict, loose, worst = strict and here[0], loose and here[1], max(worst, gain)
        return strict, loose, worst

    def dissimilarity(self, model, members):
        """Each value is further than epsilon from those of at least a share delta of the others."""
        counts = self.counts(members)
        apart, size = self.distances(model), self.size(members)
        strict = loose = size >= model["k"]
        lowest = 1.0
        for one in counts:
            if size == 1:
                break
            far = sum(c for other, c in counts.items() if apart(one, other) > model["epsilon"])
            maybe = sum(c for other, c in counts.items()
                        if other != one and apart(one, other) > model["epsilon"] - 1e-12)
            share = far / (size - 1)
            strict = strict and share >= model["delta"]
            loose = loose and maybe / (size - 1) >= model["delta"] - ROOM
            lowest = min(lowest, share)
        return strict, loose, lowest

    def distance(self, model):
        """Which distance a model takes: dissimilarity the finest that its column has, unless it says
        otherwise."""
        column = self.subject.columns[self.attribute(model)]
        finest = ("hierarchical" if "hierarchy" in column else
                  "ordered" if column.get("type", "string") != "string" else "equal")
        return model.get("variant", finest if model["model"] == "dissimilarity" else "equal")

    def uses_hierarchy(self, model):
        if model["model"] not in ("t-closeness", "dissimilarity"):
            return False
        texts = self.subject.columns[self.attribute(model)].get("type", "string") == "string"
        distance = self.distance(model)
        return distance == "hierarchical" or distance == "ordered" and texts

    def distances(self, model):
        variant = self.distance(model)
        if variant == "equal":
            return lambda a, b: float(a != b)
        if variant == "ordered":
            place = {value: i for i, value in enumerate(self.ranked(model))}
            return lambda a, b: abs(place[a] - place[b]) / max(len(place) - 1, 1)
        paths, height = self.tree(model)
        return lambda a, b: 0 if a == b else next(
            level for level in range(height + 1) if paths[a][level:] == paths[b][level:]) / height

    def m_invariance(self, model, members):
        """Earlier releases count only where it is known which record a row is about."""
        counts = self.counts(members)
        good = len(counts) >= model["m"] and max(counts.values()) == 1
        earlier = self.subject.signatures(model) if self.in_order else {}
        for i in members if earlier else []:
            before = earlier.get(self.subject.rows[i])
            good = good and (before is None or before == set(counts))
        return good, good, len(counts)

    def lkc(self, model):
        """Whoever knows up to l quasi-identifiers finds k records, and none of the protected values takes
        more than a share c of them."""
        self.prepare(model)
        quasi = self.subject.quasi
        inside = [i for members in self.classes for i in members]
        listed = self.listed(model)
        answers = []
        for known in itertools.combinations(quasi, min(int(model["l"]), len(quasi))):
            groups = {}
            for i in inside:
                groups.setdefault(tuple(self.rows[i][n] for n in known), []).append(i)
            for members in groups.values():
                counts = self.counts(members)
                share = max((counts[value] for value in listed), default=0) / len(members)
                good, large = both(share, model["c"]), len(members) >= model["k"]
                answers.append((large and good[0], large and good[1], share))
        return answers

    def k_map(self, model):
        """How many people of the population fit the labels of each class. The search may count a person
        for one of several texts of a value only, and so find fewer."""
        people = self.subject.people(model["population"])
        answers = []
        for members in self.classes:
            row = self.rows[members[0]]
            found = fewer = 0
            for person, count in people.items():
                texts = list(zip(self.subject.quasi, person))
                if all(self.fits(n, row[n], text) for n, text in texts):
                    found += count
                    fewer += count * all(self.fits_leaf(n, row[n], text) for n, text in texts)
            answers.append((fewer >= model["k"], found >= model["k"], found))
        return answers

    def fits(self, name, label, text):
        """Does a label stand for a value?"""
        subject, column = self.subject, self.subject.columns[name]
        key = (name, label, text)
        if key not in self.known:
            rows = subject.case["files"][ladders.file_of(column)]["rows"] if ladders.file_of(column) else None
            self.known[key] = reading.stands_for(column, rows, label, text, subject.policy == "value",
                                                 subject.policy == "wildcard")
        return self.known[key]

    def fits_leaf(self, name, label, text):
        """The same for the leaf that the value has, if it has one."""
        ladder = self.subject.ladders[name]
        leaf = ladder.missing if text is None else ladder.find(text)
        return leaf is None or label not in ladder.sets or leaf in ladder.sets[label]


# Models of which the largest value is the worst.
LARGEST = {"t_closeness", "alpha_k", "delta_disclosure", "beta_likeness", "lkc", "dominance"}


def values_asked_for(judge):
    """How many values of each sensitive column its models ask for in a class."""
    asked = {}
    for model in judge.subject.study["privacy"]:
        kind = model["model"]
        if kind in ("k-anonymity", "k-map", "dominance", "l-site-diversity", "m-privacy"):
            continue
        own = {"l-diversity": model.get("l"), "p-sensitive": model.get("p"),
               "alpha-k": 1 / model.get("alpha", 1)}.get(kind, 2)
        name = judge.attribute(model)
        asked[name] = max(asked.get(name, 0), math.ceil(own - 1e-9))
    return asked


def first_texts(column, texts):
    """Of the texts of each value the one that comes first."""
    first = {}
    for text in sorted((t for t in texts if t is not None), key=lambda t: v.order(column, t)):
        first.setdefault(v.value(column, text), text)
    return set(first.values()) | ({None} if None in texts else set())
