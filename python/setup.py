"""A wheel that carries libkith is for one platform, and for every Python: scripts/make-wheel puts the library in."""

from pathlib import Path

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

CARRIES_LIBRARY = (Path(__file__).parent / "kith" / "libkith.so.0").exists()


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return CARRIES_LIBRARY


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        _python, _abi, platform = super().get_tag()
        return "py3", "none", platform


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel})
