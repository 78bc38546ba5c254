"""Studies: what is to be anonymized, how privately, and how well."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref, c_void_p
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _structs
from ._call import Findings, Handle, PathLike, call, decode, encode, encode_path, take_text
from ._library import lib
from ._run import Progress, Run
from .documents import new_document, read_document
from .errors import Finding, InvalidError
from .hierarchies import Hierarchy, as_hierarchy
from .table import as_table

# By kith_type: integers, decimals, dates.
_TYPES = {1: "int64", 2: "float64", 3: "datetime64[ns]"}

StudyLike = Union["Study", Mapping[str, Any], str, "os.PathLike[str]"]


class Study:
    """A study that has been read and checked. It never changes: `change` makes another one.

    A study comes from a dictionary with the keys of a study file (docs/study.md), from a YAML text, or from a
    file. A `str` with a line end is a text, any other one the path of a file. In a dictionary a column's
    ``hierarchy`` may also be a `kith.Hierarchy` or a frame.

    Everything that is wrong is in `findings` of the `kith.InvalidError` or `kith.DataError` that is raised, with
    the path of the key and, for texts and files, the line.
    """

    def __init__(self, source: Union[Mapping[str, Any], PathLike], *, directory: PathLike = ".") -> None:
        """Reads a study; relative paths in a dictionary or a text start at `directory`."""
        self._handle = Handle("kith_study_free")
        findings = Findings()
        if isinstance(source, Mapping):
            values, hierarchies = _without_hierarchies(source)
            self._parse(_yaml(values), directory, findings)
            if hierarchies:
                self._handle = self._changed({}, hierarchies, findings)
        elif isinstance(source, str) and "\n" in source:
            self._parse(source, directory, findings)
        else:
            call("kith_study_read", self._handle.made, encode_path(source), findings=findings)
        self.warnings: Tuple[Finding, ...] = tuple(findings.all())
        """What is remarkable about the study, but not wrong."""

    def _parse(self, text: str, directory: PathLike, findings: Findings) -> None:
        encoded = encode(text)
        call(
            "kith_study_parse",
            self._handle.made,
            encoded,
            len(encoded),
            encode_path(directory),
            findings=findings,
        )

    @classmethod
    def _own(cls, handle: Handle, findings: Findings) -> "Study":
        study = cls.__new__(cls)
        study._handle = handle
        study.warnings = tuple(findings.all())
        return study

    @classmethod
    def draft(cls, data: Any, *, threads: Optional[int] = None, progress: Progress = None) -> "Study":
        """A first study for data, with roles as `kith.describe` suggests them; its text has comments."""
        table = as_table(data)
        options = _structs.DraftOptions(data=table._input)
        text = c_void_p()
        with Run(threads, None, progress) as run:
            call("kith_study_draft", byref(text), byref(options), run.pointer)
        return cls(take_text(text) + "\n")

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @property
    def name(self) -> str:
        return decode(lib.kith_study_name(self._pointer))

    @property
    def text(self) -> str:
        """The YAML text, with the values that `change` has set."""
        return decode(lib.kith_study_text(self._pointer))

    @property
    def digest(self) -> str:
        """64 hexadecimal digits over all that matters, hierarchies included."""
        digest = ctypes.create_string_buffer(65)
        lib.kith_study_digest(digest, self._pointer)
        return decode(digest.value)

    @property
    def _types(self) -> Dict[str, str]:
        """The types that pandas has for columns of the study that are no texts."""
        options = _structs.TableOptions()
        call("kith_study_table_options", byref(options), self._pointer)
        columns = [options.columns[place] for place in range(options.n_columns)]
        return {decode(column.name): _TYPES[column.type] for column in columns if column.type in _TYPES}

    def to_dict(self) -> Dict[str, Any]:
        """Mappings, lists and texts, as they stand in the text of the study."""
        outline = new_document()
        encoded = encode(self.text)
        call("kith_study_outline", outline.made, encoded, len(encoded))
        return read_document(outline)

    def change(
        self,
        settings: Optional[Mapping[str, Any]] = None,
        *,
        hierarchies: Optional[Mapping[str, Any]] = None,
        **parameters: Any,
    ) -> "Study":
        """A study with other values, other hierarchies, or both.

        Settings are single values by their path, ``{"utility.suppression": 0.02, "columns.age.max_level": 2}``; a
        parameter that only one privacy model has may be given by its name alone, ``k=3``. Hierarchies are given by
        column: `kith.Hierarchy`, frames with a row for each leaf, or rows of labels.
        """
        values = {**(settings or {}), **parameters}
        findings = Findings()
        handle = self._changed(values, hierarchies or {}, findings)
        return Study._own(handle, findings)

    def _changed(self, settings: Mapping[str, Any], hierarchies: Mapping[str, Any], findings: Findings) -> Handle:
        made = {column: as_hierarchy(hierarchy) for column, hierarchy in hierarchies.items()}
        pairs = [_structs.Setting(encode(path), encode(scalar(value))) for path, value in settings.items()]
        places = [_structs.ColumnHierarchy(encode(column), h._pointer) for column, h in made.items()]
        options = _structs.ChangeOptions(
            settings=(_structs.Setting * len(pairs))(*pairs),
            n_settings=len(pairs),
            hierarchies=(_structs.ColumnHierarchy * len(places))(*places),
            n_hierarchies=len(places),
        )
        handle = Handle("kith_study_free")
        call("kith_study_change", handle.made, self._pointer, byref(options), findings=findings)
        return handle

    def check(
        self,
        data: Any,
        *,
        party: Optional[str] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> List[Finding]:
        """Checks the study against data: columns, types, values without a place in their hierarchy.

        Returns warnings. Problems are raised, all of them in `findings` of the exception. With `party` the data is
        what this party holds in a joint run.
        """
        table = as_table(data)
        options = _structs.CheckOptions(data=table._input)
        if party is not None:
            setattr(options, "as", encode(party))  # a keyword of Python
        findings = Findings()
        with Run(threads, None, progress) as run:
            call("kith_study_check", self._pointer, byref(options), run.pointer, findings=findings)
        return findings.all()

    def __repr__(self) -> str:
        return f"<kith.Study {self.name}>"


def as_study(study: StudyLike) -> Study:
    """A study, or what one is made from."""
    return study if isinstance(study, Study) else Study(study)


def _without_hierarchies(source: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Hierarchy]]:
    """Takes hierarchies that are objects out of a study: its text cannot have them."""
    values = dict(source)
    columns = values.get("columns")
    hierarchies: Dict[str, Hierarchy] = {}
    if isinstance(columns, (list, tuple)):
        values["columns"] = [dict(column) if isinstance(column, Mapping) else column for column in columns]
        for column in values["columns"]:
            given = column.get("hierarchy") if isinstance(column, dict) else None
            if given is not None and not isinstance(given, (str, Mapping)):
                hierarchies[str(column.get("name"))] = as_hierarchy(column.pop("hierarchy"))
    return values, hierarchies


def _yaml(values: Mapping[str, Any]) -> str:
    """A study as YAML: a line for every key, and for every item of a list, so that findings have lines."""
    lines = []
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple)) and value:
            lines.append(f"{_json(key)}:")
            lines += [f"  - {_json(item)}" for item in value]
        else:
            lines.append(f"{_json(key)}: {_json(value)}")
    return "\n".join(lines) + "\n"


def _json(value: Any) -> str:
    """JSON, which is YAML as well."""
    return json.dumps(_pruned(value), ensure_ascii=False, default=_plain)


def _pruned(value: Any) -> Any:
    """Without keys that are None, which means: not said."""
    if isinstance(value, Mapping):
        return {str(key): _pruned(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_pruned(item) for item in value]
    return value


def _plain(value: Any) -> Any:
    """Numbers of numpy, paths and dates."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise InvalidError(f"a study has no place for a {type(value).__name__}: {value!r:.60}")


def scalar(value: Any) -> str:
    """A single value as it is written in a study."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, Mapping)):
        raise InvalidError(f"a setting is a single value, not {value!r:.60}")
    return _json(value)
