"""Exceptions: one class for every status of the library, and findings with path and line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong or remarkable about a study, a hierarchy or data."""

    severity: str
    """``"problem"`` or ``"warning"``."""
    text: str
    file: Optional[str] = None
    line: Optional[int] = None
    """Line of the file or of the study's text, from 1."""
    column: Optional[int] = None
    path: Optional[str] = None
    """Key of the study that it is about, such as ``"columns.age.type"``."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        if self.line and not self.file:
            place = f"line {self.line}"
        where = ", ".join(part for part in (place, self.path) if part)
        return f"{where}: {self.text}" if where else self.text


class Error(Exception):
    """What the library refuses or cannot do. Every status has a class of its own."""

    status = 0

    def __init__(self, message: str, hint: str = "", findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """What to do about it, or an empty text."""
        self.findings = tuple(findings)
        """Everything that was found, where the call looks for more than one mistake."""

    def __str__(self) -> str:
        if len(self.findings) > 1:  # the message is the first of them
            return "\n".join(str(finding) for finding in self.findings)
        return f"{self.message} ({self.hint})" if self.hint else self.message


class NoMemoryError(Error, MemoryError):
    """Out of memory: use a bigger machine or less data."""

    status = 1


class InvalidError(Error, ValueError):
    """A parameter or a study that no data could make right."""

    status = 2


class DataError(Error, ValueError):
    """Input that breaks its format or contradicts the study."""

    status = 3


class InputOutputError(Error):
    """The operating system, a database or a disk said no."""

    status = 4


class PeerError(Error):
    """Another party or the network failed."""

    status = 5


class InfeasibleError(Error):
    """The privacy models cannot be met on this data."""

    status = 6


class CancelledError(Error):
    """The progress function asked to stop before there was a result."""

    status = 7


class BugError(Error):
    """Kith itself is wrong: please report it."""

    status = 8


_CLASSES = {
    kind.status: kind
    for kind in (
        NoMemoryError,
        InvalidError,
        DataError,
        InputOutputError,
        PeerError,
        InfeasibleError,
        CancelledError,
        BugError,
    )
}


def of_status(status: int, message: str, hint: str, findings: Sequence[Finding]) -> Error:
    """The exception for what a call of the library returned."""
    return _CLASSES.get(status, BugError)(message, hint, findings)
