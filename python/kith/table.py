"""Tables of the library: from frames, Arrow streams, columns, files and databases, and back."""

from __future__ import annotations

import ctypes
import datetime
import decimal
import os
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from . import _arrow, _structs
from ._call import Handle, call, check_names, decode, encode, encode_path, separator_of, texts
from ._library import lib
from ._run import Progress, Run
from .documents import html_grid
from .errors import DataError, InvalidError

_TYPES = ("string", "integer", "decimal", "date")  # in the order of kith_type

if TYPE_CHECKING:
    from .study import Study


class Table:
    """Named columns of texts, kept as codes into the sorted list of each column's distinct texts.

    Any library that knows the Arrow PyCapsule protocol can read it, as ``polars.DataFrame(table)`` does.
    """

    def __init__(
        self, data: Any, study: Optional["Study"] = None, *, types: Optional[Mapping[str, str]] = None
    ) -> None:
        """A table with the cells of `data`; with a study the columns and types that it wants.

        `types` chooses columns without a study: ``{"age": "integer"}``, or ``string``, ``decimal``, ``date``.
        """
        self._handle = _table_of(data, Wanted(study, types))
        self._types_of: Optional[Table] = None

    @classmethod
    def _own(cls, handle: Handle, types_of: Optional["Table"] = None) -> "Table":
        table = cls.__new__(cls)
        table._handle = handle
        table._types_of = types_of
        return table

    @classmethod
    def read(
        cls,
        uri: Any,
        study: Optional["Study"] = None,
        *,
        types: Optional[Mapping[str, str]] = None,
        separator: Optional[str] = None,
        encoding: Optional[str] = None,
        header: bool = True,
        progress: Progress = None,
    ) -> "Table":
        """Reads a file or a database: any URI that docs/tables.md lists."""
        wanted = Wanted(study, types)
        wanted.options.separator = separator_of(separator)
        csv = _structs.CsvOptions(encoding=encode(encoding) if encoding is not None else None, no_header=not header)
        wanted.options.csv = ctypes.pointer(csv)
        return cls._own(_read(uri, wanted, progress))

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @property
    def _input(self) -> Any:
        """The table as data of a job, which is not used after the table has gone."""
        return ctypes.pointer(_structs.Input(table=self._pointer))

    def __len__(self) -> int:
        """The number of rows."""
        return int(lib.kith_table_n_rows(self._pointer))

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        count = lib.kith_table_n_columns(self._pointer)
        return [decode(lib.kith_table_column_name(self._pointer, i)) for i in range(count)]

    def values(self, column: int) -> List[str]:
        """The distinct texts of a column, sorted; numbers and dates by value."""
        value, pointer = lib.kith_table_value, self._pointer
        return [value(pointer, column, place).decode() for place in range(lib.kith_table_n_values(pointer, column))]

    def codes(self, column: int) -> Any:
        """The places of all cells in the distinct texts, `_structs.CODE_MISSING` for a missing one."""
        rows = len(self)
        if rows == 0:
            return (ctypes.c_uint32 * 0)()
        address = ctypes.addressof(lib.kith_table_codes(self._pointer, column).contents)
        return (ctypes.c_uint32 * rows).from_address(address)

    def to_dict(self) -> Dict[str, List[Optional[str]]]:
        """All columns as lists of texts; None is missing."""
        columns: Dict[str, List[Optional[str]]] = {}
        for place, name in enumerate(self.columns):
            values = self.values(place)
            columns[name] = [None if code == _structs.CODE_MISSING else values[code] for code in self.codes(place)]
        return columns

    def head(self, rows: int = 5) -> List[Dict[str, Optional[str]]]:
        """The first rows, each as a dictionary of texts."""
        shown: List[Dict[str, Optional[str]]] = [{} for _ in range(min(rows, len(self)))]
        for place, name in enumerate(self.columns):
            for row, code in zip(shown, self.codes(place)):
                missing = code == _structs.CODE_MISSING
                row[name] = None if missing else decode(lib.kith_table_value(self._pointer, place, code))
        return shown

    def to_pandas(self, like: Any = None) -> Any:
        """A frame of pandas. Columns have the types of those in `like` where their values allow it.

        `like` is a frame, or a mapping from names of columns to types.
        """
        import numpy
        import pandas

        from . import _pandas

        types = _pandas.types_of(like)
        columns = {}
        for place, name in enumerate(self.columns):
            codes = numpy.ctypeslib.as_array(self.codes(place))
            missing = codes == _structs.CODE_MISSING
            columns[name] = _pandas.restore(self.values(place), codes, missing, types.get(name))
        return pandas.DataFrame(columns, index=pandas.RangeIndex(len(self)))

    def to_polars(self) -> Any:
        """A frame of polars."""
        import polars

        return polars.DataFrame(self)

    def to_pyarrow(self) -> Any:
        """A table of pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def write(self, uri: Any, *, separator: Optional[str] = None, overwrite: bool = False) -> None:
        """Writes a file or a table of a database, complete or not at all."""
        options = _structs.WriteOptions(separator=separator_of(separator), overwrite=overwrite)
        call("kith_table_write", self._pointer, encode_path(uri), byref(options))

    def _typed(self) -> "Table":
        """The same cells in columns of numbers and dates, where a release has nothing else in them."""
        wanted = Wanted()
        wanted.options.missing_values = (ctypes.c_char_p * 1)()  # a list without texts: the empty text is one
        capsule = self.__arrow_c_stream__()
        return Table._own(_from_stream(_arrow.stream_in(capsule), wanted))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow PyCapsule protocol. Numbers and dates keep their types where no text is lost."""
        stream = _arrow.ArrowArrayStream()
        options = _structs.ArrowOptions()
        if self._types_of is not None:
            options.types_of = self._types_of._pointer
        call("kith_table_to_arrow", byref(stream), self._pointer, byref(options))
        return _arrow.capsule_of(stream)

    def __repr__(self) -> str:
        return f"<kith.Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return html_grid(f"{len(self)} rows", self.head())


def kind_of(data: Any) -> str:
    """Which library a frame belongs to; "table" if to none that is known."""
    library = type(data).__module__.partition(".")[0]
    if library in ("pandas", "polars", "pyarrow"):
        return library
    return "dict" if isinstance(data, Mapping) else "table"


def in_kind(table: Table, kind: str, like: Any) -> Any:
    """A table as a frame of the library that the data came from."""
    if kind == "pandas":
        return table.to_pandas(like)
    if kind == "polars":
        return table.to_polars()
    if kind == "pyarrow":
        return table.to_pyarrow()
    return table.to_dict() if kind == "dict" else table


def as_table(data: Any, study: Optional["Study"] = None) -> Table:
    """Data of any kind as a table; one that is already a table stays as it is."""
    return data if isinstance(data, Table) else Table(data, study)


class Wanted:
    """Which columns of a source are wanted, with which types: those of a study, those that are named, or all."""

    def __init__(self, study: Optional["Study"] = None, types: Optional[Mapping[str, str]] = None) -> None:
        self.options = _structs.TableOptions()
        self.all = study is None and types is None
        self._kept: Any = study  # the options point into it
        if study is not None:
            call("kith_study_table_options", byref(self.options), study._pointer)
        elif types is not None:
            self.choose({name: _type_number(name, kind) for name, kind in types.items()})

    def choose(self, types: Mapping[str, int]) -> None:
        columns = [_structs.ColumnSpec(name=encode(name), type=kind) for name, kind in types.items()]
        self.options.columns = (_structs.ColumnSpec * len(columns))(*columns)
        self.options.n_columns = len(columns)

    @property
    def names(self) -> List[str]:
        return [decode(self.options.columns[place].name) for place in range(self.options.n_columns)]


def _type_number(column: str, kind: str) -> int:
    if kind not in _TYPES:
        raise InvalidError(f"column {column}: expected {', '.join(_TYPES[:-1])} or {_TYPES[-1]}, found {kind!r}")
    return _TYPES.index(kind)


def _read(uri: Any, wanted: Wanted, progress: Progress = None) -> Handle:
    handle = Handle("kith_table_free")
    with Run(None, None, progress) as run:
        call("kith_table_read", handle.made, encode_path(uri), byref(wanted.options), run.pointer)
    return handle


def _table_of(data: Any, wanted: Wanted) -> Handle:
    if isinstance(data, (str, os.PathLike)):
        return _read(data, wanted)
    if kind_of(data) == "pandas":
        from . import _pandas

        check_names(data.columns)
        stream = _pandas.frame_stream(data)
        return _from_stream(ctypes.addressof(stream), wanted)
    if hasattr(data, "__arrow_c_stream__"):
        check_names(_names_of(data))
        capsule = data.__arrow_c_stream__()
        return _from_stream(_arrow.stream_in(capsule), wanted)
    if isinstance(data, Mapping):
        check_names(data)
        return _from_columns(data, wanted)
    raise InvalidError(
        f"data is a frame, an object with __arrow_c_stream__, a mapping of columns, a path or a URI, "
        f"not {type(data).__name__}"
    )


def _names_of(data: Any) -> Sequence[Any]:
    """Names of columns as pyarrow and polars tell them; in the stream itself they end at a NUL."""
    names = getattr(getattr(data, "schema", None), "names", ())
    return list(names() if callable(names) else names)


def _from_stream(address: int, wanted: Wanted) -> Handle:
    handle = Handle("kith_table_free")
    with Run(None, None, None) as run:
        call("kith_table_from_arrow", handle.made, address, byref(wanted.options), run.pointer)
    return handle


def _from_columns(columns: Mapping[str, Sequence[Any]], wanted: Wanted) -> Handle:
    """A table from lists of texts, numbers, dates and None."""
    if wanted.all:
        wanted.choose({str(name): _type_of(cells) for name, cells in columns.items()})
    builder = Handle("kith_table_builder_free")
    call("kith_table_builder_new", builder.made, byref(wanted.options))
    for place, name in enumerate(wanted.names):
        if name not in columns:
            raise DataError(f"the data has no column {name}; it has {', '.join(map(str, columns))}")
        cells = texts([None if _is_missing(cell) else encode(_text_of(cell)) for cell in columns[name]])
        call("kith_table_builder_add_texts", builder.pointer, place, cells, None, len(cells))
    handle = Handle("kith_table_free")
    call("kith_table_builder_finish", handle.made, builder.pointer)
    return handle


def types_of_study(study: "Study") -> Table:
    """A table without rows that has the columns and types of a study."""
    wanted = Wanted(study)
    return Table._own(_from_columns({name: [] for name in wanted.names}, wanted))


def _is_missing(cell: Any) -> bool:
    """None, and what is not equal to itself: NaN, NaT, and NA, which does not even say so."""
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True


def _type_of(cells: Sequence[Any]) -> int:
    """The type that all cells have, as a place in `_TYPES`."""
    kinds = {type(cell) for cell in cells if not _is_missing(cell)}
    if kinds == {int}:
        return 1
    if kinds and kinds <= {int, float, decimal.Decimal}:
        return 2
    return 3 if kinds == {datetime.date} else 0


def _text_of(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)
