"""bindings/python: a wheel with the library, typed, and the same bytes as the command."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import threading

import pytest

from conftest import ADDRESSES, LIBRARY, ROOT, by_command


PIP = ["/usr/bin/python3", "-m", "pip", "-q", "--no-cache-dir", "--disable-pip-version-check"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """With the library of this build."""
    made = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", made, ROOT / "bindings/python"],
                   check=True, env=os.environ | {"MAPWRIGHT_LIBRARY": str(LIBRARY)})
    [file] = made.iterdir()
    return file


@pytest.fixture(scope="session")
def folder(wheel, tmp_path_factory):
    """Where pip has installed it."""
    there = tmp_path_factory.mktemp("python")
    subprocess.run([*PIP, "install", "--no-index", "--no-deps", "--no-compile", "--root-user-action=ignore", "--target", there,
                    wheel], check=True)
    return there


@pytest.fixture(scope="session")
def mapwright(folder):
    os.environ.pop("MAPWRIGHT_LIBRARY", None)
    sys.path.insert(0, str(folder))
    import mapwright
    assert mapwright.__file__.startswith(str(folder)) and (folder / "mapwright/py.typed").exists()
    return mapwright


def test_the_wheel_makes_maps_in_a_fresh_environment(wheel, tmp_path):
    version = re.search(r'MW_VERSION "(.*)"', (ROOT / "include/mapwright.h").read_text())[1]
    assert wheel.name.startswith(f"mapwright-{version}-py3-none-linux_")
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", tmp_path], check=True)
    subprocess.run([*PIP, "--python", tmp_path, "install", "--no-index", wheel], check=True)
    program = ("import mapwright, sys; from mapwright import _library\n"
               "assert _library.library._name.startswith(sys.prefix), 'the library of the wheel'\n"
               "sys.stdout.buffer.write(mapwright.encode('/islands.txt?seed=7'))")
    made = subprocess.run([tmp_path / "bin/python", "-c", program], check=True, capture_output=True, env={"PATH": os.environ["PATH"]})
    assert made.stdout == by_command("/islands.txt?seed=7")


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_bytes_are_those_of_the_command(mapwright, address):
    assert mapwright.encode(address) == by_command(address)


def test_parameters_are_as_in_a_body(mapwright):
    wanted = {"width": 4, "height": 2, "mask": ["##.#", "##.#"], "count": 2, "roughness": 0.25, "seed": "é"}
    world = mapwright.make("regions", wanted)
    assert world.answer["parameters"]["mask"] == wanted["mask"] and world.answer["seed"] == "é"
    assert world.answer["id"] == world.id and world.answer["self"] == world.address
    assert mapwright.make(world.address).answer == world.answer
    assert eval(repr(world), {"mapwright": mapwright}).answer == world.answer


def test_grids_are_views(mapwright):
    numpy = pytest.importorskip("numpy")
    world = mapwright.make("/islands?width=50&height=20&layers=4&seed=3")
    for name in ("cells", "heights"):
        view = world.grid(name)
        array = numpy.asarray(view)
        assert array.shape == view.shape == (20, 50) and not array.flags.owndata and not array.flags.writeable
        assert array.tolist() == world.result[name]
    assert world.grid()[7, 9] == world.result["cells"][7][9]
    kept = array.tolist()
    del world, view  # the memory lives as long as the array does
    mapwright.make("/islands?width=50&height=20&layers=4&seed=4")
    assert array.tolist() == kept
    with pytest.raises(KeyError):
        mapwright.make("/starlanes?seed=1").grid()


def test_one_map_in_many_formats(mapwright):
    world = mapwright.make("/islands?seed=7")
    for form in ("svg", "glb", "json", "png"):
        assert world.encode(form) == by_command(f"/islands.{form}?seed=7")
    with pytest.raises(mapwright.Problem, match="format: must be one of: json, cbor"):
        world.encode("gif")


def test_what_is_wrong_is_said(mapwright):
    with pytest.raises(mapwright.Problem) as caught:
        mapwright.make("regions", {"width": 0, "sizes": [1, "x"]})
    assert caught.value.fault == "bad-param"
    assert ("/width", "must be an integer from 1 to 4096") in caught.value.errors
    assert caught.value.errors[1].pointer == "/sizes/1" and "sizes/1: must be" in str(caught.value)
    with pytest.raises(mapwright.Problem, match="did you mean regions"):
        mapwright.make("region")
    for address, how, fault in [("/regions?v=99", {}, "other-version"), ("/starlanes", {"steps": 9}, "too-hard"),
                                ("/regions?width=900&height=900", {"memory": 1 << 20}, "too-big"),
                                ("/puzzle/generate?width=2&height=2&colors=9", {}, "no-result")]:
        with pytest.raises(mapwright.Problem) as caught:
            mapwright.make(address, **how)
        assert caught.value.fault == fault
    with pytest.raises(ValueError):
        mapwright.make("/regions\0")


def test_progress_is_told_and_can_end_it(mapwright):
    seen = []
    mapwright.make("/regions?width=1200&height=1200&count=200&seed=1", progress=seen.append)
    assert len(seen) > 2 and seen == sorted(seen) and 0 <= seen[0] and seen[-1] < 1

    def enough(done):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        mapwright.make("/regions?seed=1", progress=enough)


def test_structures_lie_as_in_the_header(mapwright, recorded):
    from mapwright import _library
    names = [name for name, kind in vars(_library).items()
             if isinstance(kind, type) and issubclass(kind, ctypes.Structure)]
    assert len(names) > 5
    for name in names:
        kind = getattr(_library, name)
        places = {member: getattr(kind, member).offset for member, _ in kind._fields_}
        assert places.items() <= recorded[f"mw_{name.lower()}"].items(), name
    assert ctypes.sizeof(_library.Problem) == 420
    # What we make ourselves has no member that we do not know.
    assert {member for member, _ in _library.Limits._fields_} == recorded["mw_limits"].keys()


@pytest.mark.skipif(not shutil.which("mypy"), reason="wants mypy")
def test_it_is_typed(folder, tmp_path):
    (tmp_path / "user.py").write_text(
        "import mapwright\n"
        "world = mapwright.make('islands', {'width': 9}, progress=lambda done: print(done))\n"
        "first: int = world.grid()[0, 0]\n"
        "data: bytes = world.encode('png') + mapwright.encode('/regions')\n")
    (tmp_path / "wrong.py").write_text("import mapwright\nmapwright.make(7).grid().nothing\n")
    strict = ["mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null"]
    env = os.environ | {"MYPYPATH": str(folder)}
    done = subprocess.run([*strict, "-p", "mapwright"], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert subprocess.run([*strict, "user.py"], env=env, cwd=tmp_path, capture_output=True).returncode == 0
    assert subprocess.run([*strict, "wrong.py"], env=env, cwd=tmp_path, capture_output=True).returncode == 1


def test_a_map_is_copied_and_pickled_as_its_address(mapwright):
    import copy
    import pickle
    world = mapwright.make("/islands?scale=4")
    for again in (pickle.loads(pickle.dumps(world)), copy.deepcopy(world)):
        assert again.answer == world.answer and again.encode("png") == world.encode("png")


def test_a_look_that_was_asked_for_stays(mapwright):
    world = mapwright.make("/islands?seed=7&scale=4")
    assert world.encode("png") == mapwright.encode("/islands.png?seed=7&scale=4") != world.encode("svg")
    assert mapwright.encode("/regions.glb?mask=/islands?seed=5&count=20&variation=.3&seed=5")[:4] == b"glTF"


def test_what_numpy_has_is_taken(mapwright):
    numpy = pytest.importorskip("numpy")
    wanted = {"width": numpy.int64(4), "roughness": numpy.float32(.5), "mask": numpy.ones((3, 4), bool), "count": 2, "seed": 1}
    plain = {"width": 4, "roughness": .5, "mask": ["####"] * 3, "count": 2, "seed": 1}
    assert mapwright.make("regions", wanted).answer == mapwright.make("regions", plain).answer
    places = numpy.array([[1, 2], [30, 40], [50, 6]])
    assert mapwright.make("starlanes", {"positions": places, "homeworlds": 1}).result["stars"][0]["x"] == 1
    with pytest.raises(TypeError, match="object is no parameter"):
        mapwright.make("regions", {"width": object()})


def test_ctrl_c_ends_a_map(mapwright, folder):
    program = ("import mapwright, os, signal, threading\n"
               "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
               "threading.Timer(.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
               "try:\n    mapwright.make('/regions?width=4096&height=4096&count=65535&seed=1')\n"
               "except KeyboardInterrupt:\n    print('ended')\n")
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(["/usr/bin/python3", "-c", program], env=env, capture_output=True, text=True, timeout=600)
    assert done.stdout == "ended\n", done.stderr
