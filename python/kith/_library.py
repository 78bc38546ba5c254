"""Finds libkith and declares the calls that the package makes."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any, Dict, List, Tuple

_object = c_void_p
_made = POINTER(c_void_p)
_options = c_void_p  # byref() of any struct of _structs.py, or None
_run = c_void_p
_findings = c_void_p
_error = c_void_p

_SIGNATURES: Dict[str, Tuple[Any, List[Any]]] = {
    "kith_version": (c_char_p, []),
    "kith_free": (None, [c_void_p]),
    # Findings and documents
    "kith_findings_new": (_object, []),
    "kith_findings_free": (None, [_object]),
    "kith_findings_at": (c_bool, [c_void_p, _object, c_size_t]),
    "kith_document_free": (None, [_object]),
    "kith_document_json": (c_void_p, [_object, c_bool]),
    # Tables
    "kith_table_read": (c_int, [_made, c_char_p, _options, _run, _error]),
    "kith_table_builder_new": (c_int, [_made, _options, _error]),
    "kith_table_builder_free": (None, [_object]),
    "kith_table_builder_add_texts": (c_int, [_object, c_size_t, c_void_p, c_void_p, c_size_t, _error]),
    "kith_table_builder_finish": (c_int, [_made, _object, _error]),
    "kith_table_free": (None, [_object]),
    "kith_table_n_rows": (c_size_t, [_object]),
    "kith_table_n_columns": (c_size_t, [_object]),
    "kith_table_column_name": (c_char_p, [_object, c_size_t]),
    "kith_table_codes": (POINTER(c_uint32), [_object, c_size_t]),
    "kith_table_n_values": (c_size_t, [_object, c_size_t]),
    "kith_table_value": (c_char_p, [_object, c_size_t, c_size_t]),
    "kith_table_write": (c_int, [_object, c_char_p, _options, _error]),
    "kith_table_from_arrow": (c_int, [_made, c_void_p, _options, _run, _error]),
    "kith_table_to_arrow": (c_int, [c_void_p, _object, _options, _error]),
    # Hierarchies
    "kith_hierarchy_read": (c_int, [_made, c_char_p, _options, _findings, _error]),
    "kith_hierarchy_parse": (c_int, [_made, c_char_p, c_size_t, _options, _findings, _error]),
    "kith_hierarchy_from_labels": (c_int, [_made, c_void_p, c_size_t, c_size_t, _findings, _error]),
    "kith_hierarchy_build": (c_int, [_made, c_char_p, _object, c_size_t, _findings, _error]),
    "kith_hierarchy_free": (None, [_object]),
    "kith_hierarchy_write": (c_int, [_object, c_char_p, _options, _error]),
    "kith_hierarchy_check_values": (c_int, [_object, _object, c_size_t, _findings, _error]),
    "kith_hierarchy_n_leaves": (c_size_t, [_object]),
    "kith_hierarchy_n_levels": (c_size_t, [_object]),
    "kith_hierarchy_node_parent": (c_size_t, [_object, c_size_t]),
    "kith_hierarchy_node_label": (c_char_p, [_object, c_size_t]),
    "kith_hierarchy_describe": (c_int, [_made, _object, _error]),
    # Studies
    "kith_study_read": (c_int, [_made, c_char_p, _findings, _error]),
    "kith_study_parse": (c_int, [_made, c_char_p, c_size_t, c_char_p, _findings, _error]),
    "kith_study_free": (None, [_object]),
    "kith_study_outline": (c_int, [_made, c_char_p, c_size_t, _error]),
    "kith_study_change": (c_int, [_made, _object, _options, _findings, _error]),
    "kith_study_name": (c_char_p, [_object]),
    "kith_study_text": (c_char_p, [_object]),
    "kith_study_table_options": (c_int, [c_void_p, _object, _error]),
    "kith_study_digest": (None, [c_void_p, _object]),
    "kith_study_check": (c_int, [_object, _options, _run, _findings, _error]),
    "kith_study_draft": (c_int, [POINTER(c_void_p), _options, _run, _error]),
    # Jobs
    "kith_anonymize": (c_int, [_made, _object, _options, _run, _error]),
    "kith_verify": (c_int, [_made, _object, _options, _run, _error]),
    "kith_measure": (c_int, [_made, _object, _options, _run, _error]),
    "kith_describe": (c_int, [_made, _options, _run, _error]),
    "kith_try": (c_int, [_made, c_void_p, c_size_t, _options, _run, _error]),
    "kith_simulate": (c_int, [_made, _object, _options, _run, _error]),
    "kith_compare": (c_int, [_made, _object, _options, _run, _error]),
    "kith_report": (c_int, [_options, _run, _error]),
}


def _candidates() -> List[str]:
    """Where the library may be: in the package, where KITH_LIBRARY says, where the system looks."""
    packaged = Path(__file__).with_name("libkith.so.0")
    if packaged.exists():
        return [str(packaged)]
    named = os.environ.get("KITH_LIBRARY")
    if named:
        return [named]
    found = ctypes.util.find_library("kith")
    return ["libkith.so.0", "/usr/local/lib/libkith.so.0"] + ([found] if found else [])


def _load() -> ctypes.CDLL:
    reasons = []
    for candidate in _candidates():
        try:
            return ctypes.CDLL(candidate)
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError(
        "libkith was not found: install it, or say where it is by KITH_LIBRARY (" + "; ".join(reasons) + ")"
    )


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in _SIGNATURES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{library._name} is too old for this package: it has no {name}") from None
        function.restype = result
        function.argtypes = arguments
    return library


#: Calls release the GIL while they work.
lib = _declare(_load())
