"""Queries to the virtual database, as docs/query.md describes them: how many records have a value?"""

import ladders
import values as v
from databases import quoted


def draw_query(draw, study, names, rows, files):
    """A column and one of its texts, or nothing: all records are counted."""
    columns = [c for c in study["columns"] if c["role"] in ("quasi-identifying", "sensitive") and (
        c.get("type", "string") == "string" or c["type"] == "integer" and all_numbers(c, files))]
    missing = set(study.get("missing_values", [""])) | {""}
    if not columns or draw.chance(0.1):
        return {}
    column = draw.pick(columns)
    place = names.index(column["name"])
    texts = sorted({row[place].strip(v.BLANKS) if study.get("trim") else row[place] for row in rows} - missing)
    texts = [text for text in texts if v.value(column, text) is not None and "\0" not in text]
    return {"column": column["name"], "text": draw.pick(texts)} if texts else {}


def all_numbers(column, files):
    """Does no leaf of a hierarchy file make it a column of texts?"""
    path = ladders.file_of(column)
    return path is None or all(v.value(column, row[0]) is not None for row in files[path]["rows"] if row[0] != "")


def sql(study, query):
    if not query:
        return "SELECT count(*)"
    column = next((c for c in study["columns"] if c["name"] == query["column"]), None)
    if column is None:
        return "SELECT count(*)"
    value = v.value(column, query["text"])
    literal = str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
    return f"SELECT count(*) WHERE {quoted(column['name'])} = {literal}"


def answers(release, query):
    """(certain, possible, exact); possible is None where a label may stand for a text that no kept row has."""
    subject = release.subject
    name = query.get("column")
    if name not in subject.columns:
        return (len(release.maps),) * 3
    column = subject.columns[name]
    wanted = v.value(column, query["text"])

    def has(text):
        return text is not None and v.value(column, text) == wanted
    exact = sum(has(subject.changed[name][i]) for i in subject.rows)
    certain = possible = 0
    for row in release.maps:
        hits = [wanted == value for value in shown_values(release, name, row[name])]
        certain += bool(hits) and all(hits) and is_sure(release, name, row[name], wanted)
        possible += any(hits)
    ladder = subject.ladders.get(name)
    if ladder is not None and not is_public(ladder) and ladder.find(query["text"]) is None:
        possible = None
    return certain, possible, exact


def is_public(ladder):
    """Does the study itself say the values of the column?"""
    return ladder.ranged or ladder.in_file and ladder.column.get("domain") != "data"


def is_sure(release, name, label, wanted):
    """Does a label whose values in the data are all the wanted one say so to a client? Others of its values
    may be missing in the data, and the root may be a missing value."""
    ladder = release.subject.ladders.get(name)
    if ladder is None:
        return True
    if label in (ladder.root, "*"):
        return False if release.subject.policy in ("value", "wildcard") else is_public(ladder)
    if ladder.in_file:
        return {ladder.leaf_value(row[0]) for row in ladder.rows if label in row} == {wanted}
    return is_public(ladder) or v.value(ladder.column, label) == wanted


def shown_values(release, name, label):
    """The values that a released cell may stand for; None for a missing one."""
    subject = release.subject
    column = subject.columns[name]
    if name not in subject.ladders:
        return [None if label == "" else v.value(column, label)]
    ladder = subject.ladders[name]
    leaves = ladder.sets.get(label)
    if leaves is None and label == "*":
        leaves = ladder.sets[ladder.root]
    if leaves is None:
        leaves = in_range(release, name, label)
    return [None if leaf == ladder.missing or ladder.paths[leaf][0] == "" else ladder.leaf_value(ladder.paths[leaf][0])
            for leaf in leaves]


def in_range(release, name, label):
    """The leaves from min to max of min..max."""
    place = release.subject.places(name)
    at = label.find("..")
    while at >= 0:
        low, high = place.get(label[:at]), place.get(label[at + 2:])
        if low is not None and high is not None and low <= high:
            paths = release.subject.ladders[name].paths
            return [leaf for leaf, path in enumerate(paths) if low <= place[path[0]] <= high]
        at = label.find("..", at + 1)
    return []
