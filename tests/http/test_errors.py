"""Every other way to be refused: path, method, type, body, and what cannot be.

The shape of a problem is judged in client.py.
"""
import contextlib
import json
import re
import time

import pytest

from client import request
from server import NO_HURRY, Server

NUMBER = re.compile(r"\d+")


# ---- 404, 405 ----------------------------------------------------------------------------------

@pytest.mark.parametrize("path", [
    "/nowhere", "/regions/", "/regions/x", "/REGIONS", "//regions", "/region", "/regionsx",
    "/problems/none-such", "/maps", "/maps/", "/healthz/x", "/.svg", "/%72egionss", "/index.php",
    "/../etc/passwd", "/a/../regions/..", "/puzzle", "/%00", "/\u00e9"])
def test_not_found(server, path):
    reply = server.get(path)
    assert reply.status == 404, reply
    assert reply.json()["type"] == "/problems/not-found"


@pytest.mark.parametrize("path, detail", [
    ("/regoins.svg", "did you mean /regions? "), ("/puzzle/slove", "did you mean /puzzle/solve? "),
    ("/starlane?seed=7", "did you mean /starlanes? "), ("/nowhere", "no endpoint has this path: / lists"),
    ("/maps/", "id, which is a UUID"), ("/maps/regions.svg", "id, which is a UUID")])
def test_not_found_says_what_may_be_meant(server, path, detail):
    assert detail in server.get(path).json()["detail"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "FOO", "get", "PROPFIND"])
def test_other_methods_of_generators(server, contract, method):
    for generator in contract.generators:
        reply = server.ask(method, generator.path)
        assert reply.status == 405, reply
        assert reply.tokens("Allow") == {"get", "head", "post", "query", "options"}


@pytest.mark.parametrize("path", [
    "/", "/healthz", "/readyz", "/version", "/metrics", "/openapi.json", "/openapi.yaml",
    "/problems/not-found"])
def test_other_methods_of_pages(server, path):
    for method, body in (("POST", "{}"), ("DELETE", None), ("PUT", "x")):
        reply = server.ask(method, path, body)
        assert reply.status == 405, reply
        assert reply.tokens("Allow") == {"get", "head", "options"}


# ---- 400: bodies that are not a JSON object ----------------------------------------------------

# The reader of JSON is compared with another in tests/fuzz/bind.c.
BROKEN = [
    b"{", b"[]", b"5", b"null", b"{} {}", b'{"width":5,}', b"{width:5}", b'{"width":05}', b'{"width":NaN}',
    b'{"seed":"a\nb"}', b'{"width":5}\x00', b'{"seed":"\xff"}', b'{"a":{"b":1]}', b"// no comments\n{}",
    b"width=5&height=6", b"\xff\xfe{\x00}\x00"]


@pytest.mark.parametrize("body", BROKEN)
def test_broken_json(server, body):
    reply = server.post("/regions", body)
    assert reply.status == 400, reply
    assert reply.json()["type"] in ("/problems/invalid-json", "/problems/invalid-parameter")


def test_a_byte_order_mark_is_ignored(server):
    mark = b"\xef\xbb\xbf"
    assert server.post("/regions", mark).status == 200
    body = b'{"seed": 7, "width": 9}'
    assert server.post("/regions", mark + body).body == server.post("/regions", body).body
    assert server.post("/regions", b" " + mark + body).status == 400
    assert "UTF-8" in server.post("/regions", (b"\xff\xfe" + body)).json()["detail"]


def test_nul_in_a_string(server):
    for body in ('{"seed": "a\\u0000b"}', '{"a\\u0000b": 1}'):
        told = server.post("/regions", body).json()["detail"]
        assert "line 1, column" in told and "\\u0001 to" in told, told


@pytest.mark.parametrize("body", [
    b"[" * 100000, b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", b'{"width":' + b"9" * 100000 + b"}",
    b'{"width":0.' + b"0" * 100000 + b"1}", b'{"' + b"k" * 500000 + b'":1}', b'{"seed":"' + b"s" * 900000 + b'"}',
    b'{"mask":[' + b'"#",' * 200000 + b'"#"]}', b'{"sizes":[' + b"[1,2]," * 100000 + b"[1,2]]}"])
def test_deep_and_huge_json(server, body):
    assert server.post("/regions", body).status in (400, 422)
    assert server.get("/healthz").status == 200


# ---- 413, 414, 415, 431 ------------------------------------------------------------------------

MIB = 1 << 20


def padded(length):
    return b"{" + b" " * (length - 2) + b"}"


def test_the_largest_body(server):
    assert server.post("/regions", padded(MIB)).status == 200


def announced(length):
    return f"POST /regions HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


def refused_on_the_way(server, head, body):
    """The server may answer, and hang up, before it has read everything."""
    with server.connect() as connection:
        try:
            connection.send(head)
            connection.send(body)
        except OSError:
            pass
        return connection.reply("POST")


@pytest.mark.parametrize("extra", [1, 1000, 9 * MIB])
def test_too_large_a_body(server, extra):
    reply = refused_on_the_way(server, announced(MIB + extra), padded(MIB + extra))
    assert reply.status == 413, reply
    assert str(MIB) in reply.json()["detail"], "the limit is said"


def test_too_large_by_announcement_alone(server):
    """Refused before any byte of the body is sent."""
    for length in (2**40, 2**63 - 1):
        with server.connect() as connection:
            connection.send(announced(length))
            assert connection.reply("POST").status == 413


@pytest.mark.parametrize("before, size", [
    (b"", b"100001"), (b"", b"00000ffffffffff;x=y"), (b"10\r\n" + b" " * 16 + b"\r\n", b"ffff1")])
@pytest.mark.parametrize("begun", [b"", b" " * 100])
def test_too_large_by_a_chunk_alone(server, before, size, begun):
    """By its size and the chunks before it, whether or not some of its bytes have come."""
    head = b"POST /regions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with server.connect() as connection:
        connection.send(head + before + size + b"\r\n" + begun)
        reply = connection.reply("POST")
        assert reply.status == 413 and str(MIB) in reply.json()["detail"]
        assert "close" in reply.tokens("Connection") and connection.at_end() == b""


def test_the_largest_body_in_chunks(server):
    head = b"POST /regions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with server.connect() as connection:
        connection.send(head + b"2\r\n{ \r\nffffe\r\n" + padded(MIB)[2:] + b"\r\n0\r\n\r\n")
        assert connection.reply("POST").status == 200


@pytest.mark.parametrize("wants", ["4M", "17M"])
def test_the_longest_bodies_of_parameters(server, wants):
    """413 by default, with the name of the setting; accepted with the sizes that the document gives."""
    if wants == "4M":
        target, body = "/starlanes", {"positions": [[8388607 - n % 500, 8388607 - n // 500] for n in range(200000)]}
    else:
        target, body = "/areas.txt", {"width": 4096, "height": 4096, "area": 9, "mask": ["#" * 4096] * 4096}
    document = " ".join(server.get("/openapi.yaml").body.decode().split())
    assert "200,000 positions need 4 MiB, a mask of 4096 by 4096 cells 17 MiB." in document
    refused = server.post(target.removesuffix(".txt"), body | {"seed": 1})
    assert refused.status == 413 and refused.json()["type"] == "/problems/body-too-large"
    assert "1048576 bytes" in refused.json()["detail"] and "--max-body" in refused.json()["detail"]
    with Server(f"--max-body={wants}", *NO_HURRY) as wide:
        assert wide.post(target, body | {"seed": 1}).status == 200


def test_long_addresses(server):
    """RFC 9112 recommends 8000 bytes at least."""
    fits = "/regions?count=1&mask=" + "/".join(["." * 30 + "%23" * 30] * 65)
    assert 7800 < len(fits) < 8000 and server.get(fits).status == 200


@pytest.mark.parametrize("length", [9000, 16384, 70000, 2000000])
@pytest.mark.parametrize("first", [True, False])
def test_too_long_addresses(server, length, first):
    """Also on a connection that has been used before."""
    for target in ("/regions?seed=" + "x" * length, "/" + "x" * length):
        with server.connect() as connection:
            assert first or connection.ask("GET", "/healthz").status == 200
            try:
                connection.send(request("GET", target))
            except OSError:
                pass
            assert connection.reply().status == 414


@pytest.mark.parametrize("fields", [
    {"X-Filler": "f" * length} for length in (16000, 70000, 500000)
] + [{f"X-{i}": "f" for i in range(5000)}])
@pytest.mark.parametrize("first", [True, False])
def test_too_large_headers(server, fields, first):
    with server.connect() as connection:
        assert first or connection.ask("GET", "/healthz").status == 200
        try:
            connection.send(request("GET", "/healthz", None, fields))
        except OSError:
            pass
        assert connection.reply().status == 431


@pytest.mark.parametrize("kind", [
    "application/json", "application/json; charset=utf-8", "Application/JSON",
    'application/json;charset="UTF-8"', "application/geo+json",
    "application/vnd.mapwright.v1+json;x=y", "application/x-www-form-urlencoded", None])
def test_types_that_are_json(server, kind):
    assert server.ask("POST", "/regions", b"{}", {"Content-Type": kind}).status == 200


@pytest.mark.parametrize("kind", [
    "text/plain", "application/xml", "multipart/form-data; boundary=x", "application/jsonx",
    "text/json+x", "json", "image/png", "application/octet-stream", "application/json+xml"])
def test_types_that_are_not(server, kind):
    for _ in range(2):
        reply = server.ask("POST", "/regions", b'{"seed":1}', {"Content-Type": kind})
        assert reply.status == 415, reply
        assert server.ask("POST", "/regions", b'{"seed":1}').status == 200, "recalled wrongly"


# ---- 422: what cannot be -----------------------------------------------------------------------

LAKES = ["#.#", "...", "#.#"]  # four pieces of land on squares


@pytest.mark.parametrize("body, numbers", [
    ({"width": 3, "height": 2, "count": 7}, {"7", "6"}),
    ({"mask": ["#.", ".#"], "grid": "square", "count": 3}, {"3", "2"}),
    ({"mask": LAKES, "grid": "square", "count": 3}, {"3", "4"}),
    ({"width": 4, "height": 4, "sizes": [5, 5]}, {"10", "16"}),
    ({"width": 4, "height": 4, "sizes": [8, 8], "count": 3}, {"3", "2"}),
    ({"width": 4, "height": 3, "wrap": "xy"}, {"3"}),
    ({"width": 5, "mask": ["####", "####"], "count": 1}, {"5", "4"}),
    ({"height": 5, "mask": ["####", "####"], "count": 1}, {"5", "2"}),
    ({"mask": ["....", "...."], "count": 1}, set()),
    ({"mask": ["##..##", "##..##"], "grid": "square", "sizes": [3, 5]}, set()),
])
def test_impossible(server, body, numbers):
    body = body | {"seed": 1}
    replies = [server.post("/regions", body) for _ in range(2)]
    for reply in replies:
        assert reply.status == 422, reply
        assert numbers <= set(NUMBER.findall(reply.body.decode())), (numbers, reply)
        assert reply.json()["errors"], "why is said"
    first, second = (json.loads(r.body) for r in replies)
    assert {**first, "instance": 0} == {**second, "instance": 0}


# One of something, where there could be several.
ONE = [
    ("/regions", {"mask": ["...", "#.."], "count": 2}),
    ("/regions", {"mask": ["#.#"], "count": 1}),
    ("/regions", {"mask": ["#.#"], "sizes": [2]}),
    ("/regions", {"mask": ["#.##"], "count": 2, "capitals": [[2, 0], [3, 0]]}),
    ("/regions", {"mask": ["#.#"], "sizes": [2], "capitals": [[0, 0]]}),
    ("/regions", {"width": 1, "height": 1, "sizes": [2]}),
    ("/regions", {"width": 2, "height": 2, "sizes": [1]}),
    ("/regions", {"width": 3, "sizes": [4], "count": 2}),
    ("/regions", {"count": 1, "capitals": [[0, 0], [1, 0]]}),
    ("/regions", {"width": 2, "mask": ["#"]}),
    ("/regions", {"height": 2, "mask": ["#"]}),
    ("/regions", {"mask": ["#", "##"]}),
    ("/regions", {"height": 1, "wrap": "xy"}),
    ("/areas", {"width": 1, "height": 1, "area": 2}),
    ("/areas", {"width": 1, "height": 1, "area": 1, "count": 2}),
    ("/areas", {"mask": ["#.#"], "area": 2}),
    ("/areas", {"mask": ["##.#.#"], "area": 2, "count": 2}),
    ("/areas", {"width": 9, "height": 9, "area": 50}),
    ("/areas", {"width": 2, "height": 9, "edge": "sea"}),
    ("/areas", {"mask": [".#.", "###", ".#."], "area": 5, "algorithm": "dfs-backtrack", "edge": "open"}),
    ("/islands", {"width": 3, "height": 3, "islands": [5, 6], "size": [1, 1]}),
    ("/islands", {"width": 4, "height": 4, "islands": [2, 2], "size": [8, 8]}),
    ("/islands", {"iterations": 1, "land": 0, "order": False}),
    ("/puzzle/generate", {"min_length": 4096}),
    ("/puzzle/generate", {"width": 2, "height": 2, "colors": 1, "min_length": 3}),
    ("/puzzle/generate", {"width": 3, "height": 3, "colors": 1, "rule": "flow"}),
    ("/puzzle/solve", {"grid": ["A.A", "AA"]}),
    ("/puzzle/solve", {"grid": ["A.", ".B"]}),
]


@pytest.mark.parametrize("path, body", ONE)
def test_singular_and_plural(server, path, body):
    reply = server.post(path, body | ({} if path.endswith("solve") else {"seed": 1}))
    assert reply.status in (400, 422), reply
    for error in reply.json()["errors"]:
        assert not re.search(r"\b1 ([a-z]+ )?\w+s\b(?<!less)", error["detail"]), error


def test_min_length_longer_than_any_path(server):
    [error] = server.get("/puzzle/generate?min_length=4096").json()["errors"]
    assert error["pointer"] == "/min_length" and {"4096", "49"} <= set(NUMBER.findall(error["detail"]))


def test_too_big():
    """A map that does not fit into --memory is 422, and the next one is made."""
    with Server("--memory=4M", "--workers=1") as server:
        assert server.post("/regions", {"width": 2000, "height": 2000, "seed": 1}).status == 422
        assert server.get("/regions").status == 200


def test_the_connection_survives_a_problem(server):
    with server.connect() as connection:
        for target, status in (("/nowhere", 404), ("/regions?width=0", 400), ("/regions.vox", 406)):
            assert connection.ask("GET", target).status == status
        assert connection.ask("POST", "/regions", b"{", {}).status == 400
        assert connection.ask("POST", "/regions", b"{}", {"Content-Type": "a/b"}).status == 415
        assert connection.ask("DELETE", "/regions").status == 405
        assert connection.ask("GET", "/healthz").status == 200


# ---- 503, 504 ----------------------------------------------------------------------------------

BIG = {"width": 1500, "height": 1500, "count": 1000}


def time_to_make(body):
    """Milliseconds that a new map takes: the least of several, as the machine may be busy."""
    with Server("--workers=1", *NO_HURRY) as server:
        timings = [
            server.post("/regions", body | {"seed": seed}).header("Server-Timing")
            for seed in range(100, 105)
        ]
        return min(float(re.search(r"make;dur=([\d.]+)", timing)[1]) for timing in timings)


@contextlib.contextmanager
def hurried_server(deadline):
    """One that knows what maps take here, and would begin BIG: a machine that was busy while it
    learned seems too slow for that."""
    for _ in range(9):
        with Server(f"--deadline-ms={deadline}", "--workers=1") as server:
            for seed in range(20):
                server.post("/regions", {"width": 400, "height": 400, "seed": seed})
            if server.post("/regions", BIG | {"seed": 0}).status == 504:
                yield server
                return
    raise AssertionError("it begins nothing that is late")


def test_past_the_time_budget():
    """A late map is not tried again before Retry-After."""
    deadline = max(int(time_to_make(BIG) / 2), 2)
    with hurried_server(deadline) as server:
        stopped = server.metric('mapwright_maps_total{outcome="stopped"}')
        first, second = (server.post("/regions", BIG | {"seed": 1}) for _ in range(2))
        assert (first.status, second.status) == (504, 504), (first, second)
        assert server.metric('mapwright_maps_total{outcome="stopped"}') == stopped + 1, "tried again"
        assert re.search(r"not ready after \d+ ms and \d+ steps", second.json()["detail"])
        assert 1 <= int(second.header("Retry-After")) <= 1 + 6 * deadline / 1000
        time.sleep(int(second.header("Retry-After")))
        again = server.post("/regions", BIG | {"seed": 1})
        assert again.status == 504
        assert server.metric('mapwright_maps_total{outcome="stopped"}') == stopped + 2, "504 is kept"
        coded = server.post("/regions", BIG | {"seed": 1}, Accept_Encoding="gzip")
        assert coded.status == 504 and "not ready after" in coded.json()["detail"]
        assert int(coded.header("Retry-After")) > 0
        assert server.get("/healthz").status == 200


def test_maps_that_certainly_take_too_long_are_refused_at_once():
    with Server("--deadline-ms=1", "--workers=1") as server:
        reply = server.post("/regions", {"width": 4096, "height": 4096, "seed": 1})
        assert reply.status == 422 and reply.json()["type"] == "/problems/too-hard", reply
        assert re.search(r"takes some \d+ ms, and a request gets 1 here", reply.json()["errors"][0]["detail"]), reply
        assert server.metric("mapwright_maps_total") == 0, "no worker was asked"


def test_a_full_queue(work):
    with Server("--workers=1", "--queue=1", *NO_HURRY) as server:
        connections = [server.connect() for _ in range(8)]
        for seed, connection in enumerate(connections):
            connection.send(request("POST", "/regions", work | {"seed": seed}))
        statuses = [connection.reply("POST").status for connection in connections]
        assert set(statuses) == {200, 503}, statuses
        assert statuses.count(200) <= 3
        assert server.post("/regions", {}).status == 200, "and it recovers"
