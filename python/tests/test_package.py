"""The package as people install it: a wheel that carries the library, and the source beside an installed one."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from support import PEOPLE, PEOPLE_STUDY, ROOT, DirectoryCase

# What is run in a fresh environment, which has nothing but the package.
USE = f"""
import kith
release = kith.anonymize({PEOPLE!r}, {PEOPLE_STUDY!r}, seed=1)
assert kith.verify(release, {PEOPLE_STUDY!r}), "the release does not verify"
print(kith.__version__, kith._library.lib._name)
"""


def run(*command, **environment):
    """Runs a command without what points to this build."""
    hidden = ("PYTHONPATH", "KITH_LIBRARY")
    clean = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        command, env={**clean, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def header_version():
    text = (ROOT / "include" / "kith" / "version.h").read_text()
    found = re.search(r'KITH_VERSION_STRING "(.*)"', text)
    return found.group(1) if found else None


class Package(DirectoryCase):
    def install(self, source):
        """A fresh environment with nothing but the package."""
        environment = self.directory / "environment"
        run(sys.executable, "-m", "venv", "--without-pip", str(environment))
        python = str(environment / "bin" / "python")
        run(
            sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index",
            "--no-build-isolation", "--no-deps", str(source)
        )  # fmt: skip
        return python

    def test_a_wheel_carries_the_library(self):
        wheels = self.directory / "wheels"
        run(str(ROOT / "scripts" / "make-wheel"), os.environ["KITH_BUILD"], str(wheels), PYTHON=sys.executable)
        (wheel,) = wheels.iterdir()
        self.assertRegex(wheel.name, r"^kith-[0-9.]+-py3-none-linux_")
        version, library = run(self.install(wheel), "-I", "-c", USE).split()
        self.assertEqual(version, header_version())
        self.assertIn(str(self.directory), library)

    def test_the_source_uses_a_library_that_is_there(self):
        source = self.directory / "python"
        shutil.copytree(ROOT / "python", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        wheels = self.directory / "wheels"
        run(
            sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-build-isolation", "--no-deps",
            "--wheel-dir", str(wheels), str(source)
        )  # fmt: skip
        (wheel,) = wheels.iterdir()
        self.assertTrue(wheel.name.endswith("-py3-none-any.whl"), wheel.name)
        python = self.install(wheel)
        built = os.environ["KITH_LIBRARY"]
        self.assertEqual(run(python, "-I", "-c", USE, KITH_LIBRARY=built).split(), [header_version(), built])
        with self.assertRaises(AssertionError) as caught:
            run(python, "-I", "-c", USE, KITH_LIBRARY=str(self.directory / "nothing.so"))
        self.assertIn("libkith was not found", str(caught.exception))

    def test_versions_are_the_same(self):
        text = (ROOT / "python" / "pyproject.toml").read_text()
        found = re.search(r'^version = "(.*)"', text, re.MULTILINE)
        self.assertIsNotNone(found)
        self.assertEqual(found.group(1), header_version())


if __name__ == "__main__":
    unittest.main()
