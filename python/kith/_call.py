"""Calls of the library: who owns what it makes, and how its errors become exceptions."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p
from typing import Any, Iterable, List, Optional, Union

from . import _structs, errors
from ._library import lib

PathLike = Union[str, "os.PathLike[str]"]


class Handle:
    """Something that the library makes, and frees when nobody needs it any more.

    It exists before the call that fills it, so that an interrupt right after the call loses nothing.
    """

    __slots__ = ("pointer", "_free")

    def __init__(self, free: str) -> None:
        self.pointer = c_void_p()
        self._free = getattr(lib, free)

    @property
    def made(self) -> Any:
        """What a call takes in order to fill it."""
        return byref(self.pointer)

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer.value = None


class Findings(Handle):
    """A list to which calls add what they find."""

    def __init__(self) -> None:
        super().__init__("kith_findings_free")
        self.pointer = c_void_p(lib.kith_findings_new())

    def all(self) -> List[errors.Finding]:
        found = _structs.Finding()
        listed: List[errors.Finding] = []
        while lib.kith_findings_at(byref(found), self.pointer, len(listed)):
            listed.append(
                errors.Finding(
                    severity="problem" if found.severity else "warning",
                    text=decode(found.text),
                    file=decode(found.file) if found.file not in (None, b"<memory>") else None,
                    line=found.line or None,
                    column=found.column or None,
                    path=decode(found.path) if found.path else None,
                )
            )
        return listed


def call(name: str, *arguments: Any, findings: Optional[Findings] = None) -> None:
    """Makes a call that returns a status. The error, and findings before it, are put at the end."""
    error = _structs.Error()
    if findings is not None:
        arguments += (findings.pointer,)
    status = getattr(lib, name)(*arguments, byref(error))
    if status != 0:
        listed = findings.all() if findings is not None else []
        raise errors.of_status(status, decode(error.message), decode(error.hint), listed)


def encode(text: str) -> bytes:
    """UTF-8 for the library, which takes texts that end with a NUL."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        raise errors.InvalidError(f"{text!r} is not valid Unicode") from None
    if b"\0" in encoded:
        raise errors.InvalidError(f"{text!r} has a NUL in it")
    return encoded


def encode_path(path: PathLike) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise errors.InvalidError(f"{os.fsdecode(path)!r} has a NUL in it")
    return encoded


def check_names(names: Iterable[Any]) -> None:
    """Names of columns end at a NUL for the library, so that one with a NUL would be another name."""
    for name in names:
        if isinstance(name, str) and "\0" in name:
            raise errors.InvalidError(f"the name of column {name!r} has a NUL in it")


def decode(text: Any) -> str:
    return bytes(text).decode(errors="replace")


def separator_of(separator: Optional[str]) -> bytes:
    """A separator as the structs take it; None: detect."""
    if separator is None:
        return b"\0"
    if len(separator) != 1 or not separator.isascii():
        raise errors.InvalidError(f"a separator is one ASCII character, not {separator!r}")
    return separator.encode()


def take_text(pointer: c_void_p) -> str:
    """Copies a text that the library has handed out, and releases it."""
    try:
        return decode(ctypes.string_at(pointer.value or 0))
    finally:
        lib.kith_free(pointer)


def texts(values: List[Optional[bytes]]) -> Any:
    """An array of texts; None is NULL."""
    return (ctypes.c_char_p * len(values))(*values)
