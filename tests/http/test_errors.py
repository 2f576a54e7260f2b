"""Every other way to be refused: path, type, body, size, and what cannot be. client.py judges the form of problems.

Bodies that are no JSON have their rows in tests/unit/lib/check_members.c; tests/fuzz/bind.c compares with another.
"""
import re

import pytest

from client import request
from server import NO_HURRY, Server

MIB = 1 << 20
POST = b"POST /regions HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("path, detail", [
    ("/regoins.svg", "did you mean /regions? "), ("/puzzle/slove", "did you mean /puzzle/solve? "),
    ("/starlane?seed=7", "did you mean /starlanes? "), ("/maps/regions.svg", "id, which is a UUID"),
    *((path, "") for path in ("/nowhere", "/regions/", "/REGIONS", "//regions", "/problems/none-such", "/healthz/x",
                              "/.svg", "/../etc/passwd", "/a/../regions/..", "/%00", "/\u00e9", "/nowhere.svg"))])
def test_not_found(server, path, detail):
    assert detail in server.get(path).problem(404, "not-found")


@pytest.mark.parametrize("body, detail", [
    (b"{", ""), (b"[]", ""), (b'{"width":05}', ""), (b"{} {}", ""), (b'{"seed":"\xff"}', ""), (b"width=5&height=6", ""),
    (b"\xff\xfe{\x00}\x00", "UTF-8"), (b'{"seed": "a\\u0000b"}', "line 1, column"), (b"[" * 100000, ""),
    (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", ""), (b'{"mask":[' + b'"#",' * 200000 + b'"#"]}', "")])
def test_broken_json(server, body, detail):
    reply = server.post("/regions", body)
    assert reply.status in (400, 422) and detail in reply.json()["detail"], reply


@pytest.mark.parametrize("kind, status", [
    (None, 200), ("application/json; charset=utf-8", 200), ("Application/JSON", 200), ("application/geo+json", 200),
    ("application/x-www-form-urlencoded", 200), ("text/plain", 415), ("application/jsonx", 415), ("json", 415),
    ("multipart/form-data; boundary=x", 415), ("application/json+xml", 415)])
def test_types_of_bodies(server, kind, status):
    for _ in range(2):
        assert server.ask("POST", "/regions", b'{"seed":1}', {"Content-Type": kind}).status == status
        assert server.ask("POST", "/regions", b'{"seed":1}').status == 200, "recalled wrongly"


# ---- too large -----------------------------------------------------------------------------------

def padded(length):
    return b"{" + b" " * (length - 2) + b"}"


def announced(length):
    return POST + b"Content-Length: %d\r\n\r\n" % length


@pytest.mark.parametrize("data, status", [
    (announced(MIB) + padded(MIB), 200), (announced(MIB + 1) + padded(MIB + 1), 413),
    (announced(9 * MIB) + padded(9 * MIB), 413),
    (announced(2**63 - 1), 413), (CHUNKED + b"2\r\n{ \r\nffffe\r\n" + padded(MIB)[2:] + b"\r\n0\r\n\r\n", 200),
    (CHUNKED + b"100001\r\n", 413), (CHUNKED + b"10\r\n" + b" " * 16 + b"\r\nffff1\r\n  ", 413),
    (b"GET /regions?seed=" + b"x" * 9000, 414), (b"GET /" + b"x" * 2000000, 414),
    (request("GET", "/healthz", None, {"X-Filler": "f" * 16000}), 431),
    (request("GET", "/healthz", None, {f"X-{i}": "f" for i in range(5000)}), 431)])
@pytest.mark.parametrize("first", [True, False])
def test_sizes_have_limits(server, data, status, first):
    """Bodies, as far as they are announced; addresses and heads. Also on a connection that has been used before."""
    with server.connect() as connection:
        assert first or connection.ask("GET", "/healthz").status == 200
        try:
            connection.send(data)
        except OSError:
            pass  # the server may answer, and hang up, before it has read everything
        reply = connection.reply()
    assert reply.status == status, reply
    assert status == 200 or "close" in reply.tokens("Connection")
    assert status != 413 or str(MIB) in reply.json()["detail"], "the limit is said"


def test_long_addresses(server):
    """RFC 9112 recommends 8000 bytes at least."""
    fits = "/regions?count=1&mask=" + "/".join(["." * 30 + "%23" * 30] * 65)
    assert 7800 < len(fits) < 8000 and server.get(fits).status == 200


@pytest.mark.parametrize("wants, path, body", [
    ("4M", "/starlanes", {"positions": [[8388607 - n % 500, 8388607 - n // 500] for n in range(200000)]}),
    ("17M", "/areas", {"width": 4096, "height": 4096, "area": 9, "mask": ["#" * 4096] * 4096, "format": "text"})],
    ids=["positions", "mask"])
def test_the_longest_bodies_of_parameters(server, wants, path, body):
    """413 by default, with the name of the setting; accepted with the sizes that the document gives."""
    document = " ".join(server.get("/openapi.yaml").body.decode().split())
    assert "200,000 positions need 4 MiB, a mask of 4096 by 4096 cells 17 MiB." in document
    assert "--max-body" in server.post(path, body | {"seed": 1}).problem(413, "body-too-large")
    with Server(f"--max-body={wants}", *NO_HURRY) as wide:
        assert wide.post(path, body | {"seed": 1}).status == 200


# ---- 422: what cannot be -----------------------------------------------------------------------

@pytest.mark.parametrize("path, body, numbers", [
    ("/regions", {"width": 3, "height": 2, "count": 7}, {"7", "6"}),
    ("/regions", {"mask": ["#.#", "...", "#.#"], "grid": "square", "count": 3}, {"3", "4"}),
    ("/regions", {"width": 4, "height": 4, "sizes": [8, 8], "count": 3}, {"3", "2"}),
    ("/regions", {"width": 4, "height": 3, "wrap": "xy"}, {"3"}),
    ("/regions", {"mask": ["....", "...."], "count": 1}, set()),
    ("/areas", {"width": 9, "height": 9, "area": 50}, {"50", "49"}),
    ("/islands", {"width": 4, "height": 4, "islands": [2, 2], "size": [8, 8]}, {"2", "8"}),
    ("/puzzle/generate", {"min_length": 4096}, {"4096", "49"})])
def test_impossible(server, path, body, numbers):
    """Why is said, with the numbers, alike each time; of one thing not as of many."""
    first, second = (server.post(path, body | {"seed": 1}) for _ in range(2))
    assert first.status == 422 and first.pointers() and numbers <= set(re.findall(r"\d+", first.body.decode())), first
    assert first.json() | {"instance": 0} == second.json() | {"instance": 0}
    for error in first.json()["errors"]:
        assert not re.search(r"\b1 ([a-z]+ )?\w+s\b(?<!less)", error["detail"]), error


def test_maps_that_certainly_take_too_long_are_refused_at_once():
    with Server("--deadline-ms=1", "--workers=1") as server:
        for _ in range(2):
            reply = server.post("/regions", {"width": 4096, "height": 4096, "seed": 1})
            assert re.search(r"takes some \d+ ms, and a request gets 1 here",
                             reply.problem(422, "too-hard", *reply.pointers()))
            assert reply.header("Cache-Control") == "no-store", "another server has other limits"
        assert server.metric("mapwright_maps_total") == 0, "no worker was asked"


def test_maps_that_do_not_fit_into_memory_are_refused():
    """Kept here, but by nobody else: it is a setting. The next map is made."""
    with Server("--memory=2M", "--workers=1") as server:
        for hit in (False, True):
            reply = server.post("/regions", {"width": 2000, "height": 2000, "seed": 1})
            assert reply.status == 422 and reply.json()["type"] == "/problems/too-big", reply
            assert reply.header("Cache-Control") == "no-store" and ("hit" in reply.header("Cache-Status")) == hit
        assert server.get("/regions").status == 200
