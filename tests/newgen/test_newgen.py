"""The generator that `run` has added, asked over HTTP."""
import pathlib
import sys

import pytest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "http"))

from server import Server  # noqa: E402


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


def test_get_and_post_give_the_same_map(server):
    got = server.get("/maze?width=9&height=4&marks=6&seed=beech")
    sent = server.post("/maze", {"width": 9, "height": 4, "marks": 6, "seed": "beech"})
    assert (got.status, sent.status) == (200, 200)
    result = got.json()["result"]
    assert result == sent.json()["result"]
    assert sum(cell > 0 for row in result["cells"] for cell in row) == len(result["marks"]) == 6


@pytest.mark.parametrize("format, media", [("svg", "image/svg+xml"), ("txt", "text/plain")])
def test_other_formats(server, format, media):
    reply = server.get(f"/maze.{format}?marks=3&seed=1")
    assert (reply.status, reply.media) == (200, media) and reply.body


def test_what_is_wrong_is_told_with_its_place(server):
    reply = server.get("/maze?width=1&height=1&marks=2&seed=1")
    assert (reply.status, reply.pointers()) == (422, ["/marks"])
