"""The Arrow C data interface: structs, streams made in Python, and the PyCapsule protocol."""

from __future__ import annotations

import ctypes
import errno
import itertools
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, py_object
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence

NULLABLE = 2
CAPSULE_NAME = b"arrow_array_stream"


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


_ReleaseSchema = CFUNCTYPE(None, POINTER(ArrowSchema))
_ReleaseArray = CFUNCTYPE(None, POINTER(ArrowArray))
_GetSchema = CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowSchema))
_GetNext = CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowArray))
_GetLastError = CFUNCTYPE(c_void_p, POINTER(ArrowArrayStream))
_ReleaseStream = CFUNCTYPE(None, POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", _ReleaseSchema),
    ("private_data", c_void_p),
]
ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", _ReleaseArray),
    ("private_data", c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetLastError),
    ("release", _ReleaseStream),
    ("private_data", c_void_p),
]


@dataclass
class Buffer:
    """An address and the object that owns the memory behind it."""

    address: int
    owner: Any


@dataclass
class Column:
    """An array of the specification with its schema: what a frame's column becomes."""

    name: str
    format: str
    length: int
    buffers: Sequence[Optional[Buffer]]
    null_count: int = 0
    children: List["Column"] = field(default_factory=list)
    dictionary: Optional["Column"] = None


# What a struct in the hands of a consumer points to, by its private_data; its release takes it out.
_held: Dict[int, Any] = {}
_numbers = itertools.count(1)


def _hold(things: Any) -> int:
    number = next(_numbers)
    _held[number] = things
    return number


def _release_parts(struct: Any) -> None:
    """Releases children and dictionary that the consumer has not moved away."""
    parts = [struct.children[i] for i in range(struct.n_children)]
    if struct.dictionary:
        parts.append(struct.dictionary)
    for part in parts:
        if part.contents.release:
            part.contents.release(part)


def _give_back(struct: Any, nothing: Any) -> None:
    number = struct.contents.private_data
    _release_parts(struct.contents)
    struct.contents.release = nothing
    _held.pop(number, None)


@_ReleaseSchema
def _release_schema(schema: Any) -> None:
    _give_back(schema, _ReleaseSchema(0))


@_ReleaseArray
def _release_array(array: Any) -> None:
    _give_back(array, _ReleaseArray(0))


def _pointers(kind: Any, structs: Sequence[Any]) -> Any:
    return (POINTER(kind) * len(structs))(*[ctypes.pointer(struct) for struct in structs])


def schema_of(column: Column) -> ArrowSchema:
    """The schema of a column, to be handed to a consumer, who releases it."""
    children = [schema_of(child) for child in column.children]
    dictionary = schema_of(column.dictionary) if column.dictionary is not None else None
    pointers = _pointers(ArrowSchema, children)
    format_text, name = column.format.encode(), column.name.encode()
    schema = ArrowSchema(
        format=format_text,
        name=name,
        flags=NULLABLE,
        n_children=len(children),
        children=ctypes.cast(pointers, POINTER(POINTER(ArrowSchema))),
        release=_release_schema,
    )
    if dictionary is not None:
        schema.dictionary = ctypes.pointer(dictionary)
    schema.private_data = _hold((children, dictionary, pointers, format_text, name))
    return schema


def array_of(column: Column) -> ArrowArray:
    """The data of a column, to be handed to a consumer, who releases it."""
    children = [array_of(child) for child in column.children]
    dictionary = array_of(column.dictionary) if column.dictionary is not None else None
    pointers = _pointers(ArrowArray, children)
    addresses = [buffer.address if buffer is not None else None for buffer in column.buffers]
    buffers = (c_void_p * len(addresses))(*addresses)
    array = ArrowArray(
        length=column.length,
        null_count=column.null_count,
        n_buffers=len(addresses),
        n_children=len(children),
        buffers=ctypes.cast(buffers, POINTER(c_void_p)),
        children=ctypes.cast(pointers, POINTER(POINTER(ArrowArray))),
        release=_release_array,
    )
    if dictionary is not None:
        array.dictionary = ctypes.pointer(dictionary)
    array.private_data = _hold((children, dictionary, pointers, buffers, list(column.buffers)))
    return array


class _Batches:
    """What a stream gives out, and the message of its last error."""

    def __init__(self, schema: Column, batches: Any) -> None:
        self.schema = schema
        self.batches = iter(batches)
        self.message: Optional[Any] = None

    def answer(self, give: Callable[[], None]) -> int:
        try:
            give()
            return 0
        except BaseException as raised:  # it must not leave through C
            self.message = ctypes.create_string_buffer(str(raised).encode(errors="replace"))
            return errno.EIO


@_GetSchema
def _get_schema(stream: Any, out: Any) -> int:
    batches: _Batches = _held[stream.contents.private_data]

    def give() -> None:
        schema = schema_of(batches.schema)
        ctypes.memmove(out, byref(schema), ctypes.sizeof(schema))

    return batches.answer(give)


@_GetNext
def _get_next(stream: Any, out: Any) -> int:
    batches: _Batches = _held[stream.contents.private_data]

    def give() -> None:
        batch = next(batches.batches, None)
        array = ArrowArray() if batch is None else array_of(batch)
        ctypes.memmove(out, byref(array), ctypes.sizeof(array))

    return batches.answer(give)


@_GetLastError
def _get_last_error(stream: Any) -> Optional[int]:
    message = _held[stream.contents.private_data].message
    return None if message is None else ctypes.addressof(message)


@_ReleaseStream
def _release_stream(stream: Any) -> None:
    number = stream.contents.private_data
    stream.contents.release = _ReleaseStream(0)
    _held.pop(number, None)


def table_column(columns: List[Column], length: int) -> Column:
    """A record batch: a struct whose children are the columns."""
    return Column("", "+s", length, [None], children=columns)


def stream_of(schema: Column, batches: Any) -> ArrowArrayStream:
    """A stream of record batches that are made when they are asked for; the consumer releases it."""
    return ArrowArrayStream(
        get_schema=_get_schema,
        get_next=_get_next,
        get_last_error=_get_last_error,
        release=_release_stream,
        private_data=_hold(_Batches(schema, batches)),
    )


def release_stream(stream: ArrowArrayStream) -> None:
    """Releases a stream that nobody has taken over."""
    if stream.release:
        stream.release(byref(stream))


# Capsules: how Python libraries hand streams to each other.

_python = ctypes.pythonapi
_python.PyCapsule_New.restype = py_object
_python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
_python.PyCapsule_GetPointer.restype = c_void_p
_python.PyCapsule_GetPointer.argtypes = [py_object, c_char_p]
_capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _python))
_in_capsules: Dict[int, ArrowArrayStream] = {}


@ctypes.PYFUNCTYPE(None, c_void_p)
def _capsule_end(capsule: int) -> None:
    stream = _in_capsules.pop(_capsule_pointer(capsule, CAPSULE_NAME), None)
    if stream is not None:
        release_stream(stream)


# A capsule may be the last thing that goes when Python ends: what its end calls stays.
_python.Py_IncRef(py_object(_capsule_end))


def capsule_of(stream: ArrowArrayStream) -> Any:
    """A capsule that owns the stream until a consumer takes it over."""
    address = ctypes.addressof(stream)
    _in_capsules[address] = stream
    return _python.PyCapsule_New(address, CAPSULE_NAME, ctypes.cast(_capsule_end, c_void_p))


def stream_in(capsule: Any) -> int:
    """The address of the stream in a capsule."""
    address: int = _python.PyCapsule_GetPointer(capsule, CAPSULE_NAME)
    return address
