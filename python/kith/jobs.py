"""The verbs: what Kith does with data."""

from __future__ import annotations

import ctypes
import os
import tempfile
import warnings
from ctypes import byref, c_void_p
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Tuple

from . import _structs
from ._call import Handle, PathLike, call, encode, encode_path, texts
from ._run import Progress, Run
from .documents import Comparison, Description, Measurement, Verdict, new_document, read_document
from .release import Release, Simulation, frame_kind
from .study import StudyLike, as_study, scalar
from .table import Table, as_table, types_of_study


def anonymize(
    data: Any,
    study: StudyLike,
    *,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    progress: Progress = None,
    keep_order: bool = False,
    mapping: Optional[PathLike] = None,
) -> Release:
    """Anonymizes data. The release has been verified by code that shares nothing with the search.

    `data` is a frame of pandas or polars, anything with ``__arrow_c_stream__``, a mapping of columns, a path or a
    URI. The frame of the release is of the same kind. Its rows are sorted by their cells, so that their order says
    nothing about the records; an index of the data is not kept. With `keep_order` they come in the order of the data,
    and a warning says what that may tell. `mapping` is a CSV file to be written that says which row a record became:
    confidential, and what `verify` and `measure` take.

    A seed fixes the algorithm's choices. Progress is a function of the phase and of the share that is done, or
    True for a bar of tqdm. Ctrl-C stops the search and raises KeyboardInterrupt.
    """
    study = as_study(study)
    table = Table(data, study)
    release = Handle("kith_table_free")
    summary = new_document()
    options = _structs.AnonymizeOptions(
        input=table._input,
        output_table=ctypes.pointer(release.pointer),
        keep_order=keep_order,
        mapping=encode_path(mapping) if mapping is not None else None,
    )
    with Run(threads, seed, progress) as run:
        call("kith_anonymize", summary.made, study._pointer, byref(options), run.pointer)
    kind, like = frame_kind(data, study)
    made = Release(Table._own(release, types_of=types_of_study(study)), summary, study, kind, like)
    for text in made.summary.get("warnings", ()):
        warnings.warn(text, stacklevel=2)
    return made


def describe(
    data: Any, study: Optional[StudyLike] = None, *, threads: Optional[int] = None, progress: Progress = None
) -> Description:
    """Columns, distinct values, uniqueness and risk of data; with a study for its quasi-identifiers."""
    table = as_table(data)
    known = as_study(study) if study is not None else None
    options = _structs.DescribeOptions(
        data=table._input, study=known._pointer if known is not None else None
    )
    return Description(_document("kith_describe", byref(options), how=(threads, None, progress)))


def verify(
    release: Any,
    study: StudyLike,
    data: Any = None,
    *,
    mapping: Any = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Verdict:
    """Whether all privacy models of the study hold in a release, wherever it comes from.

    With data it also checks that every released cell covers the original one: row by row if the rows are in the order
    of the data, or if a mapping (a file of ``kith anonymize --mapping``, or a frame with its columns confidential_row
    and release_row) says whose row is whose. ``verdict["cover"]["check"]`` says what was checked. The verdict is true
    if all that was checked holds.
    """
    study = as_study(study)
    released = _released(release)
    original = as_table(data) if data is not None else None
    whose = as_table(mapping) if mapping is not None else None
    options = _structs.VerifyOptions(
        release=released._input,
        data=original._input if original is not None else None,
        mapping=whose._input if whose is not None else None,
    )
    return Verdict(_document("kith_verify", study._pointer, byref(options), how=(threads, None, progress)))


def measure(
    release: Any,
    study: StudyLike,
    data: Any,
    *,
    queries: int = 0,
    classify: Optional[str] = None,
    population: float = 0,
    weights: Optional[str] = None,
    special_uniques: int = 0,
    mapping: Any = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    progress: Progress = None,
) -> Measurement:
    """Utility and risk of a release, wherever it comes from, against the data that it was made from.

    `queries` is a number of random counting queries whose error is measured, `classify` a column that a classifier is
    to predict, `population` the number of records of which the data is a sample (below 1: the share that it has),
    `weights` a column that says how many of them a record stands for; special uniques are looked for in sets of so many
    quasi-identifiers. `mapping` says whose row is whose, as for `verify`: some figures need it unless the rows are in
    the order of the data. A release of a sample needs it, or the seed of the run that made it.
    """
    study = as_study(study)
    released, original = _released(release), as_table(data)
    whose = as_table(mapping) if mapping is not None else None
    options = _structs.MeasureOptions(
        data=original._input,
        release=released._input,
        n_queries=queries,
        classify=encode(classify) if classify is not None else None,
        population=population,
        weights=encode(weights) if weights is not None else None,
        special_uniques=special_uniques,
        mapping=whose._input if whose is not None else None,
    )
    return Measurement(_document("kith_measure", study._pointer, byref(options), how=(threads, seed, progress)))


def explore(
    data: Any,
    study: StudyLike,
    values: Mapping[str, Sequence[Any]],
    *,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    progress: Progress = None,
) -> Comparison:
    """Anonymizes data under every combination of values, ``{"k": [3, 5, 10]}``, and tells loss and risk of each."""
    study = as_study(study)
    table = as_table(data)
    sets = texts([encode(f"{path}={','.join(scalar(value) for value in tried)}") for path, tried in values.items()])
    options = _structs.TryOptions(
        sets=ctypes.cast(sets, ctypes.POINTER(ctypes.c_char_p)), n_sets=len(sets), input=table._input
    )
    studies = (c_void_p * 1)(study._pointer)
    return Comparison(_document("kith_try", studies, 1, byref(options), how=(threads, seed, progress)))


def simulate(
    data: Any,
    study: StudyLike,
    *,
    sites: int,
    split: Optional[str] = None,
    directory: Optional[PathLike] = None,
    overwrite: bool = False,
    baseline: bool = False,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    progress: Progress = None,
) -> Simulation:
    """Deals data to several sites, which anonymize it jointly, and measures their release against the whole.

    `split` is ``"rows"``, ``"hash:COLUMN"``, ``"by:COLUMN"``, ``"columns:a,b/c,d"`` or ``"2x2"``. The sites are threads
    of this process. A directory keeps what each of them would have: its ledger, its summary and the release.
    """
    study = as_study(study)
    table = as_table(data)
    summary = new_document()
    with tempfile.TemporaryDirectory() as temporary:
        place = os.fspath(directory) if directory is not None else os.path.join(temporary, "run")
        options = _simulate_options(table, sites, split, place, overwrite)
        options.baseline = baseline
        with Run(threads, seed, progress) as run:
            call("kith_simulate", summary.made, study._pointer, byref(options), run.pointer)
        release = Table.read(Path(place) / "release.csv", separator=",")
    release._types_of = types_of_study(study)
    kind, like = frame_kind(data, study)
    return Simulation(release, summary, study, kind, like, place if directory is not None else None)


def compare(
    data: Any,
    study: StudyLike,
    *,
    sites: int,
    split: Optional[str] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    progress: Progress = None,
) -> Comparison:
    """Runs every protocol that fits on the same data, and next to them all data in one place and each site alone."""
    study = as_study(study)
    table = as_table(data)
    options = _simulate_options(table, sites, split, None, False)
    return Comparison(_document("kith_compare", study._pointer, byref(options), how=(threads, seed, progress)))


def _simulate_options(
    table: Table, sites: int, split: Optional[str], directory: Optional[str], overwrite: bool
) -> _structs.SimulateOptions:
    return _structs.SimulateOptions(
        input=table._input,
        n_sites=sites,
        split=encode(split) if split is not None else None,
        directory=encode_path(directory) if directory is not None else None,
        overwrite=overwrite,
    )


def _document(function: str, *arguments: Any, how: Tuple[Optional[int], Optional[int], Progress]) -> Any:
    """What a call of the library says; `how` is the number of threads, the seed and the progress."""
    document = new_document()
    with Run(*how) as run:
        call(function, document.made, *arguments, run.pointer)
    return read_document(document)


def _released(release: Any) -> Table:
    """A release of ours, or a table from elsewhere."""
    return release.table if isinstance(release, Release) else as_table(release)
