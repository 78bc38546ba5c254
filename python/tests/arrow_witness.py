"""A producer and a consumer of Arrow streams of their own: they share nothing with the package.

The structs are written down as the specification has them, with plain addresses for pointers.
"""

from __future__ import annotations

import ctypes
import struct
from ctypes import CFUNCTYPE, c_char_p, c_int, c_int64, c_void_p, py_object
from typing import Any, Dict, List, Optional, Tuple


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_void_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", c_void_p),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


_Get = CFUNCTYPE(c_int, c_void_p, c_void_p)
_Error = CFUNCTYPE(c_void_p, c_void_p)
_Release = CFUNCTYPE(None, c_void_p)
_capsule_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_capsule_get = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class Producer:
    """Chunks of utf8 columns, each {name: [text or None]}, under the PyCapsule protocol.

    `released` says what the consumer has given back, `fail_at` after how many chunks the stream breaks down.
    """

    def __init__(self, chunks: List[Dict[str, List[Optional[str]]]], fail_at: Optional[int] = None) -> None:
        self.chunks = chunks
        self.fail_at = fail_at
        self.given = 0
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self._kept: List[Any] = []
        self._callbacks = {
            "get_schema": _Get(self._schema),
            "get_next": _Get(self._next),
            "get_last_error": _Error(self._message),
            "release": _Release(lambda at: self._gone("stream", Stream, at)),
        }
        self._release_schema = _Release(lambda at: self._gone("schema", Schema, at))
        self._release_array = _Release(lambda at: self._gone("array", Array, at))
        self._text = ctypes.create_string_buffer("the disk is gone".encode())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        self._stream = Stream(**{name: ctypes.cast(f, c_void_p) for name, f in self._callbacks.items()})
        return _capsule_new(ctypes.addressof(self._stream), b"arrow_array_stream", None)

    def _gone(self, what: str, kind: Any, address: int) -> None:
        self.released[what] += 1
        kind.from_address(address).release = None

    def _message(self, _stream: int) -> int:
        return ctypes.addressof(self._text)

    def _keep(self, thing: Any) -> int:
        self._kept.append(thing)
        return ctypes.addressof(thing)

    def _schema(self, _stream: int, out: int) -> int:
        release = ctypes.cast(self._release_schema, c_void_p)
        children = [
            self._keep(Schema(format=b"u", name=self._name(name), flags=2, release=release)) for name in self.chunks[0]
        ]
        pointers = self._keep((c_void_p * len(children))(*children))
        whole = Schema(format=b"+s", name=b"", n_children=len(children), children=pointers, release=release)
        ctypes.memmove(out, ctypes.byref(whole), ctypes.sizeof(whole))
        return 0

    def _name(self, name: str) -> bytes:
        encoded = name.encode()
        self._kept.append(encoded)
        return encoded

    def _next(self, _stream: int, out: int) -> int:
        if self.given == self.fail_at:
            return 5
        whole = Array()
        if self.given < len(self.chunks):
            chunk = self.chunks[self.given]
            children = [self._keep(self._column(cells)) for cells in chunk.values()]
            whole = Array(
                length=len(next(iter(chunk.values()))),
                n_buffers=1,
                buffers=self._keep((c_void_p * 1)(None)),
                n_children=len(children),
                children=self._keep((c_void_p * len(children))(*children)),
                release=ctypes.cast(self._release_array, c_void_p),
            )
            self.given += 1
        ctypes.memmove(out, ctypes.byref(whole), ctypes.sizeof(whole))
        return 0

    def _column(self, cells: List[Optional[str]]) -> Array:
        """One cell too many at the front, so that the array has an offset."""
        padded = ["before"] + cells
        texts = [(cell or "").encode() for cell in padded]
        ends = [sum(len(text) for text in texts[:i]) for i in range(len(texts) + 1)]
        bits = bytearray((len(padded) + 7) // 8)
        for place, cell in enumerate(padded):
            if cell is not None:
                bits[place // 8] |= 1 << place % 8
        buffers = [bytes(bits), struct.pack(f"={len(ends)}i", *ends), b"".join(texts)]
        held = [self._keep(ctypes.create_string_buffer(buffer, len(buffer) or 1)) for buffer in buffers]
        return Array(
            length=len(cells),
            null_count=cells.count(None),
            offset=1,
            n_buffers=3,
            buffers=self._keep((c_void_p * 3)(*held)),
            release=ctypes.cast(self._release_array, c_void_p),
        )


def consume(source: Any) -> Tuple[Dict[str, str], Dict[str, List[Any]]]:
    """Reads a whole stream: the format of every column, and its cells."""
    capsule = source.__arrow_c_stream__()
    stream = Stream.from_address(_capsule_get(capsule, b"arrow_array_stream"))
    at = ctypes.addressof(stream)
    schema = Schema()
    assert _Get(stream.get_schema)(at, ctypes.addressof(schema)) == 0
    names = [_part(Schema, schema, i).name.decode() for i in range(schema.n_children)]
    formats = {}
    for i, name in enumerate(names):
        child = _part(Schema, schema, i)
        inner = Schema.from_address(child.dictionary).format.decode() if child.dictionary else ""
        formats[name] = child.format.decode() + (f"[{inner}]" if inner else "")
    cells: Dict[str, List[Any]] = {name: [] for name in names}
    while True:
        array = Array()
        assert _Get(stream.get_next)(at, ctypes.addressof(array)) == 0
        if not array.release:
            break
        for i, name in enumerate(names):
            cells[name] += _cells(_part(Schema, schema, i), _part(Array, array, i))
        _Release(array.release)(ctypes.addressof(array))
        assert not array.release
    _Release(schema.release)(ctypes.addressof(schema))
    _Release(stream.release)(at)
    assert not stream.release
    return formats, cells


def _part(kind: Any, whole: Any, place: int) -> Any:
    return kind.from_address(c_void_p.from_address(whole.children + 8 * place).value or 0)


def _cells(schema: Any, array: Any) -> List[Any]:
    form = schema.format.decode()
    buffers = [c_void_p.from_address(array.buffers + 8 * i).value for i in range(array.n_buffers)]
    first, last = array.offset, array.offset + array.length
    if array.length == 0:
        return []
    if form in ("u", "U"):
        code, width = ("i", 4) if form == "u" else ("q", 8)
        ends = struct.unpack(f"={last + 1}{code}", ctypes.string_at(buffers[1] or 0, (last + 1) * width))
        text = ctypes.string_at(buffers[2] or 0, ends[-1]) if ends[-1] else b""
        found: List[Any] = [text[ends[i] : ends[i + 1]].decode() for i in range(first, last)]
    else:
        code, width = {"i": ("i", 4), "l": ("q", 8), "g": ("d", 8), "tdD": ("i", 4), "I": ("I", 4)}[form]
        found = list(struct.unpack(f"={last}{code}", ctypes.string_at(buffers[1] or 0, last * width)))[first:]
        if schema.dictionary:
            inner = _cells(Schema.from_address(schema.dictionary), Array.from_address(array.dictionary))
            valid = _valid(buffers[0], first, last)
            return [inner[place] if there else None for place, there in zip(found, valid)]
    return [cell if there else None for cell, there in zip(found, _valid(buffers[0], first, last))]


def _valid(buffer: Optional[int], first: int, last: int) -> List[bool]:
    if not buffer:
        return [True] * (last - first)
    bits = ctypes.string_at(buffer, (last + 7) // 8)
    return [bool(bits[i // 8] >> i % 8 & 1) for i in range(first, last)]
