"""The library that BUILD has, and what the command line makes of an address: the same bytes."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["BUILD"])
LIBRARY = BUILD / "libmapwright.so.0"
ADDRESSES = ["/regions?width=30&height=20&seed=7", "/regions.svg?count=9&seed=x", "/areas.txt?algorithm=mixed&seed=2",
             "/islands.glb?seed=3", "/islands.png?seed=4", "/starlanes.cbor?stars=300&seed=5",
             "/puzzle/solve?grid=A..A/B..B", "/puzzle/generate.svg?seed=8"]


def by_command(address):
    return subprocess.run([BUILD / "mapwright", address, "-o", "/dev/stdout"], check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def recorded():
    """struct -> member -> place, as tests/abi has found them."""
    text = (ROOT / "tests/abi/mapwright.abi").read_text()
    return {name: {member: int(place) for place, member in re.findall(r"^    +(\d+) (\w+):", rows, re.M)}
            for name, rows in re.findall(r"structure (\w+): .*\n((?:    .*\n)*)", text)}
