"""Tables in SQLite databases, written and read without kith."""

import contextlib
import sqlite3


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def can_hold(names):
    """SQLite takes names for the same that differ in case only."""
    return len({name.lower() for name in names}) == len(names) and all(names)


def write(path, names, rows):
    """A table t, all of whose cells are texts."""
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.execute(f"CREATE TABLE t ({', '.join(quoted(n) + ' TEXT' for n in names)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", rows)


def read(path, table="t"):
    """Names and rows of a table as texts; missing cells are empty, as in CSV."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        cursor = base.execute(f"SELECT * FROM {quoted(table)} ORDER BY rowid")
        names = [column[0] for column in cursor.description]
        return names, [["" if cell is None else str(cell) for cell in row] for row in cursor]
