"""Means of classes, which microaggregated columns show (docs/study.md)."""

import re
from fractions import Fraction

import values as v

MAX_DIGITS = 15
WHOLE_DECIMALS = 2


def wanted(column):
    return column.get("microaggregate") == "mean"


class Means:
    """How the means of one column are written."""

    def __init__(self, subject, name):
        self.column = subject.columns[name]
        self.mark = "," if self.column.get("decimal") == "comma" else "."
        self.texts = [subject.changed[name][i] for i in subject.rows if subject.changed[name][i] is not None]
        self.decimals = 0
        if self.column["type"] == "decimal":
            self.decimals = max([0] + [self.decimals_of(text) for text in self.texts])

    def plain(self, text):
        return v.ungrouped(text, self.column["decimal"]) if "decimal" in self.column else text

    def decimals_of(self, text):
        """As it is written: 2 of 12.50, 3 of 1e-3."""
        digits, _, exponent = self.plain(text).lower().partition("e")
        return max(0, len(digits.partition(".")[2]) - int(exponent or 0))

    def refusal(self):
        """Why there are no exact means, None if there are."""
        most = Fraction(10) ** (MAX_DIGITS - self.decimals)
        if self.column["type"] == "decimal" and any(abs(self.exact(text)) >= most for text in self.texts):
            return f"numbers of {self.column['name']!r} have too many digits for means"
        return None

    def exact(self, text):
        return Fraction(self.plain(text))

    def text(self, texts):
        """The mean of these values, halves rounded up."""
        shown = self.decimals or WHOLE_DECIMALS
        mean = sum(map(self.exact, texts)) / len(texts)
        steps = (mean * 10 ** shown + Fraction(1, 2)).__floor__()
        whole, behind = divmod(abs(steps), 10 ** shown)
        digits = f"{behind:0{shown}d}"
        if self.decimals == 0:
            digits = digits.rstrip("0")
        return ("-" if steps < 0 else "") + str(whole) + (self.mark + digits if digits else "")

    def has_form(self, text):
        found = re.match(r"-?(0|[1-9][0-9]*)(?:([.,])([0-9]+))?\Z", text)
        if found is None or found[2] not in (None, self.mark):
            return False
        digits = len(found[3] or "")
        return digits == self.decimals if self.decimals else digits <= WHOLE_DECIMALS


def wrong_mean(release, name):
    """What is wrong with the means of a column, None if nothing is. The records of each row are known."""
    subject, ladder, means = release.subject, release.subject.ladders[name], release.means[name]
    high = subject.bounds(name)[1]
    for members in release.classes:
        label = release.maps[members[0]][name]
        texts = [subject.changed[name][subject.rows[i]] for i in members]
        if None in texts:
            if not all(release.stands_for(name, label, text) for text in texts):
                return f"{label!r} does not stand for all of its class (column {name!r})"
            continue
        if not shows_mean(release, name, members):
            continue
        groups = {}
        for text in texts:
            groups.setdefault(ladder.path(text)[high:], []).append(text)
        for group in [texts] + list(groups.values()):
            if label != means.text(group):
                return f"{label!r} is not the mean {means.text(group)!r} of {group[:9]} (column {name!r})"
    return None


def shows_mean(release, name, members):
    """Must this class show a mean? Not if a value is missing, nor if its rows may be suppressed ones."""
    if name not in release.means:
        return False
    subject, label = release.subject, release.maps[members[0]][name]
    ladder = subject.ladders[name]
    if label == ladder.root or label == "*" and "*" not in ladder.sets:
        return False
    return all(subject.changed[name][subject.rows[i]] is not None for i in members)
