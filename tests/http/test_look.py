"""How a map is written down: scale and color, which are no part of its address."""
import re

import pytest

SVG = "/regions.svg?seed=look"


def size(reply):
    return tuple(map(int, re.search(rb'width="(\d+)" height="(\d+)"', reply.body).groups()))


def test_scale_changes_the_size_alone(server):
    small, large = server.get(SVG + "&scale=10"), server.get(SVG + "&scale=20")
    assert size(large)[0] == pytest.approx(2 * size(small)[0], abs=2)
    assert size(small)[0] == pytest.approx(10 * 40, abs=12)  # 40 cells across, half a cell shoved
    assert re.sub(rb' width="\d+" height="\d+"', b"", small.body, 1) == \
        re.sub(rb' width="\d+" height="\d+"', b"", large.body, 1)


def test_each_look_has_a_tag_of_its_own(server):
    replies = [server.get(SVG + look) for look in ("", "&scale=10", "&scale=11")]
    tags = [reply.header("ETag") for reply in replies]
    assert len(set(tags)) == 3
    for look, reply in zip(("", "&scale=10", "&scale=11"), replies):
        again = server.get(SVG + look)
        assert again.body == reply.body and again.header("ETag") == reply.header("ETag")
        assert again.header("Cache-Status") == "mapwright; hit"
        assert server.get(SVG + look, If_None_Match=reply.header("ETag")).status == 304
    assert server.get(SVG, If_None_Match=tags[1]).status == 200


def test_looks_that_a_format_ignores_change_nothing(server):
    plain = server.get("/regions?seed=look")
    assert server.get("/regions?seed=look&scale=9&color=true").header("ETag") == plain.header("ETag")
    assert server.get(SVG + "&color=true").header("ETag") == server.get(SVG).header("ETag")


def test_looks_are_not_in_the_address(server):
    answer = server.post("/regions", {"seed": "look", "scale": 9, "color": True}).json()
    assert "scale" not in answer["self"] and "color" not in answer["self"]
    assert not {"scale", "color", "format"} & set(answer["parameters"])
    assert answer == server.get("/regions?seed=look").json()


def test_content_location_gives_the_same_bytes(server):
    reply = server.get("/regions.svg?scale=5&width=12")
    where = reply.header("Content-Location")
    assert ".svg?" in where and "scale=5" in where
    assert server.get(where).body == reply.body


def test_a_look_for_a_map_by_its_id(server):
    answer = server.get("/regions?seed=look").json()
    by_id = "/maps/" + answer["id"]
    assert server.get(by_id + ".svg?scale=10").body == server.get(SVG + "&scale=10").body
    assert server.get(by_id + "?format=svg&scale=10").body == server.get(SVG + "&scale=10").body
    reply = server.get(by_id + "?width=3&scale=0")
    assert reply.status == 400 and sorted(reply.pointers()) == ["/scale", "/width"], reply


@pytest.mark.parametrize("look, pointer", [
    ("scale=0", "/scale"), ("scale=65", "/scale"), ("scale=1.5", "/scale"), ("scale=x", "/scale"),
    ("voxel=0", "/voxel"), ("voxel=9", "/voxel"), ("columns=19", "/columns"), ("columns=1001", "/columns"), ("tables=2", "/tables"), ("scale=4&scale=5", "/scale"), ("color=2", "/color"), ("collision=2", "/collision"), ("color=red", "/color")])
def test_wrong_looks(server, look, pointer):
    for path in ("/regions?seed=1&", SVG + "&"):
        reply = server.get(path + look)
        assert reply.status == 400 and reply.pointers() == [pointer], reply


def test_wide_boards_are_written_in_blocks_of_columns(server):
    path = "/puzzle/solve.txt?grid=A...................A"
    assert server.get(path + "&columns=21").body.decode().splitlines()[-1] == "A" * 21
    lines = server.get(path + "&columns=20").body.decode().splitlines()
    assert lines[-5:] == ["columns 0 to 19:", "A" * 20, "", "columns 20 to 20:", "A"]
    wide = server.get("/puzzle/generate.txt?width=64&height=4&seed=1&columns=20&tables=true").body.decode()
    assert "columns 60 to 63:" in wide


# ---- the solution of a puzzle ------------------------------------------------------------------

QUESTION, ANSWER = "A B . C\n. D . .\n. . . .\nA D B C\n", "A B B C\nA D B C\nA D B C\nA D B C\n"
SOLVE, GENERATE = "/puzzle/solve{}?grid=AB.C/.D../..../ADBC{}", "/puzzle/generate{}?width=4&height=4&seed=7{}"


@pytest.mark.parametrize("path,solution,question,answer", [
    (SOLVE, "", False, True), (SOLVE, "&solution=auto", False, True),
    (SOLVE, "&solution=true", False, True), (SOLVE, "&solution=false", True, False),
    (GENERATE, "", True, False), (GENERATE, "&solution=false", True, False),
    (GENERATE, "&solution=true", True, True)])
def test_solutions_are_shown_on_request(server, path, solution, question, answer):
    text = server.get(path.format(".txt", solution)).body.decode()
    assert (QUESTION in text, ANSWER in text) == (question, answer), text
    drawn = server.get(path.format(".svg", solution)).body.decode()
    assert ('id="path-A"' in drawn) == answer
    if solution.endswith("false"):
        told = server.get(path.format(".txt", solution + "&tables=true")).body.decode()
        assert ANSWER not in told and "cells" not in told


def test_solution_may_be_a_boolean(server):
    body = {"grid": ["AB.C", ".D..", "....", "ADBC"], "format": "text", "solution": False}
    assert QUESTION in server.post("/puzzle/solve", body).body.decode()
    reply = server.post("/puzzle/solve", body | {"solution": "no"})
    assert "must be one of: auto, true, false" in reply.body.decode()
