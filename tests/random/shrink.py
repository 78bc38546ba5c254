"""Makes a failing case smaller while it still fails in the same way."""

import copy
import time


def without_column(case, name):
    """The case without a column and all that refers to it; None if too little is left."""
    study = case["study"]
    study["columns"] = [c for c in study["columns"] if c["name"] != name]
    study["privacy"] = [m for m in study["privacy"] if name not in (
        m.get("attribute"), m.get("id"), m.get("subset", {}).get("column"), *m.get("attributes", []))]
    for group in (study.get("utility", {}).get("weights"), study.get("levels"), study.get("pregeneralize")):
        if group is not None:
            group.pop(name, None)
    if study.get("utility", {}).get("weights") == {}:
        del study["utility"]["weights"]
    if study.get("utility", {}).get("class") == name:
        del study["utility"]["class"]
    place = case["table"]["names"].index(name)
    for table in [case["table"]] + [f for f in case["files"].values() if f["kind"] == "table"]:
        if name in table["names"]:
            place = table["names"].index(name)
            table["names"] = table["names"][:place] + table["names"][place + 1:]
            table["rows"] = [row[:place] + row[place + 1:] for row in table["rows"]]
    if name in study.get("unit", []) and study["unit"] != "row":
        left = [n for n in study["unit"] if n != name] if isinstance(study["unit"], list) else []
        study["unit"] = left or "row"
    if not study["privacy"] or not any(c["role"] == "quasi-identifying" for c in study["columns"]):
        return None
    return case


def renamed(case, old, new):
    """The case with another name of a column; only where nothing but columns and models refers to it."""
    def swap(value):
        if isinstance(value, dict):
            return {new if k == old else k: swap(v) for k, v in value.items()}
        if isinstance(value, list):
            return [swap(v) for v in value]
        return new if value == old else value
    study = case["study"]
    for key in ("columns", "privacy", "utility", "levels", "pregeneralize", "unit"):
        if key in study and study[key] != "row":
            study[key] = swap(study[key])
    for table in [case["table"]] + [f for f in case["files"].values() if f["kind"] == "table"]:
        table["names"] = [new if n == old else n for n in table["names"]]
    return case


def fewer_rows(rows):
    """Rows without a part of them: halves first, single rows last."""
    size = len(rows)
    while size >= 1:
        for start in range(0, len(rows), size):
            yield rows[:start] + rows[start + size:]
        size //= 2


def candidates(case):
    """Smaller cases, the boldest first. Every one is a copy."""
    def changed(change):
        other = copy.deepcopy(case)
        return other if change(other) is not False else None
    study = case["study"]
    for column in study["columns"]:
        yield without_column(copy.deepcopy(case), column["name"])
    for i in range(len(study["privacy"]) if len(study["privacy"]) > 1 else 0):
        yield changed(lambda c, i=i: c["study"]["privacy"].pop(i))
    for key in study:
        if key not in ("study", "columns", "privacy", "protocol", "partition", "ids"):
            yield changed(lambda c, key=key: c["study"].pop(key))
    for key in study.get("utility", {}):
        yield changed(lambda c, key=key: c["study"]["utility"].pop(key))
    for key, plain in (("separator", ","), ("newline", "\n"), ("quotes", False), ("encoding", "utf-8"),
                       ("gzip", False), ("header", True)):
        if case["form"][key] != plain:
            yield changed(lambda c, key=key, plain=plain: c["form"].__setitem__(key, plain))
    for key in ("shuffle", "explain", "mapping", "lattice", "json", "separator"):
        if case["options"].get(key):
            yield changed(lambda c, key=key: c["options"].__setitem__(key, False))
    for rows in fewer_rows(case["table"]["rows"]):
        yield changed(lambda c, rows=rows: c["table"].__setitem__("rows", rows))
    for name, file in case["files"].items():
        for rows in fewer_rows(file["rows"]) if "rows" in file else []:
            if rows or file["kind"] == "table":
                yield changed(lambda c, name=name, rows=rows: c["files"][name].__setitem__("rows", rows))
    for i, column in enumerate(study["columns"]):
        for key in column:
            if key not in ("name", "role") and column["name"] not in study.get("unit", []):
                yield changed(lambda c, i=i, key=key: c["study"]["columns"][i].pop(key))
        new = "abcdefgh"[i % 8]
        if len(column["name"]) > 1 and new not in case["table"]["names"]:
            yield renamed(copy.deepcopy(case), column["name"], new)
    for i, model in enumerate(study["privacy"]):
        for key, value in model.items():
            if key in ("k", "l", "m", "p") and isinstance(value, int) and value > 2:
                yield changed(lambda c, i=i, key=key: c["study"]["privacy"][i].__setitem__(key, 2))
    yield drop_files(copy.deepcopy(case))


def drop_files(case):
    """Without files that the study does not name any more."""
    text = repr(case["study"])
    left = {name: file for name, file in case["files"].items() if repr(name)[1:-1] in text}
    if len(left) == len(case["files"]):
        return None
    case["files"] = left
    return case


def shrink(case, fails, seconds):
    """The smallest case that `fails` finds within some time."""
    end = time.monotonic() + seconds
    found = True
    while found and time.monotonic() < end:
        found = False
        for other in candidates(case):
            if time.monotonic() >= end:
                break
            if other is not None and other != case and fails(other):
                case, found = other, True
                break
    return case
