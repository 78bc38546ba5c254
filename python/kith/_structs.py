"""The structs of include/kith/*.h, member by member."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any

CODE_MISSING = 0xFFFFFFFF

ProgressFunction = ctypes.CFUNCTYPE(c_bool, c_void_p, c_char_p, c_double)


class Sized(ctypes.Structure):
    """A struct that begins with its own size, by which the library knows what the caller has."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **members)


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", c_char * 1024), ("hint", c_char * 512)]


class Finding(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("severity", c_int),
        ("file", c_char_p),
        ("line", c_size_t),
        ("column", c_size_t),
        ("text", c_char_p),
        ("path", c_char_p),
    ]


class Run(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("n_threads", c_uint),
        ("seeded", c_bool),
        ("seed", c_uint64),
        ("progress", ProgressFunction),
        ("user", c_void_p),
        ("ranks", c_void_p),
    ]


class ColumnSpec(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("date_format", c_char_p)]


class CsvOptions(Sized):
    _fields_ = [("size", c_size_t), ("encoding", c_char_p), ("no_header", c_bool)]


class TableOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("separator", c_char),
        ("trim", c_bool),
        ("columns", POINTER(ColumnSpec)),
        ("n_columns", c_size_t),
        ("missing_values", POINTER(c_char_p)),
        ("n_missing_values", c_size_t),
        ("csv", POINTER(CsvOptions)),
    ]


class Input(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("uri", c_char_p),
        ("table", c_void_p),
        ("separator", c_char),
        ("csv", POINTER(CsvOptions)),
    ]


class ArrowOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("types_of", c_void_p),
        ("batch_rows", c_size_t),
        ("all_texts", c_bool),
        ("no_dictionary", c_bool),
    ]


class WriteOptions(Sized):
    _fields_ = [("size", c_size_t), ("separator", c_char), ("overwrite", c_bool)]


class HierarchyOptions(Sized):
    _fields_ = [("size", c_size_t), ("separator", c_char), ("encoding", c_char_p)]


class Setting(ctypes.Structure):
    _fields_ = [("path", c_char_p), ("value", c_char_p)]


class ColumnHierarchy(ctypes.Structure):
    _fields_ = [("column", c_char_p), ("hierarchy", c_void_p)]


class ChangeOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("settings", POINTER(Setting)),
        ("n_settings", c_size_t),
        ("hierarchies", POINTER(ColumnHierarchy)),
        ("n_hierarchies", c_size_t),
    ]


class CheckOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("data", POINTER(Input)),
        ("as", c_char_p),
    ]


class DraftOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("data", POINTER(Input)),
        ("output", c_char_p),
        ("overwrite", c_bool),
    ]


class AnonymizeOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("input", POINTER(Input)),
        ("output", c_char_p),
        ("output_table", POINTER(c_void_p)),
        ("overwrite", c_bool),
        ("shuffle", c_bool),
        ("keep_order", c_bool),
        ("explain", c_bool),
        ("mapping", c_char_p),
        ("lattice", c_char_p),
        ("summary", c_char_p),
        ("memory_bytes", c_uint64),
        ("review", c_void_p),
        ("review_user", c_void_p),
    ]


class VerifyOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("release", POINTER(Input)),
        ("data", POINTER(Input)),
        ("mapping", POINTER(Input)),
        ("memory_bytes", c_uint64),
    ]


class MeasureOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("data", POINTER(Input)),
        ("release", POINTER(Input)),
        ("mapping", POINTER(Input)),
        ("n_queries", c_size_t),
        ("classify", c_char_p),
        ("population", c_double),
        ("weights", c_char_p),
        ("special_uniques", c_size_t),
    ]


class DescribeOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("data", POINTER(Input)),
        ("study", c_void_p),
        ("known", POINTER(Input)),
    ]


class TryOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("input", POINTER(Input)),
        ("sets", POINTER(c_char_p)),
        ("n_sets", c_size_t),
    ]


class SimulateOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("input", POINTER(Input)),
        ("n_sites", c_uint32),
        ("delay_ms", c_uint32),
        ("split", c_char_p),
        ("directory", c_char_p),
        ("executable", c_char_p),
        ("query", c_char_p),
        ("compress", c_bool),
        ("baseline", c_bool),
        ("overwrite", c_bool),
    ]


class ReportOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("run", c_char_p),
        ("summary", c_void_p),
        ("release", POINTER(Input)),
        ("internal", c_bool),
        ("overwrite", c_bool),
        ("data", POINTER(Input)),
        ("study", c_void_p),
        ("lattice", c_char_p),
        ("estimate", c_char_p),
        ("output", c_char_p),
    ]
