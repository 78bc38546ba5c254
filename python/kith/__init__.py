"""Anonymizes tables: frames, Arrow streams, files and databases.

    >>> import kith
    >>> release = kith.anonymize(frame, study)      # doctest: +SKIP
    >>> release.frame, release.summary["loss"]      # doctest: +SKIP

docs/python.md is the guide; docs/study.md says what a study has.
"""

from . import hierarchies
from ._call import decode as _decode
from ._library import lib as _lib
from .documents import Comparison, Description, Document, Measurement, Verdict
from .errors import (
    BugError,
    CancelledError,
    DataError,
    Error,
    Finding,
    InfeasibleError,
    InputOutputError,
    InvalidError,
    NoMemoryError,
    PeerError,
)
from .hierarchies import Hierarchy
from .jobs import anonymize, compare, describe, explore, measure, simulate, verify
from .release import Release, Report, Simulation, Summary
from .study import Study
from .table import Table

#: The version of the library in use.
__version__ = _decode(_lib.kith_version())

__all__ = [
    "BugError",
    "CancelledError",
    "Comparison",
    "DataError",
    "Description",
    "Document",
    "Error",
    "Finding",
    "Hierarchy",
    "InfeasibleError",
    "InputOutputError",
    "InvalidError",
    "Measurement",
    "NoMemoryError",
    "PeerError",
    "Release",
    "Report",
    "Simulation",
    "Study",
    "Summary",
    "Table",
    "Verdict",
    "anonymize",
    "compare",
    "describe",
    "explore",
    "hierarchies",
    "measure",
    "simulate",
    "verify",
]
