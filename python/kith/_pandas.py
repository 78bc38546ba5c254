"""Frames of pandas: into Arrow arrays without a copy through text, and back with the types they had.

Nothing here is imported unless a frame of pandas is at hand.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy
import pandas

from . import _arrow
from .errors import DataError, InvalidError

_NUMBERS = {
    "int8": "c",
    "uint8": "C",
    "int16": "s",
    "uint16": "S",
    "int32": "i",
    "uint32": "I",
    "int64": "l",
    "uint64": "L",
    "float32": "f",
    "float64": "g",
}
_UNITS = {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}
_PER_DAY = {"s": 86400, "ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}
_WHOLE_UP_TO = 2.0**53
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$")


def column_names(frame: Any) -> List[str]:
    if isinstance(frame.columns, pandas.MultiIndex):
        raise InvalidError("the frame has columns of several levels; flatten them first")
    return [str(name) for name in frame.columns]


def types_of(like: Any) -> Dict[str, Any]:
    """The types that columns should have: those of a frame, or of a mapping from names."""
    if like is None:
        return {}
    if isinstance(like, Mapping):
        return {name: pandas.api.types.pandas_dtype(dtype) for name, dtype in like.items()}
    return dict(zip(column_names(like), like.dtypes))


def frame_stream(frame: Any) -> _arrow.ArrowArrayStream:
    """A stream of one record batch that has the columns of a frame. The index is left out."""
    names = column_names(frame)
    columns = [_column(name, frame.iloc[:, place]) for place, name in enumerate(names)]
    table = _arrow.table_column(columns, len(frame))
    return _arrow.stream_of(table, [table])


def _buffer(values: Any) -> _arrow.Buffer:
    values = numpy.ascontiguousarray(values)
    return _arrow.Buffer(values.ctypes.data, values)


def _validity(missing: Any) -> Tuple[Optional[_arrow.Buffer], int]:
    """The bitmap of cells that are there, and the number of those that are not."""
    count = int(numpy.count_nonzero(missing))
    if count == 0:
        return None, 0
    return _buffer(numpy.packbits(~missing, bitorder="little")), count


def _plain(name: str, format_text: str, values: Any, missing: Any) -> _arrow.Column:
    validity, count = _validity(missing)
    return _arrow.Column(name, format_text, len(values), [validity, _buffer(values)], count)


def _column(name: str, series: Any) -> _arrow.Column:
    dtype = series.dtype
    if isinstance(dtype, pandas.SparseDtype):
        series = series.sparse.to_dense()
        dtype = series.dtype
    missing = series.isna().to_numpy(dtype=bool)
    if isinstance(dtype, pandas.CategoricalDtype):
        return _dictionary(name, series.cat.codes.to_numpy(), missing, series.cat.categories.tolist())
    if pandas.api.types.is_bool_dtype(dtype):
        flags = series.to_numpy(dtype=bool, na_value=False) if missing.any() else series.to_numpy(dtype=bool)
        return _plain_bits(name, flags, missing)
    if pandas.api.types.is_integer_dtype(dtype):
        return _integers(name, series, missing)
    if pandas.api.types.is_float_dtype(dtype):
        return _floats(name, series, missing)
    if isinstance(dtype, pandas.DatetimeTZDtype) or (isinstance(dtype, numpy.dtype) and dtype.kind == "M"):
        return _times(name, series, missing)
    return _objects(name, series, missing)


def _plain_bits(name: str, flags: Any, missing: Any) -> _arrow.Column:
    validity, count = _validity(missing)
    bits = numpy.packbits(flags, bitorder="little")
    return _arrow.Column(name, "b", len(flags), [validity, _buffer(bits)], count)


def _integers(name: str, series: Any, missing: Any) -> _arrow.Column:
    kind = getattr(series.dtype, "numpy_dtype", series.dtype)
    values = series.to_numpy(dtype=kind, na_value=0) if missing.any() else series.to_numpy(dtype=kind)
    return _plain(name, _NUMBERS[values.dtype.name], values, missing)


def _floats(name: str, series: Any, missing: Any) -> _arrow.Column:
    """Numbers with a fraction; whole ones are integers, which pandas keeps as floats if a cell is missing."""
    kind = numpy.float32 if "32" in str(series.dtype) else numpy.float64
    values = series.to_numpy(dtype=kind, na_value=numpy.nan)
    known = numpy.where(missing, 0, values)
    if bool(numpy.all((numpy.abs(known) < _WHOLE_UP_TO) & (known == numpy.trunc(known)))):
        return _plain(name, "l", known.astype(numpy.int64), missing)
    return _plain(name, _NUMBERS[values.dtype.name], known, missing)


def _times(name: str, series: Any, missing: Any) -> _arrow.Column:
    """Dates, if all times are midnight; else timestamps in the frame's unit."""
    zone = getattr(series.dtype, "tz", None)
    if zone is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    moments = series.to_numpy()
    unit = numpy.datetime_data(moments.dtype)[0]
    values = numpy.where(missing, 0, moments.view(numpy.int64))
    if zone is None and not numpy.any(values % _PER_DAY[unit]):
        return _plain(name, "tdD", (values // _PER_DAY[unit]).astype(numpy.int32), missing)
    return _plain(name, _UNITS[unit] + (str(zone) if zone is not None else ""), values, missing)


def _objects(name: str, series: Any, missing: Any) -> _arrow.Column:
    """Strings and everything else that has a text: every distinct one is looked at once."""
    cells = series.to_numpy(dtype=object)
    if pandas.api.types.infer_dtype(series, skipna=True) not in ("string", "empty"):
        cells = numpy.array([None if gone else text_of(cell) for cell, gone in zip(cells, missing)], dtype=object)
    codes, values = pandas.factorize(cells)
    return _dictionary(name, codes, missing, list(values))


def _dictionary(name: str, codes: Any, missing: Any, values: Sequence[Any]) -> _arrow.Column:
    indices = codes
    if missing.any():
        indices = numpy.where(missing, 0, codes).astype(codes.dtype)
    if not len(values):  # all cells are missing: an index must still lead somewhere
        values = [""]
    validity, count = _validity(missing)
    column = _arrow.Column(name, _NUMBERS[indices.dtype.name], len(indices), [validity, _buffer(indices)], count)
    column.dictionary = _texts(name, [text_of(value) for value in values])
    return column


def _texts(name: str, values: List[str]) -> _arrow.Column:
    try:
        encoded = [value.encode() for value in values]
    except UnicodeEncodeError as wrong:
        raise DataError(f"column {name}: {wrong.object!r} is not valid Unicode") from None
    offsets = numpy.zeros(len(encoded) + 1, dtype=numpy.int64)
    numpy.cumsum([len(text) for text in encoded], out=offsets[1:])
    joined = numpy.frombuffer(b"".join(encoded) or b"\0", dtype=numpy.uint8)
    return _arrow.Column(name, "U", len(encoded), [None, _buffer(offsets), _buffer(joined)])


def text_of(cell: Any) -> str:
    """How a cell is written: as a CSV file would have it, with whole numbers without a fraction."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, (bool, numpy.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (float, numpy.floating)) and abs(float(cell)) < _WHOLE_UP_TO and float(cell).is_integer():
        return str(int(cell))
    if isinstance(cell, pandas.Timestamp) and cell == cell.normalize() and cell.tz is None:
        return str(cell.date())
    if isinstance(cell, (bytes, bytearray, list, tuple, dict, set)):
        raise DataError(f"a cell is a {type(cell).__name__}, which has no text: {cell!r:.60}")
    return str(cell)


def restore(values: List[str], codes: Any, missing: Any, dtype: Any) -> Any:
    """A column of a release. It has the type of the data where all its values can be written so; else texts."""
    if isinstance(dtype, pandas.SparseDtype):
        dtype = dtype.subtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _categories(values, codes, missing, dtype)
    read = _read_as(values, dtype) if dtype is not None else None
    if read is not None:
        return _take(read, codes, missing, dtype)
    texts = numpy.array(values + [numpy.nan], dtype=object)
    taken = texts[numpy.where(missing, len(values), codes)]
    if isinstance(dtype, pandas.StringDtype):
        return pandas.array(taken, dtype=dtype)
    return taken


def _categories(values: List[str], codes: Any, missing: Any, dtype: Any) -> Any:
    """Categories in their order, if the release has no others; else those of the release.

    One that the release does not have is left out: it may be a value that only dropped rows hold.
    """
    texts = [text_of(category) for category in dtype.categories]
    found = set(values)
    if found <= set(texts):
        kept = [place for place, text in enumerate(texts) if text in found]
        known = {texts[place]: number for number, place in enumerate(kept)}
        renumbered = numpy.array([known[value] for value in values] + [-1], dtype=numpy.int64)
        shown = pandas.CategoricalDtype(dtype.categories[kept], dtype.ordered)
        return pandas.Categorical.from_codes(renumbered[numpy.where(missing, len(values), codes)], dtype=shown)
    places = numpy.where(missing, -1, codes.astype(numpy.int64))
    return pandas.Categorical.from_codes(places, values)


def _read_as(values: List[str], dtype: Any) -> Optional[Any]:
    """Distinct values in the data's type; None if one of them has no such form."""
    try:
        if pandas.api.types.is_bool_dtype(dtype):
            return numpy.array([{"true": True, "false": False}[value] for value in values])
        if pandas.api.types.is_integer_dtype(dtype):
            numbers = [int(value) for value in values]
            kind = getattr(dtype, "numpy_dtype", dtype)
            return numpy.array(numbers, dtype=kind) if [str(n) for n in numbers] == values else None
        if pandas.api.types.is_float_dtype(dtype):
            return numpy.array([float(value) for value in values])
        if pandas.api.types.is_datetime64_any_dtype(dtype):
            if all(_MOMENT.match(value) for value in values):
                return pandas.to_datetime(values, utc=getattr(dtype, "tz", None) is not None)
    except (KeyError, ValueError, OverflowError):
        pass
    return None


def _take(read: Any, codes: Any, missing: Any, dtype: Any) -> Any:
    if missing.any() and isinstance(dtype, numpy.dtype) and dtype.kind in "iub":  # these have no missing value
        dtype = "boolean" if dtype.kind == "b" else "Int64"
    if missing.all():
        return pandas.Series(None, index=range(len(codes)), dtype=dtype).array
    places = numpy.where(missing, 0, codes)
    column = pandas.Series(read).take(places).reset_index(drop=True).astype(dtype)
    return column.mask(missing).array if missing.any() else column.array
