"""What a cell means: numbers, dates and missing values as docs/tables.md defines them.

Nothing here is taken from the engine. `value` gives a key by which two texts of one value are equal and
values are ordered.
"""

import datetime
import re

DAY = 86400
EPOCH = datetime.datetime(1970, 1, 1)
BLANKS = " \t\r\n"
INTEGER = re.compile(r"[+-]?[0-9]+\Z")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
GROUPS = "' \u00a0\u202f\u2019"


def ungrouped(text, mark):
    """A number with decimal comma or point, and perhaps groups of digits, as 1234.5; None if the groups
    are wrong."""
    other = "." if mark == "comma" else ","
    point = "," if mark == "comma" else "."
    sign = text[:1] if text[:1] in ("+", "-") else ""
    rest = text[len(sign):]
    whole, dot, fraction = rest.partition(point)
    for group in other + GROUPS:
        if group in whole:
            parts = whole.split(group)
            if not 1 <= len(parts[0]) <= 3 or any(len(p) != 3 for p in parts[1:]):
                return None
            whole = "".join(parts)
            break
    return sign + whole + ("." + fraction if dot else "")


def seconds_of(text, form):
    """Seconds since 1970 of a date in the study's format; without a format it is YYYY-MM-DD."""
    try:
        if form is None:
            if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", text):
                return None
            moment = datetime.datetime.strptime(text, "%Y-%m-%d")
        else:
            moment = datetime.datetime.strptime(text, form)
            if not has_date(form):
                moment = datetime.datetime.combine(EPOCH.date(), moment.time())
            elif not re.search("%[Yy]", form):
                moment = moment.replace(year=1970)
    except ValueError:
        return None
    return int((moment - EPOCH).total_seconds())


def has_date(form):
    """Does a format have more than times of day?"""
    return form is None or re.search("%[^HMSTRIpX%]", form) is not None


def value(column, text):
    """The key of a text by the column's type, None if it has not that type."""
    kind = column.get("type", "string")
    if kind == "string":
        return text
    if kind == "date":
        return seconds_of(text, column.get("format"))
    if "decimal" in column:
        text = ungrouped(text, column["decimal"])
        if text is None:
            return None
    if kind == "integer":
        return int(text) if INTEGER.match(text) and abs(int(text)) < 1 << 63 else None
    return float(text) + 0.0 if DECIMAL.match(text) else None


def order(column, text):
    """The key by which the texts of a column are sorted: by value; of several texts of one value the
    shortest comes first. Texts go by their bytes."""
    if column.get("type", "string") == "string":
        return text.encode()
    data = text.encode()
    return (value(column, text), len(data), data)


def number_text(number):
    """The shortest text of a number, as values that the study changes are written."""
    if isinstance(number, int):
        return str(number)
    for digits in range(1, 18):
        text = "%.*e" % (digits - 1, number)
        if float(text) == number:
            break
    exponent = int(text.partition("e")[2])
    if -5 <= exponent < 15:
        return "%.*f" % (max(digits - 1 - exponent, 0), number)
    return text
