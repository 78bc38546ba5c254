"""Files as text: YAML of studies, CSV as data has it and as releases have it.

The reader is strict: a release that Kith writes has one form only (docs/tables.md, "Writing").
"""

import gzip
import json
import re

# Words that stand without quotes in YAML and mean themselves.
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
NOT_PLAIN = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def yaml_scalar(value):
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if PLAIN.match(value) and value.lower() not in NOT_PLAIN:
        return value
    # Double quotes of YAML know all escapes of JSON; DEL and C1 must be escaped as well.
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: "\\u%04x" % ord(m.group()), quoted)


def yaml_flow(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_scalar(k)}: {yaml_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(yaml_flow(v) for v in value) + "]"
    return yaml_scalar(value)


def yaml_study(study):
    """The top level key by key, lists of mappings line by line, the rest in flow style."""
    lines = []
    for key, value in study.items():
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            lines.append(f"{key}:")
            lines += [f"  - {yaml_flow(v)}" for v in value]
        else:
            lines.append(f"{key}: {yaml_flow(value)}")
    return "\n".join(lines) + "\n"


def csv_cell(text, separator, always, alone=False):
    """alone: the cell is the whole row, so that a reader might find another separator in it."""
    special = {separator, '"', "\n", "\r"} | (set(",;\t|^~:") if alone else set())
    if always or alone and text == "" or any(c in special for c in text) or text != text.strip(" \t"):
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_text(names, rows, separator=",", newline="\n", always=False):
    """names None: no header. Names are quoted wherever a reader might take a part of them for a
    separator."""
    lines = []
    if names is not None:
        lines.append(separator.join(csv_cell(n, separator, always or not n.isalnum()) for n in names))
    for row in rows:
        lines.append(separator.join(csv_cell(cell, separator, always, len(row) == 1) for cell in row))
    return "".join(line + newline for line in lines)


def write_table(path, names, rows, form):
    """A table in the form that the case says: separator, newline, quotes, encoding, gzip."""
    text = csv_text(names if form.get("header", True) else None, rows, form["separator"],
                    form["newline"], form["quotes"])
    encoding = form["encoding"]
    data = text.encode(encoding)
    if encoding in ("utf-16-le", "utf-16-be"):
        data = "\ufeff".encode(encoding) + data
    if form["gzip"]:
        data = gzip.compress(data, mtime=0)
    with open(path, "wb") as out:
        out.write(data)


class BadText(Exception):
    """The text is not in the form that the documents promise."""


def read_row(text, at, separator):
    """The cells of one row and the place behind it; a cell is (text, quoted)."""
    cells = []
    ends = re.compile("[\n" + re.escape(separator) + "]")
    while True:
        if text.startswith('"', at):
            end = at + 1
            while True:
                end = text.find('"', end)
                if end < 0:
                    raise BadText("a quote is never closed")
                if not text.startswith('""', end):
                    break
                end += 2
            cells.append((text[at + 1:end].replace('""', '"'), True))
            at = end + 1
        else:
            end = ends.search(text, at)
            if end is None:
                raise BadText("the last line does not end")
            cells.append((text[at:end.start()], False))
            at = end.start()
        if text.startswith(separator, at):
            at += 1
        elif text.startswith("\n", at):
            return cells, at + 1
        else:
            raise BadText("something follows a closing quote")


def read_release(text, separator):
    """Names and rows of a release: the data's separator, LF, quotes where they are needed."""
    if text.startswith("\ufeff"):
        raise BadText("a release has no byte-order mark")
    rows, at = [], 0
    while at < len(text):
        cells, at = read_row(text, at, separator)
        for cell, quoted in cells:
            if not quoted and ('"' in cell or "\r" in cell or cell != cell.strip(" ")):
                raise BadText(f"{cell!r} needs quotes")
        rows.append([cell for cell, _ in cells])
    if not rows:
        raise BadText("a release has at least its header")
    if any(len(row) != len(rows[0]) for row in rows):
        raise BadText("rows have different numbers of cells")
    return rows[0], rows[1:]
