"""What jobs have to say: dictionaries that also show themselves in notebooks."""

from __future__ import annotations

import html
import json
from ctypes import c_void_p
from typing import Any, Dict, List, Optional, Tuple

from ._call import Handle, take_text
from ._library import lib


def new_document() -> Handle:
    return Handle("kith_document_free")


def read_document(handle: Handle) -> Dict[str, Any]:
    """The values of a document of the library."""
    text = lib.kith_document_json(handle.pointer, False)
    if not text:
        raise MemoryError("out of memory")
    values: Dict[str, Any] = json.loads(take_text(c_void_p(text)))
    return values


class Document(Dict[str, Any]):
    """A dictionary with the keys that docs/summary.md lists."""

    title = "Kith"

    def at(self, path: str, default: Any = None) -> Any:
        """The value at a path of keys and indices joined by dots, such as ``"loss.lm"`` or ``"models.0.holds"``."""
        here: Any = self
        for key in path.split("."):
            if isinstance(here, dict) and key in here:
                here = here[key]
            elif isinstance(here, list) and key.isdigit() and int(key) < len(here):
                here = here[int(key)]
            else:
                return default
        return here

    def rows(self) -> Tuple[Tuple[str, Any], ...]:
        """What the notebook shows first: names and values."""
        return tuple((key, value) for key, value in self.items() if not isinstance(value, (dict, list)))

    def _repr_html_(self) -> str:
        return html_table(self.title, self.rows())


class Verdict(Document):
    """Whether all privacy models hold in a release, and the worst value of each. True if they do."""

    title = "Verdict"

    @property
    def holds(self) -> bool:
        return bool(self.get("holds", False))

    def __bool__(self) -> bool:
        return self.holds

    def rows(self) -> Tuple[Tuple[str, Any], ...]:
        return (("holds", self.holds),) + model_rows(self)


class Measurement(Document):
    """Utility and risk of a release, before and after."""

    title = "Measurement"

    def rows(self) -> Tuple[Tuple[str, Any], ...]:
        return loss_rows(self) + risk_rows(self)


class Description(Document):
    """Columns, distinct values, uniqueness, risk and suggested roles of a table."""

    title = "Description"

    def _repr_html_(self) -> str:
        return html_table(self.title, self.rows()) + html_grid("Columns", self.get("columns", []))


class Comparison(Document):
    """What each way to a release costs and loses: the rows of a comparison or of tried values."""

    title = "Comparison"

    @property
    def ways(self) -> List[Dict[str, Any]]:
        found = self.get("ways", self.get("rows", []))
        return found if isinstance(found, list) else []

    def frame(self) -> Any:
        """The rows as a frame of pandas."""
        import pandas

        return pandas.json_normalize(self.ways)

    def _repr_html_(self) -> str:
        return html_grid(self.title, self.ways)


def model_rows(document: Document) -> Tuple[Tuple[str, Any], ...]:
    """Each privacy model with its parameters, and the worst value that any class has."""
    rows = []
    for model in document.get("models", []):
        given = {k: v for k, v in model.items() if k not in ("model", "holds", "worst", "where") and v is not None}
        parameters = ", ".join(f"{key} {shown(value)}" for key, value in given.items() if not isinstance(value, dict))
        holds = model.get("holds")
        verdict = "not checked" if holds is None else "holds" if holds else "does not hold"
        rows.append((f"{model.get('model')} ({parameters})", f"{verdict}, worst value {shown(model.get('worst'))}"))
    return tuple(rows)


def loss_rows(document: Document) -> Tuple[Tuple[str, Any], ...]:
    """Every measure of loss; one that is not known is None, and shown as such."""
    loss = document.get("loss") or {}
    return tuple((f"loss: {key}", value) for key, value in loss.items() if value is None or isinstance(value, (int, float)))


def risk_rows(document: Document) -> Tuple[Tuple[str, Any], ...]:
    return tuple(
        (f"risk {when}: {key.replace('_', ' ')}", value)
        for when in ("before", "after")
        for key, value in (document.at(f"risk.{when}") or {}).items()
        if isinstance(value, (int, float))
    )


def shown(value: Optional[Any]) -> str:
    """A value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def html_table(title: str, rows: Tuple[Tuple[str, Any], ...]) -> str:
    """A table of names and values."""
    body = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(shown(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{html.escape(title)}</caption>{body}</table>"


def html_grid(title: str, rows: List[Dict[str, Any]]) -> str:
    """A table with a column for every plain value of the first row."""
    keys = [key for key, value in (rows[0] if rows else {}).items() if not isinstance(value, (dict, list))]
    head = "".join(f"<th>{html.escape(key)}</th>" for key in keys)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(shown(row.get(key)))}</td>" for key in keys) + "</tr>" for row in rows
    )
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{body}</table>"
