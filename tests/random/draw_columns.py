"""Columns at random: names, roles, types, values as they stand in files, hierarchies."""

import datetime
from dataclasses import dataclass, field

import values as v

PLAIN_NAMES = ["age", "zip", "job", "day", "grade", "city", "weight", "disease", "ward", "note", "pid"]
ODD_NAMES = ['a"b', "it's", "a;b", "a,b", "Größe", "null", "<script>alert(1)</script>", "true", "1", "c1",
             "日本", "e\u0301", "_kith_class", "confidential_row", "age_released", "*", "~", "#c", "- a",
             "a: b", "{a}", "%s%n", "=cmd()", "a|b", "a\\b", "..", "x" * 70, "\u202eabc", "'", "&amp;",
             "[a]", "a\u00a0b"]
# Only for columns that no study can name.
UNLISTED_NAMES = ["line\nbreak", "tab\tname", "cr\rname", "extra", "", "bell\x07"]

WORDS = ["Ulm", "Bonn", "Kiel", "Hof", "Jena", "Köln", "São Paulo", "Łódź", "Χίος", "a b"]
ODD_WORDS = ["null", "NULL", "x,y", "p;q", 'say "hi"', "two\nlines", "<b>", "a..b", "..", "-", "0", "00",
             "日本", "*x", "a\\n", "'", "{}", "#", "~", "a\tb", "true", "x" * 60, "a|b", "%d", "é", "e\u0301",
             "\r\nz", "1-2", "[0, 1)", "NaN", "‮rtl"]

FORMATS = [None, "%d.%m.%Y", "%m/%d/%y", "%Y-%m-%d %H:%M:%S", "%H:%M", "%d %B %Y", "%Y%m%d", "%H:%M:%S",
           "%Y-%m-%dT%H:%M", "%b %d, %Y", "%Y"]
UNITS = ["minute", "hour", "day", "week", "month", "quarter", "year", "decade"]
ROOTS = ["*", "*", "*", "ANY", "all values", "any, or \"none\"", "Ω"]


@dataclass
class Column:
    """A column while it is drawn: what the study says of it, and the texts that its cells may have."""
    spec: dict
    pool: list
    files: dict = field(default_factory=dict)
    missing: float = 0.0


def names(draw, count):
    """Different names; most are plain."""
    chosen = []
    while len(chosen) < count:
        name = draw.pick(PLAIN_NAMES if draw.chance(0.75) else ODD_NAMES)
        if name in chosen:
            name = f"{name}{len(chosen)}"
        if name not in chosen:
            chosen.append(name)
    return chosen


def distinct(draw, make, count):
    pool = []
    for _ in range(4 * count):
        text = make()
        if text not in pool:
            pool.append(text)
        if len(pool) == count:
            break
    return pool


def how_many(draw):
    return draw.weighted([(1, 1), (4, draw.between(2, 5)), (5, draw.between(4, 12)), (2, draw.between(10, 40))])


def words(draw, odd):
    def make():
        if odd and draw.chance(0.3):
            return draw.pick(ODD_WORDS)
        return draw.pick(WORDS) if draw.chance(0.6) else f"w{draw.below(40)}"
    return distinct(draw, make, how_many(draw))


def codes(draw):
    """Codes for masks: all of one length, or of several; some with letters of more than one byte."""
    length, alphabet = draw.between(1, 6), draw.pick(["0123456789", "01", "aé日", "AB-"])
    return distinct(draw, lambda: "".join(draw.pick(alphabet) for _ in range(
        length if draw.chance(0.8) else draw.between(1, length + 2))), how_many(draw))


def integers(draw, column):
    low, high = draw.pick([(0, 9), (0, 90), (-20, 20), (1000, 99999), (-5, 0), (10**11, 10**11 + 50)])
    forms = draw.chance(0.2)

    def make():
        number = draw.between(low, high)
        if column.get("decimal") and draw.chance(0.5):
            grouped = f"{number:,}"
            return grouped.replace(",", "." if column["decimal"] == "comma" else draw.pick([",", "'", " "]))
        if forms and number >= 0:
            return draw.pick(["%d", "%d", "0%d", "00%d", "+%d"]) % number
        return str(number)
    return distinct(draw, make, how_many(draw))


def decimals(draw, column):
    places = draw.pick([0, 1, 1, 2, 3])
    low, high = draw.pick([(0, 10), (-10, 10), (0, 1000), (0, 1)])
    forms = draw.chance(0.2)

    def make():
        number = draw.between(low * 10 ** places, high * 10 ** places) / 10 ** places
        text = f"{number:.{places}f}"
        if forms:
            text = draw.pick([text, text, text + ("0" if "." in text else ".0"), "+" + text.lstrip("-")])
        if forms and draw.chance(0.1) and "decimal" not in column:
            text = draw.pick(["1e1", "-0.0", "5.", ".5", "2E0"])
        if column.get("decimal") == "comma":
            text = text.replace(".", ",")
        return text
    return distinct(draw, make, how_many(draw))


def dates(draw, column):
    form = column.get("format")
    first = draw.pick([datetime.datetime(2024, 1, 1), datetime.datetime(1999, 12, 20),
                       datetime.datetime(1969, 12, 28), datetime.datetime(2020, 2, 25)])
    days = draw.pick([3, 40, 800, 9000])

    def make():
        moment = first + datetime.timedelta(days=draw.below(days), seconds=60 * draw.below(1440)
                                            + (draw.below(60) if draw.chance(0.3) else 0))
        text = moment.strftime(form or "%Y-%m-%d")
        if form == "%d.%m.%Y" and draw.chance(0.1):
            text = f"{moment.day}.{moment.month}.{moment.year}"
        return text
    return distinct(draw, make, how_many(draw))


def divisors(draw, first, count):
    """Numbers of which each divides the next."""
    sizes = [first]
    for _ in range(count - 1):
        sizes.append(sizes[-1] * draw.between(2, 4))
    return sizes


def interval_spec(draw, kind):
    if kind == "integer":
        spec = {"intervals": divisors(draw, draw.pick([1, 2, 5, 10, 7, 1000]), draw.between(1, 3))}
        origin = draw.pick([0, 18, -3, 1])
    else:
        tenths = divisors(draw, draw.pick([1, 5, 10, 25]), draw.between(1, 3))
        spec = {"intervals": [t // 10 if t % 10 == 0 else t / 10 for t in tenths]}
        origin = draw.pick([0, 0.5, -2, 18])
    if draw.chance(0.3):
        spec["origin"] = origin
        if draw.chance(0.5):
            spec["snap"] = draw.chance(0.7)
    return spec


def date_units(draw, column):
    """Units from fine to coarse; week is the last one."""
    timed = column.get("format") is not None and ("%H" in column["format"])
    dated = v.has_date(column.get("format"))
    units = (UNITS[:2] if timed else []) + (UNITS[2:] if dated else [])
    chosen = [u for u in units if draw.chance(0.45)] or [draw.pick(units)]
    if "week" in chosen:
        last = chosen.index("week") + 1
        chosen = chosen[:last] if draw.chance(0.5) or len(chosen) == 1 else [u for u in chosen if u != "week"]
    return chosen


def date_range(draw, pool):
    days = [datetime.date.fromtimestamp(0) + datetime.timedelta(days=s // v.DAY) for s in pool]
    return [(min(days) - datetime.timedelta(days=draw.below(5))).isoformat(),
            (max(days) + datetime.timedelta(days=draw.below(5))).isoformat()]


def hierarchy_file(draw, column):
    """A random tree over the pool and some more leaves. Numbers may be written in another way there."""
    spec = column.spec
    leaves = list(column.pool)
    if draw.chance(0.5):
        more = [f"other{i}" for i in range(draw.below(4))]
        leaves += [m for m in more if m not in leaves]
    if spec.get("type") == "integer" and "decimal" not in spec and draw.chance(0.3):
        leaves = list(dict.fromkeys(leaf.lstrip("+") if draw.chance(0.5) else leaf for leaf in leaves))
        leaves = [leaf for leaf in leaves if v.value(spec, leaf) is not None] or list(column.pool)
    root = draw.pick(ROOTS)
    height = draw.between(0, 3)
    paths = [[leaf] for leaf in draw.shuffled(leaves)]
    for level in range(height):
        groups, width = {}, draw.between(1, 4)
        for path in paths:
            below = path[-1]
            if below not in groups:
                label = f"g{level}_{draw.below(width)}"
                if draw.chance(0.1):
                    label = f"{label}, \"odd\"; größer"
                groups[below] = below if draw.chance(0.05) and below not in groups.values() else label
            path.append(groups[below])
        keep_apart(paths, level + 1)
    rows = [path + [root] for path in paths if path[0] not in (root, "")]
    if not rows:
        return None
    if draw.chance(0.25):
        rows.append([""] + ["unknown" if draw.chance(0.5) else ""] * height + [root])
        keep_apart(rows, None)
    if draw.chance(0.1):
        rows.append(list(draw.pick(rows)))
    separator = draw.weighted([(6, ";"), (2, ","), (1, "\t"), (1, "|")])
    return {"kind": "hierarchy", "rows": rows, "separator": separator, "quotes": draw.chance(0.2)}


def keep_apart(paths, level):
    """A label that a value or a lower group has for another set gets a longer name."""
    if level is None:
        return
    sets = {}
    for path in paths:
        for i in range(level + 1):
            sets.setdefault((i, path[i]), set()).add(path[0])
    for path in paths:
        clash = any(path[level] == label and sets[(level, path[level])] != leaves
                    for (i, label), leaves in list(sets.items()) if i < level)
        if clash:
            path[level] += "+"


def hierarchy(draw, column, number):
    """Gives the column a hierarchy, and perhaps a domain."""
    spec = column.spec
    kind = spec.get("type", "string")
    choices = [(2, "suppress"), (3, "file"), (2, "order")]
    choices += [(4, "intervals")] if kind in ("integer", "decimal") else []
    choices += [(5, "dates")] if kind == "date" else []
    choices += [(3, "mask")] if kind == "string" else [(1, "mask")] if kind == "integer" else []
    choice = draw.weighted(choices)
    if choice == "file":
        made = hierarchy_file(draw, column)
        if made is None:
            choice = "suppress"
        else:
            name = f"h{number}.csv"
            column.files[name] = made
            spec["hierarchy"] = {"file": name, "separator": made["separator"]}
            if made["separator"] == ";" and draw.chance(0.5) and not any(
                    c in label for row in made["rows"] for label in row for c in ";,\t"):
                spec["hierarchy"] = name
            if draw.chance(0.2):
                spec["domain"] = draw.pick(["data", "hierarchy"])
    if choice == "suppress" and draw.chance(0.7):
        spec["hierarchy"] = "suppress"
    elif choice == "order":
        spec["hierarchy"] = {"order": divisors(draw, draw.between(2, 4), draw.between(1, 3))}
    elif choice == "intervals":
        spec["hierarchy"] = interval_spec(draw, kind)
    elif choice == "dates":
        spec["hierarchy"] = {"dates": date_units(draw, spec)}
    elif choice == "mask":
        spec["hierarchy"] = {"mask": draw.pick(["left", "right"])}
        if draw.chance(0.3):
            spec["hierarchy"]["character"] = draw.pick("#*x_0")
    if choice != "file":
        domain(draw, column)


def domain(draw, column):
    spec = column.spec
    numbers = [v.value(spec, text) for text in column.pool]
    if spec.get("type") == "integer" and draw.chance(0.25) and max(numbers) - min(numbers) < 2000:
        spec["domain"] = {"range": [min(numbers) - draw.below(5), max(numbers) + draw.below(5)]}
    elif (spec.get("type") == "date" and draw.chance(0.2) and not any(n % v.DAY for n in numbers)
          and max(numbers) - min(numbers) < 3000 * v.DAY):
        spec["domain"] = {"range": date_range(draw, numbers)}
    elif draw.chance(0.1):
        spec["domain"] = draw.pick(["data", "hierarchy"])


def draw_column(draw, name, role, number, odd):
    """A column with its pool of values."""
    spec = {"name": name, "role": role}
    kind = draw.weighted([(5, "string"), (4, "integer"), (2, "decimal"), (3, "date")])
    if kind != "string" or draw.chance(0.1):
        spec["type"] = kind
    if kind in ("integer", "decimal") and draw.chance(0.2):
        spec["decimal"] = draw.pick(["comma", "point"])
    if kind == "date":
        form = draw.pick(FORMATS)
        if form is not None:
            spec["format"] = form
    if kind == "string":
        pool = codes(draw) if draw.chance(0.3) else words(draw, odd)
    else:
        pool = {"integer": integers, "decimal": decimals, "date": dates}[kind](draw, spec)
    column = Column(spec, pool, missing=draw.pick([0, 0, 0.05, 0.2, 0.6]))
    if role == "quasi-identifying":
        hierarchy(draw, column, number)
    return column
