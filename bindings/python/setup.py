"""The wheel carries the library: the file that MAPWRIGHT_LIBRARY names, else one that make builds of these sources."""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r'define MW_VERSION "(.*)"', (ROOT / "include/mapwright.h").read_text())[1]


def library():
    given = os.environ.get("MAPWRIGHT_LIBRARY")
    if given:
        return pathlib.Path(given)
    subprocess.run(["make", "-C", ROOT, "WASM=", "build/release/libmapwright.so.0"], check=True)
    return ROOT / "build/release/libmapwright.so.0"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        found = library()
        carried = pathlib.Path(self.build_lib) / "mapwright" / found.name
        shutil.copy(found, carried)
        subprocess.run(["strip", "--strip-debug", carried], check=True)


class PlatformWheel(bdist_wheel):
    """For any Python 3, as nothing is compiled against it, and for this kind of machine alone."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


built = ROOT / "build/python"
built.mkdir(parents=True, exist_ok=True)
setup(version=VERSION, distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
      options={"build": {"build_base": str(built)}, "egg_info": {"egg_base": str(built)}})
