"""A real nginx in front, by the file in deploy, keeps answers."""
import pytest

from nginx import Nginx
from server import NO_HURRY, Server

MAP = "/regions?v=7&width=9&height=9&grid=hex&wrap=none&count=3&variation=0&roughness=0.5&names=none&seed=edge"
CROSS = "/areas.json?mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&edge=open&seed=1"


@pytest.fixture(scope="module")
def origin():
    with Server("--threads=1", *NO_HURRY) as server:
        yield server


@pytest.fixture(scope="module")
def edge(origin):
    with Nginx([origin.port]) as edge:
        yield edge


def reached(origin, path):
    """How many requests for that path have come to the origin. Its one thread has counted what it
    answered before it tells the count."""
    return origin.metric(f'mapwright_requests_total{{route="{path}"}}', absent=0)


def test_an_edge_caches_maps(origin, edge):
    before = reached(origin, "/regions")
    through = [edge.get(MAP) for _ in range(2)]
    kept = [edge.get(MAP, X_Request_Id=name) for name in ("one", "two")] + [edge.get(MAP)]
    assert reached(origin, "/regions") - before == 2
    assert {reply.body for reply in through + kept} == {origin.get(MAP).body}
    assert through[0].header("Cache-Status") == "mapwright; fwd=miss, nginx; fwd=miss"
    assert through[1].header("Cache-Status") == "mapwright; hit, nginx; fwd=miss"
    assert all(reply.header("Server-Timing") for reply in through)
    for reply in kept:
        assert reply.header("Cache-Status") == "nginx; hit"
        assert reply.header("Server-Timing") is None
        for name in ("ETag", "Cache-Control", "Content-Location", "Vary", "Content-Type"):
            assert reply.header(name) == through[0].header(name) is not None, name
    assert [reply.header("X-Request-Id") for reply in kept[:2]] == ["one", "two"]
    assert len({reply.header("X-Request-Id") for reply in through + kept}) == 5
    known = edge.get(MAP, If_None_Match=kept[0].header("ETag"))
    assert known.status == 304 and known.header("Cache-Status") == "nginx; hit"


@pytest.mark.parametrize("status, target", [(400, "/regions?seed=edge&width=0"), (422, CROSS)])
def test_an_edge_caches_refusals(origin, edge, status, target):
    for _ in range(2):
        assert edge.get(target).status == status
    path = target.split("?")[0].split(".")[0]
    before = reached(origin, path)
    connection = edge.connect()
    connection.send(f"GET {target} HTTP/1.1\r\nHost: x\r\nX-Request-Id: later\r\n\r\n".encode())
    status_line, headers = connection._head()[1:]  # its body names the request that was kept
    headers = dict(headers)
    assert status_line == status and headers["X-Request-Id"] == "later"
    assert headers["Cache-Status"] == "nginx; hit"
    assert reached(origin, path) == before


def test_an_edge_separates_formats_and_codings(edge):
    for _ in range(3):
        for accept in ("application/json", "image/svg+xml", "text/plain"):
            for coding in (None, "gzip", "zstd", "gzip, deflate, br, zstd"):
                reply = edge.get(MAP.replace("=9", "=60"), Accept=accept, Accept_Encoding=coding)
                assert reply.media == accept
                assert reply.header("Content-Encoding") == (coding and coding.split(", ")[-1])


def test_what_an_edge_does_not_cache(origin, edge):
    assert len({edge.get("/regions").header("ETag") for _ in range(4)}) == 4
    body = {"seed": "edge", "width": 9}
    for method in ("POST", "QUERY"):
        for _ in range(3):
            reply = edge.ask(method, "/regions", body)
            assert reply.status == 200 and reply.header("X-Request-Id")
        assert reply.header("Cache-Status") == "mapwright; hit, nginx; fwd=miss"
    assert {edge.get("/healthz").header("Cache-Status") for _ in range(4)} == {"nginx; fwd=miss"}


def test_an_edge_does_not_cache_202(edge):
    for _ in range(3):
        later = edge.get(MAP.replace("edge", "later"), Prefer="respond-async")
        assert later.status in (200, 202) and "nginx; hit" not in later.header("Cache-Status")
