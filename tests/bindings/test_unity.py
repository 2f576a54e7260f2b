"""bindings/unity: compiled as it is, run by mono with the real library."""
import json
import os
import shutil
import subprocess

import pytest

from conftest import ADDRESSES, LIBRARY, ROOT, by_command


@pytest.fixture(scope="session")
def player(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unity")
    shutil.copy(LIBRARY, folder / "libmapwright.so")
    sources = sorted((ROOT / "bindings/unity/Runtime").glob("*.cs"))
    subprocess.run(["mcs", "-nologo", "-warnaserror", "-langversion:6", f"-out:{folder}/player.exe", *sources,
                    ROOT / "tests/bindings/Player.cs"], check=True)

    def play(*words, good=True):
        done = subprocess.run(["mono", folder / "player.exe", *words], capture_output=True, timeout=600,
                              env=os.environ | {"LD_LIBRARY_PATH": str(folder)})
        assert done.returncode == (not good), done.stderr.decode()
        return done.stdout if good else done.stderr.decode()
    return play


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_bytes_are_those_of_the_command(player, address):
    assert player("bytes", address) == by_command(address)


def test_a_map_is_shown(player):
    said = player("map", "islands", '{"width": 30, "height": 12, "islands": [3, 6], "seed": "é"}').decode()
    answer = json.loads(by_command("/islands?width=30&height=12&islands=3,6&seed=é"))
    rows = "".join(",".join(map(str, row)) + "\n" for row in answer["result"]["cells"])
    drawn = by_command("/islands.txt?width=30&height=12&islands=3,6&seed=é").decode()
    picture = len(by_command("/islands.png?width=30&height=12&islands=3,6&seed=é"))
    assert said == f"{answer['self']}\n{answer['id']}\nTrue\n{rows}{drawn}{picture}\n"


def test_what_is_wrong_is_said(player):
    said = player("bytes", "/regions.svg?width=0", '{"sizes": [1, "x"]}', good=False).split("\n")
    assert said[:2] == ["BadParam", "width: must be an integer from 1 to 4096"] and said[2].startswith("sizes/1: must be")
    assert player("bytes", "/regions.gif", good=False).startswith("BadParam\nformat: must be one of: json")
    assert player("bounds", "/starlanes?stars=900", "1000", "100000000", good=False).startswith("TooHard\n")
    assert player("bounds", "/regions?width=900&height=900", "0", "1000000", good=False).startswith("TooBig\n")


def test_progress_threads_and_large_maps(player):
    assert player("stop", "/regions?width=1200&height=1200&count=200&seed=1") == b"enough, True\n"
    address = "/regions.json?width=600&height=600&seed=1"
    assert player("many", address).split() == [b"%d" % len(by_command(address))] * 8


def test_structures_lie_as_in_the_header(player, recorded):
    rows = [row.split() for row in player("places").decode().splitlines()]
    assert len(rows) > 20
    for name, member, place in rows:
        assert recorded[f"mw_{name.lower()}"][member] == int(place), f"{name}.{member}"
