"""How a long call is run: threads, seed, progress, and what an interrupt does to it."""

from __future__ import annotations

import signal
import sys
import threading
from ctypes import byref
from types import TracebackType
from typing import Any, Callable, Optional, Type, Union

from . import _structs, errors
from ._call import decode

#: Called with the phase and the share that is done, None where that is unknown. Returns False to stop.
ProgressFunction = Callable[[str, Optional[float]], Optional[bool]]
Progress = Union[None, bool, ProgressFunction]


class Run:
    """Threads, seed and progress of one call, as a context around it.

    The library works without the GIL and calls back now and then. Exceptions of the progress function stop
    it, and leave the context afterwards. So does Ctrl-C: Python would call the handler before the first line of
    the callback, where nobody can catch what it raises. The signal is noted instead, and the callback calls the
    handler.
    """

    def __init__(self, threads: Optional[int], seed: Optional[int], progress: Progress) -> None:
        if threads is not None and not 1 <= threads <= 0xFFFF:
            raise errors.InvalidError(f"threads is a number from 1 on, not {threads}")
        if seed is not None and not 0 <= seed < 2**64:
            raise errors.InvalidError(f"a seed is a number below 2^64, not {seed}")
        self._progress = _progress_function(progress)
        self._callback = _structs.ProgressFunction(self._told)
        self._struct = _structs.Run(
            n_threads=threads or 0, seeded=seed is not None, seed=seed or 0, progress=self._callback
        )
        self._stopped_by: Optional[BaseException] = None
        self._telling = False
        self._signal: Optional[Any] = None
        self._handler: Any = None

    @property
    def pointer(self) -> Any:
        return byref(self._struct)

    def __enter__(self) -> "Run":
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._note_signal)
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], raised: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        close = getattr(self._progress, "close", None)
        if close is not None:
            close()
        # The callback knows this object, and the exception all frames that lead here: nobody would free such a circle.
        del self._callback, self._struct
        stopped_by, self._stopped_by = self._stopped_by, None
        try:
            if stopped_by is not None:
                raise stopped_by from None
        finally:
            del stopped_by
        self._handle_signal()

    def _note_signal(self, number: int, frame: Any) -> None:
        if self._telling:
            self._handler(number, frame)
        else:
            self._signal = (number, frame)

    def _handle_signal(self) -> None:
        """Does what Ctrl-C does outside: usually it raises KeyboardInterrupt."""
        if self._signal is not None:
            noted, self._signal = self._signal, None
            self._handler(*noted)

    def _told(self, _user: Any, phase: bytes, done: float) -> bool:
        try:
            self._handle_signal()
            if self._progress is None:
                return True
            self._telling = True
            answer = self._progress(decode(phase), done if done >= 0 else None)
            self._telling = False
            return answer is not False
        except BaseException as raised:  # also SystemExit: it has to pass through the library
            self._telling = False
            self._stopped_by = raised
            return False


class _Bar:
    """Progress as a bar of tqdm, one for each phase."""

    def __init__(self, make: Any) -> None:
        self._make = make
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, done: Optional[float]) -> None:
        name, _, detail = phase.partition(": ")
        if name != self._phase:
            self.close()
            self._phase = name
            self._bar = self._make(total=1.0, desc=name, bar_format="{desc} {percentage:3.0f}% {elapsed} {postfix}")
        if done is not None:
            self._bar.n = min(done, 1.0)
        self._bar.set_postfix_str(detail, refresh=False)
        self._bar.update(0)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Lines:
    """Progress where tqdm is not installed: a line on standard error for each phase."""

    def __init__(self) -> None:
        self._phase = ""

    def __call__(self, phase: str, done: Optional[float]) -> None:
        name = phase.partition(": ")[0]
        if name != self._phase:
            self._phase = name
            print(name, file=sys.stderr, flush=True)


def _progress_function(progress: Progress) -> Any:
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bar(tqdm)
