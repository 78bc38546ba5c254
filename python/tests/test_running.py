"""Progress, interrupts and threads: how a long call is run, and that nothing is left of one that was stopped."""

import gc
import io
import os
import signal
import subprocess
import sys
import threading
import unittest
import unittest.mock

import kith
from kith import _arrow
from kith._call import Handle, call
from support import PEOPLE, PEOPLE_STUDY, DirectoryCase


class Counted:
    """Counts what the library has made and the package has not freed."""

    def __enter__(self):
        self.alive = set()
        first, last = Handle.__init__, Handle.__del__

        def begin(handle, free):
            first(handle, free)
            self.alive.add(id(handle))

        def end(handle):
            last(handle)
            self.alive.discard(id(handle))
            assert not handle.pointer

        self.patches = [
            unittest.mock.patch.object(Handle, "__init__", begin),
            unittest.mock.patch.object(Handle, "__del__", end),
        ]
        for patch in self.patches:
            patch.start()
        return self

    def __exit__(self, *raised):
        for patch in self.patches:
            patch.stop()


def raised_by(data, study, **how):
    """What a run raises. assertRaises would empty the frames that it went through, and hide what they keep alive."""
    try:
        kith.anonymize(data, study, **how)
    except BaseException as raised:
        return type(raised), raised.args
    return None


class Interrupter:
    """A progress function: another thread interrupts after its first call, and later calls wait for that."""

    def __init__(self):
        self.calls = 0
        self.running, self.sent = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.interrupt)

    def __call__(self, phase, done):
        self.calls += 1
        if self.running.is_set():
            self.sent.wait()
        self.running.set()

    def interrupt(self):
        self.running.wait()
        os.kill(os.getpid(), signal.SIGINT)
        self.sent.set()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *raised):
        self.running.set()
        self.thread.join()


class Progress(DirectoryCase):
    def test_a_function_is_told(self):
        told = []
        kith.anonymize(PEOPLE, PEOPLE_STUDY, progress=lambda phase, done: told.append((phase, done)))
        self.assertTrue(told)
        for phase, done in told:
            self.assertIsInstance(phase, str)
            self.assertTrue(done is None or 0 <= done <= 1)

    def test_false_stops(self):
        with self.assertRaises(kith.CancelledError):
            kith.anonymize(PEOPLE, PEOPLE_STUDY, progress=lambda phase, done: False)

    def test_an_exception_stops_and_comes_out(self):
        def fail(phase, done):
            raise KeyError("mine")

        with Counted() as counted:
            self.assertEqual(raised_by(PEOPLE, PEOPLE_STUDY, progress=fail), (KeyError, ("mine",)))
            gc.collect()
            self.assertEqual(counted.alive, set())

    def test_lines_without_tqdm(self):
        with unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            with unittest.mock.patch("sys.stderr", new_callable=io.StringIO) as shown:
                kith.anonymize(PEOPLE, PEOPLE_STUDY, progress=True)
        self.assertIn("search", shown.getvalue())

    def test_a_bar_of_tqdm(self):
        bars = []

        class Bar:
            def __init__(self, **how):
                self.n, self.closed = 0, False
                bars.append(self)

            def set_postfix_str(self, text, refresh):
                pass

            def update(self, more):
                pass

            def close(self):
                self.closed = True

        module = unittest.mock.MagicMock(tqdm=Bar)
        with unittest.mock.patch.dict(sys.modules, {"tqdm": module, "tqdm.auto": module}):
            kith.anonymize(PEOPLE, PEOPLE_STUDY, progress=True)
        self.assertTrue(bars)
        self.assertTrue(all(bar.closed for bar in bars))


class Interrupts(DirectoryCase):
    def setUp(self):
        super().setUp()
        self.data = self.generate("adult", 3000)
        self.study = self.directory / "adult.study.yaml"

    def interrupted(self, **how):
        """A run that ends with KeyboardInterrupt; nothing is left of it, and Ctrl-C is as it was."""
        before = signal.getsignal(signal.SIGINT)
        with Counted() as counted:
            self.assertEqual(raised_by(self.data, self.study, seed=1, **how), (KeyboardInterrupt, ()))
            gc.collect()
            self.assertEqual(counted.alive, set())
        self.assertEqual(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(len(_arrow._held), 0)

    def test_while_the_library_works(self):
        with Interrupter() as interrupter:
            self.interrupted(progress=interrupter)
        self.assertLessEqual(interrupter.calls, 3)

    def test_in_the_progress_function(self):
        self.interrupted(progress=lambda phase, done: signal.raise_signal(signal.SIGINT))

    def test_a_handler_of_ones_own(self):
        """It does not raise: the run goes on."""
        noted = []
        before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
        self.addCleanup(signal.signal, signal.SIGINT, before)

        with Interrupter() as interrupter:
            release = kith.anonymize(self.data, self.study, progress=interrupter)
        self.assertEqual(noted, [signal.SIGINT])
        self.assertEqual(len(release), 3000)


class Ends(unittest.TestCase):
    def test_python_ends_quietly_whatever_is_left(self):
        """Objects in global names, in a cycle and in another module are freed while Python is taken apart."""
        script = f"""
import sys, kith
table = kith.Table({PEOPLE!r})
capsule = table.__arrow_c_stream__()
class Cycle: pass
cycle = Cycle(); cycle.itself = cycle; cycle.capsule = table.__arrow_c_stream__()
sys.capsule = table.__arrow_c_stream__()
sys.release = kith.anonymize(table, {PEOPLE_STUDY!r})
"""
        done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Threads(DirectoryCase):
    def test_two_at_the_same_time(self):
        """Each waits inside its progress function for the other: both must be in the library at once."""
        both = threading.Barrier(2, timeout=600)
        releases, waited = {}, set()

        def work(seed):
            def tell(phase, done):
                if seed not in waited:
                    waited.add(seed)
                    both.wait()

            releases[seed] = kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=seed, progress=tell).table.to_dict()

        threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed in (1, 2):
            self.assertEqual(releases[seed], kith.anonymize(PEOPLE, PEOPLE_STUDY, seed=seed).table.to_dict())

    def test_the_interpreter_is_free_meanwhile(self):
        """The library reads a pipe that only another thread of Python can fill, and calls nobody back."""
        pipe = self.directory / "pipe.csv"
        os.mkfifo(pipe)

        def write():
            with open(pipe, "w", encoding="utf-8") as file:
                file.write("age,zip\n21,81667\n")

        thread = threading.Thread(target=write)
        thread.start()
        handle = Handle("kith_table_free")
        call("kith_table_read", handle.made, os.fsencode(pipe), None, None)
        thread.join()
        self.assertEqual(kith.Table._own(handle).to_dict(), {"age": ["21"], "zip": ["81667"]})


if __name__ == "__main__":
    unittest.main()
