"""Results: releases with their frame, summary and report."""

from __future__ import annotations

import html
import importlib.util
import os
import tempfile
from ctypes import byref
from pathlib import Path
from typing import Any, Optional, Tuple

from . import _structs
from ._call import Handle, PathLike, call, encode_path
from ._run import Run
from .documents import Document, html_table, loss_rows, model_rows, read_document
from .study import Study
from .table import Table, as_table, in_kind, kind_of


class Summary(Document):
    """What became of the data: docs/summary.md lists the keys."""

    title = "Summary"

    def rows(self) -> Tuple[Tuple[str, Any], ...]:
        first = ("study", "records", "classes", "smallest_class", "suppressed", "algorithm", "interrupted")
        known = tuple((key.replace("_", " "), self[key]) for key in first if key in self)
        return known + model_rows(self) + loss_rows(self)[:1]


class Report:
    """A page that any browser opens; a notebook shows it in a frame."""

    def __init__(self, page: str) -> None:
        self.html = page
        """The page: styles, scripts and figures are in it, nothing is loaded."""

    def save(self, path: PathLike) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
            'style="width:100%;height:640px;border:1px solid #ccc"></iframe>'
        )


class Release:
    """An anonymized table, and what is known about it."""

    def __init__(self, table: Table, summary: Handle, study: Study, kind: str, like: Any) -> None:
        self.table = table
        """The release as a `kith.Table`."""
        self.study = study
        self.summary = Summary(read_document(summary))
        """What docs/summary.md lists, as a dictionary. It says more than the release: keep it to yourself."""
        self._document = summary
        self._kind = kind
        self._like = like
        self._frame: Any = None

    @property
    def frame(self) -> Any:
        """The release in the kind of the data: a frame of pandas for one of pandas, and so on.

        A column has the type that it had in the data if all its values can be written so; otherwise, since
        ``30-39`` is no number, it has texts. There is no index.
        """
        if self._frame is None:
            self._frame = in_kind(self.table, self._kind, self._like)
        return self._frame

    @property
    def arrow(self) -> Table:
        """The release for everything that speaks the Arrow PyCapsule protocol."""
        return self.table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def write(self, uri: Any, *, separator: Optional[str] = None, overwrite: bool = False) -> None:
        """Writes the release to a file or a database, complete or not at all.

        Where they have types, columns that are released whole keep theirs.
        """
        self.table._typed().write(uri, separator=separator, overwrite=overwrite)

    def report(self, data: Any = None, *, internal: bool = False) -> Report:
        """The run as a page. A public report has nothing that cannot be computed from the release.

        An internal one also says what was measured on the data, if that is given, and is confidential.
        """
        original = as_table(data) if data is not None else None
        return make_report(
            internal=internal,
            summary=self._document.pointer,
            release=self.table._input,
            study=self.study._pointer,
            data=original._input if original is not None else None,
        )

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        summary = self.summary
        return (
            f"<kith.Release of {len(self)} rows in {summary.get('classes')} classes, "
            f"loss {summary.at('loss.lm', float('nan')):.3g}>"
        )

    def _repr_html_(self) -> str:
        shown = html_table(f"Release: {self.study.name}", self.summary.rows())
        return shown + self.table._repr_html_()


class Simulation(Release):
    """A joint run of several sites on this machine: the joint release and what the run took."""

    def __init__(
        self, table: Table, summary: Handle, study: Study, kind: str, like: Any, directory: Optional[str]
    ) -> None:
        super().__init__(table, summary, study, kind, like)
        self.directory = directory
        """Where the files of the sites are; None if they were not kept."""


def frame_kind(data: Any, study: Study) -> Tuple[str, Any]:
    """The kind that a release should have, and the types of its columns: those of the data, or of the study."""
    kind = kind_of(data)
    if isinstance(data, (str, os.PathLike)):
        kind = "pandas" if importlib.util.find_spec("pandas") is not None else "table"
        return kind, study._types
    return kind, data.iloc[:0] if kind == "pandas" else None


def make_report(**members: Any) -> Report:
    """Makes a page from what kith_report_options has."""
    with tempfile.TemporaryDirectory() as directory:
        page = os.path.join(directory, "report.html")
        options = _structs.ReportOptions(output=encode_path(page), **members)
        with Run(None, None, None) as run:
            call("kith_report", byref(options), run.pointer)
        return Report(Path(page).read_text(encoding="utf-8"))

