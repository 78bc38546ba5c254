"""Labels of releases, read as docs/verify.md describes it: does a label stand for a value that the data
need not have? Nothing here looks at the hierarchy of the data."""

import datetime
import re
from fractions import Fraction

import ladders
import values as v


def stands_for(column, file_rows, label, text, missing_is_value, wildcard):
    """label: a cell of a release; text: a value of another table, None if it is missing; file_rows: the
    rows of the column's hierarchy file, None for builders."""
    if file_rows is not None:
        return in_file(column, file_rows, label, text, missing_is_value, wildcard)
    if label == "*":
        return True
    if text is None or label == "":
        return text is None and label == "" and missing_is_value
    return same(column, label, text) or built(column, column.get("hierarchy", "suppress"), label, text)


def value(column, text):
    found = v.value(column, text)
    if found is None and column.get("type") == "date":
        found = v.seconds_of(text, None)
    return found


def same(column, label, text):
    return value(column, label) is not None and value(column, label) == value(column, text)


def between(column, low, text, high):
    """In the order of the column; texts go by their bytes."""
    if column.get("type", "string") == "string":
        return low.encode() <= text.encode() <= high.encode()
    low, high = value(column, low), value(column, high)
    return low is not None and high is not None and low <= value(column, text) <= high


def built(column, spec, label, text):
    if spec == "suppress":
        return False
    if "intervals" in spec:
        return in_interval(column, label, text)
    if "dates" in spec:
        seconds = value(column, text)
        return any(first <= seconds <= last for first, last in
                   (span for unit in spec["dates"] for span in [span_of(label, unit)] if span))
    if "mask" in spec:
        return in_mask(spec, label, text)
    return any(between(column, label[:at], text, label[at + 2:])
               for at in range(len(label) - 1) if label[at:at + 2] == "..")


def in_interval(column, label, text):
    if column["type"] == "integer":
        ends = re.match(r"(-?[0-9]+) to (-?[0-9]+)\Z", label) or re.match(r"([0-9]+)-([0-9]+)\Z", label)
        return ends is not None and int(ends[1]) <= value(column, text) <= int(ends[2])
    gap = "; " if column.get("decimal") == "comma" else ", "
    ends = re.match(r"\[(.*)" + gap + r"(.*)\)\Z", label)
    if ends is None:
        return False
    try:
        low, high = (Fraction(end.replace(",", ".")) for end in ends.groups())
    except ValueError:
        return False
    return low <= ladders.exact(value(column, text)) < high


def in_mask(spec, label, text):
    character = spec.get("character", "*")
    left = spec["mask"] == "left"
    shown = label.lstrip(character) if left else label.rstrip(character)
    fits = text.endswith(shown) if left else text.startswith(shown)
    return len(shown) < len(label) and len(shown) <= len(text) <= len(label) and fits


def moment(year, month=1, day=1, hour=0, minute=0):
    return int((datetime.datetime(year, month, day, hour, minute) - v.EPOCH).total_seconds())


def span_of(label, unit):
    """First and last second of a label of this unit of time, None if it is none."""
    forms = {"minute": r"(?:(\d{4})-(\d\d)-(\d\d) )?(\d\d):(\d\d)",
             "hour": r"(?:(\d{4})-(\d\d)-(\d\d) )?(\d\d):00-\4:59",
             "day": r"(\d{4})-(\d\d)-(\d\d)", "week": r"(\d{4})-W(\d\d)", "month": r"(\d{4})-(\d\d)",
             "quarter": r"(\d{4})-Q([1-4])", "year": r"(\d{4})", "decade": r"(\d{3}0)s"}
    found = re.match(forms[unit] + r"\Z", label)
    if found is None:
        return None
    parts = [None if part is None else int(part) for part in found.groups()]
    try:
        if unit in ("minute", "hour"):
            day = moment(*parts[:3]) if parts[0] is not None else 0
            first = day + 3600 * parts[3] + (60 * parts[4] if unit == "minute" else 0)
            return first, first + (59 if unit == "minute" else 3599)
        if unit == "week":
            day = datetime.datetime.fromisocalendar(parts[0], parts[1], 1)
            first = int((day - v.EPOCH).total_seconds())
            return first, first + 7 * v.DAY - 1
        if unit == "day":
            return moment(*parts), moment(*parts) + v.DAY - 1
        year, months = parts[0], {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
        month = 1 if unit in ("year", "decade") else parts[1] if unit == "month" else 3 * parts[1] - 2
        end = 12 * year + month - 1 + months
        return moment(year, month), moment(end // 12, end % 12 + 1) - 1
    except ValueError:
        return None


def in_file(column, rows, label, text, missing_is_value, wildcard):
    root = rows[0][-1]
    labels = {cell for row in rows for cell in row}
    if label == root or label == "*" and "*" not in labels:
        return True
    paths = {row[0]: row for row in reversed(rows)}
    if text is None:
        row = None if wildcard else paths.get("")
        return label == "" and missing_is_value or row is not None and label in row
    row = paths.get(text)
    if row is None and column.get("type", "string") != "string":
        row = next((r for r in rows if r[0] != "" and same(column, r[0], text)), None)
    if label in labels:
        return row is not None and label in row
    return column.get("type", "string") != "string" and same(column, label, text)
