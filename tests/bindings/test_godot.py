"""bindings/godot: the extension that `make godot` builds, with a host in the engine's place."""
import json
import os
import re
import subprocess

import pytest

from conftest import ADDRESSES, BUILD, ROOT, by_command


@pytest.fixture(scope="session")
def host(tmp_path_factory):
    program = tmp_path_factory.mktemp("godot") / "host"
    subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsanitize=address", "-g",
                    f"-I{ROOT}/bindings/godot", "-o", program, ROOT / "tests/bindings/godot_host.c", "-ldl"], check=True)

    def play(*words):
        return subprocess.run([program, BUILD / "libmapwright_godot.so", *words], capture_output=True, timeout=600)
    return play


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_bytes_are_those_of_the_command(host, address):
    done = host(address, "")
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", by_command(address))


def test_a_grid_is_packed(host):
    done = host("islands", '{"width": 60, "height": 40, "seed": 7}', "heights")
    rows = json.loads(by_command("/islands?width=60&height=40&seed=7"))["result"]["heights"]
    assert done.returncode == 0 and list(map(int, done.stdout.split())) == sum(rows, [])
    assert host("/starlanes?seed=7", "", "cells").stdout == b""


def test_a_map_larger_than_the_first_block(host):
    address = "/regions.png?width=900&height=900&count=90&seed=1"
    assert host(address, "").stdout == by_command(address)


def test_what_is_wrong_is_said(host):
    done = host("regions", '{"width": 0, "sizes": ["x", 1]}')
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.decode().split("\n")[0] == "width: must be an integer from 1 to 4096"
    assert b"\nsizes/0: must be" in done.stderr


def test_the_file_for_the_editor_names_what_is_there():
    text = (ROOT / "bindings/godot/mapwright.gdextension").read_text()
    entry = re.search(r'entry_symbol = "(\w+)"', text)[1]
    shown = subprocess.run(["nm", "-D", "--defined-only", BUILD / "libmapwright_godot.so"], check=True,
                           capture_output=True, text=True).stdout.split()
    assert entry in shown and os.path.basename(re.search(r'linux.x86_64 = "(.*)"', text)[1]) == "libmapwright_godot.so"
