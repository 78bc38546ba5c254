"""Generalization hierarchies: read from files, made from frames and labels, or built over values.

A hierarchy has a row for every leaf with its labels up to the root: ``["34", "30-39", "*"]``.
"""

from __future__ import annotations

import json
from ctypes import byref
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _structs
from ._call import Findings, Handle, PathLike, call, decode, encode, encode_path, separator_of, texts
from ._library import lib
from .documents import html_table, new_document, read_document
from .errors import Finding, InvalidError
from .table import Table, as_table


class Hierarchy:
    """A hierarchy that has been checked. The functions of this module make them."""

    def __init__(self) -> None:
        raise TypeError("use kith.hierarchies.read, parse, from_labels, from_frame or build")

    _handle: Handle

    @classmethod
    def _own(cls, handle: Handle) -> "Hierarchy":
        hierarchy = cls.__new__(cls)
        hierarchy._handle = handle
        return hierarchy

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @property
    def levels(self) -> int:
        """Levels from the leaves to the root, both included."""
        return int(lib.kith_hierarchy_n_levels(self._pointer))

    def __len__(self) -> int:
        """The number of leaves."""
        return int(lib.kith_hierarchy_n_leaves(self._pointer))

    def labels(self) -> List[List[str]]:
        """For every leaf its labels up to the root."""
        rows = []
        for leaf in range(len(self)):
            node, row = leaf, []
            for _ in range(self.levels):
                row.append(decode(lib.kith_hierarchy_node_label(self._pointer, node)))
                node = lib.kith_hierarchy_node_parent(self._pointer, node)
            rows.append(row)
        return rows

    def frame(self) -> Any:
        """The labels as a frame of pandas with a column for each level."""
        import pandas

        return pandas.DataFrame(self.labels(), columns=[f"level {level}" for level in range(self.levels)])

    def tree(self) -> Dict[str, Any]:
        """Sizes, and the tree below ``"root"``: nodes with ``"label"``, ``"leaves"`` and ``"children"``."""
        document = new_document()
        call("kith_hierarchy_describe", document.made, self._pointer)
        return read_document(document)

    def check(self, data: Any, column: Optional[str] = None) -> List[Finding]:
        """Checks that every value of a column is a leaf; raises `kith.DataError` with those that are not."""
        table = _values_table(data, column)
        findings = Findings()
        call(
            "kith_hierarchy_check_values", self._pointer, table._pointer, _place(table, column), findings=findings
        )
        return findings.all()

    def write(self, path: PathLike, *, separator: Optional[str] = None, overwrite: bool = False) -> None:
        """Writes it in ARX's format, complete or not at all."""
        options = _structs.WriteOptions(separator=separator_of(separator), overwrite=overwrite)
        call("kith_hierarchy_write", self._pointer, encode_path(path), byref(options))

    def __repr__(self) -> str:
        return f"<kith.Hierarchy of {len(self)} leaves, {self.levels} levels>"

    def _repr_html_(self) -> str:
        shown = [(row[0], " › ".join(row[1:])) for row in self.labels()[:20]]
        if len(self) > len(shown):
            shown.append(("…", f"{len(self) - len(shown)} more leaves"))
        return html_table(f"{len(self)} leaves, {self.levels} levels", tuple(shown))


def read(path: PathLike, *, separator: Optional[str] = None, encoding: Optional[str] = None) -> Hierarchy:
    """Reads a hierarchy in ARX's format: one row per leaf, leaf first, root last."""
    options = _structs.HierarchyOptions(
        separator=separator_of(separator), encoding=encode(encoding) if encoding is not None else None
    )
    handle = Handle("kith_hierarchy_free")
    call("kith_hierarchy_read", handle.made, encode_path(path), byref(options), findings=Findings())
    return Hierarchy._own(handle)


def parse(text: str, *, separator: Optional[str] = None) -> Hierarchy:
    """The same from a text."""
    options = _structs.HierarchyOptions(separator=separator_of(separator))
    handle = Handle("kith_hierarchy_free")
    encoded = encode(text)
    call("kith_hierarchy_parse", handle.made, encoded, len(encoded), byref(options), findings=Findings())
    return Hierarchy._own(handle)


def from_labels(rows: Iterable[Sequence[Any]]) -> Hierarchy:
    """A hierarchy from rows of labels, from the leaf to the root. None is the missing value."""
    listed = [list(row) for row in rows]
    levels = len(listed[0]) if listed else 0
    for number, row in enumerate(listed, 1):
        if len(row) != levels:
            raise InvalidError(f"leaf {number} has {len(row)} labels and not {levels}, as the first one")
    labels: List[Optional[bytes]] = [
        None if label is None else encode(str(label)) for row in listed for label in row
    ]
    handle = Handle("kith_hierarchy_free")
    call(
        "kith_hierarchy_from_labels", handle.made, texts(labels), len(listed), levels, findings=Findings()
    )
    return Hierarchy._own(handle)


def from_frame(frame: Any) -> Hierarchy:
    """A hierarchy from a frame with a row for each leaf and a column for each level, the leaves first."""
    columns = list(Table(frame).to_dict().values())
    return from_labels(zip(*columns))


def build(
    builder: Union[str, Mapping[str, Any]], data: Any, column: Optional[str] = None, *, type: Optional[str] = None
) -> Hierarchy:
    """Builds a hierarchy over values by the words of a study: ``{"intervals": [5, 10]}``, ``{"mask": "right"}``.

    `data` is a table of any kind with the name of a `column`, or the values themselves. The type is that of the
    values, if they have one; files have texts, unless `type` says ``integer``, ``decimal`` or ``date``.
    """
    table = _values_table(data, column, type)
    words = builder if isinstance(builder, str) else json.dumps(builder, ensure_ascii=False)
    handle = Handle("kith_hierarchy_free")
    call(
        "kith_hierarchy_build",
        handle.made,
        encode(words),
        table._pointer,
        _place(table, column),
        findings=Findings(),
    )
    return Hierarchy._own(handle)


def as_hierarchy(source: Any) -> Hierarchy:
    """A hierarchy, or what one is made from: a frame or rows of labels."""
    if isinstance(source, Hierarchy):
        return source
    return from_labels(source) if isinstance(source, (list, tuple)) else from_frame(source)


def _values_table(data: Any, column: Optional[str], type: Optional[str] = None) -> Table:
    name = "value" if column is None else column
    source = {name: list(data)} if column is None else data
    return Table(source, types={name: type}) if type is not None else as_table(source)


def _place(table: Table, column: Optional[str]) -> int:
    if column is None:
        return 0
    names = table.columns
    if column not in names:
        raise InvalidError(f"the data has no column {column}; it has {', '.join(names)}")
    return names.index(column)
