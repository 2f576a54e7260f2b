"""For caches in front: canonical addresses, and a real nginx that keeps answers."""
import random
import string
from urllib.parse import quote

import pytest

from nginx import Nginx
from server import NO_HURRY, Server, free_port

# ---- one map, one address ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict():
    with Server("--canonical=redirect", "--threads=1", *NO_HURRY) as server:
        yield server


def follow(server, target, method="GET", **headers):
    """The answer at the end of the one redirect that there may be, and where it was."""
    headers = {k.replace("_", "-"): v for k, v in headers.items()}
    reply = server.ask(method, target, None, headers)
    if reply.status != 308:
        return reply, target
    where = reply.header("Location")
    assert reply.header("Cache-Control") == "public, max-age=86400" and not reply.body
    again = server.ask(method, where, None, headers)
    assert again.status != 308, f"{target} is sent from {where} to {again.header('Location')}"
    return again, where


def test_spellings_of_one_map_have_one_address(strict):
    where = {}
    for suffix, format in (("", ""), (".svg", ""), ("", "&format=svg"), (".json", ""),
                           (".svg", "&format=svg"), ("", "&format=json")):
        for query in ("seed=7&width=9", "width=9&seed=7", "width=9.0&seed=%37&count=6",
                      "v=4&seed=7&width=9&", "width=9&seed=7&grid=hex"):
            for path in ("/regions", "/%72egions"):
                reply, there = follow(strict, f"{path}{suffix}?{query}{format}")
                assert reply.status == 200
                kind = "svg" if "svg" in suffix + format else "json" if suffix + format else ""
                assert where.setdefault(kind, (there, reply.body)) == (there, reply.body)
    assert [there.split("?")[0] for there, _ in where.values()] == [
        "/regions", "/regions.svg", "/regions.json"]


def test_looks_of_canonical_addresses(strict):
    """What the format named does not heed goes; where Accept chooses, it may be heeded."""
    for target, look in (("/regions.svg?scale=8&color=true&seed=1", "scale=8"),
                         ("/regions.txt?scale=8&color=true&seed=1", "color=true"),
                         ("/islands.vox?scale=8&voxel=2&seed=1", "voxel=2"),
                         ("/islands.txt?voxel=2&tables=true&columns=60&seed=1", "columns=60&tables=true"),
                         ("/islands.txt?columns=80&tables=false&seed=1", ""),
                         ("/regions.svg?labels=false&theme=dark&palette=default&seed=1", "labels=false&theme=dark"),
                         ("/regions.json?scale=8&color=true&seed=1", ""),
                         ("/regions?scale=8&color=true&seed=1", "scale=8&color=true")):
        reply, where = follow(strict, target)
        assert reply.status == 200 and where.partition("&seed=1")[2].lstrip("&") == look
    for accept in ("text/plain", "image/svg+xml", "application/json"):
        reply, _ = follow(strict, "/regions?scale=8&color=true&seed=1", Accept=accept)
        assert reply.media == accept
        with Server() as free:
            assert free.get("/regions?scale=8&color=true&seed=1", Accept=accept).body == reply.body


def test_only_what_can_be_kept_by_its_address_is_redirected(strict, server):
    assert strict.get("/regions?width=9").status == 200
    assert strict.post("/regions?width=9", {"seed": 1}).status == 200
    assert strict.ask("QUERY", "/regions?width=9", {"seed": 1}).status == 200
    assert strict.get("/regions?width=0&seed=1").status == 400
    assert strict.get("/regions.vox?seed=1").status == 406
    assert strict.get("/healthz?x=1").status == 200
    kept = strict.get("/regions?width=9").json()["id"]
    assert strict.get(f"/maps/{kept}?format=svg").status == 200
    assert strict.get("/puzzle/solve?grid=A.A").status == 308  # it draws nothing
    head = strict.ask("HEAD", "/regions?seed=1")
    assert head.status == 308 and head.header("Location") == \
        strict.get("/regions?seed=1").header("Location")
    assert server.get("/regions?seed=1").status == 200, "off by default"


def test_redirects_come_again(strict):
    """Kept bytes do not make them go away: neither of the same request, nor of its POST."""
    with strict.connect() as connection:
        for _ in range(3):
            assert connection.ask("GET", "/regions?seed=again").status == 308
            assert connection.ask("POST", "/regions?seed=again", b"").status == 200
            canonical = connection.ask("GET", "/regions?seed=again").header("Location")
            assert connection.ask("GET", canonical).status == 200
            assert connection.ask("GET", canonical.replace("regions", "%72egions")).status == 308


def test_redirects_of_random_requests_never_loop(strict, server, contract):
    """Whatever is asked for, in whatever spelling: the canonical address answers directly, and with
    what the request would have been answered."""
    chance = random.Random(5)
    letters = string.ascii_letters + string.digits + " /&?%#+.~é"
    sent_on = good = 0
    for _ in range(400):
        generator = chance.choice(contract.generators)
        values = dict(generator.body())
        for name, field in generator.own_fields().items():
            kind = field.get("type")
            kind = kind[0] if isinstance(kind, list) else kind
            if chance.random() < 0.4 and "enum" in field:
                values[name] = chance.choice(field["enum"])
            elif chance.random() < 0.3 and kind == "boolean":
                values[name] = chance.choice(["true", "false"])
            elif chance.random() < 0.3 and kind in ("integer", "number") and name != "v":
                low = field.get("minimum", 0)
                values[name] = chance.choice([low, f"{low}.0", f"0{low}", low + 1, low + 3])
        if generator.seeded:
            values["seed"] = "".join(chance.choices(letters, k=chance.randint(1, 9)))
        if chance.random() < 0.4:
            values[chance.choice(["scale", "color", "format"])] = chance.choice(
                [2, "true", "svg", "text", "json"])
        pairs = [f"{name}={quote(spelled(value), safe=chance.choice(['', ',;/']))}"
                 for name, value in values.items() if value is not None]
        chance.shuffle(pairs)
        suffix = chance.choice(["", "", ".svg", ".txt", ".json"])
        target = f"{generator.path}{suffix}?{'&'.join(pairs)}"
        reply, where = follow(strict, target)
        sent_on += where != target
        assert reply.status in (200, 400, 406, 422), reply
        if reply.status == 200:
            assert reply.body == server.get(target).body
            good += 1
    assert sent_on > 200 and good > 200


def spelled(value):
    if isinstance(value, list):
        rows = isinstance(value[0], str) if value else False
        return "/".join(value) if rows else ",".join(map(str, value))
    return str(value)


# ---- nginx, by the file in deploy ----------------------------------------------------------------

MAP = "/regions?v=4&width=9&height=9&grid=hex&wrap=none&count=3&variation=0&roughness=0.5&names=none&seed=edge"
CROSS = "/areas.json?mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&seed=1"


@pytest.fixture(scope="module")
def edge(strict):
    with Nginx([strict.port]) as edge:
        yield edge


def reached(origin, path):
    """How many requests for that path have come to the origin. Its one thread has counted what it
    answered before it tells the count."""
    return origin.metric(f'mapwright_requests_total{{route="{path}"}}', absent=0)


def test_an_edge_keeps_maps_and_tells_the_truth(strict, edge):
    before = reached(strict, "/regions")
    through = [edge.get(MAP) for _ in range(2)]
    kept = [edge.get(MAP, X_Request_Id=name) for name in ("one", "two")] + [edge.get(MAP)]
    assert reached(strict, "/regions") - before == 2
    assert {reply.body for reply in through + kept} == {strict.get(MAP).body}
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


def test_an_edge_keeps_each_map_once(strict, edge):
    """Other spellings lead to the address that is kept, by redirects that are kept themselves."""
    spellings = [MAP.replace("&wrap=none", ""), MAP.replace("v=4&", "").replace("9&", "9.0&")]
    for _ in range(2):
        follow(edge, MAP)
        for spelling in spellings:
            assert follow(edge, spelling)[1] == MAP
    before = reached(strict, "/regions")
    for spelling in spellings:
        reply, where = follow(edge, spelling)
        assert where == MAP and reply.header("Cache-Status") == "nginx; hit"
    assert reached(strict, "/regions") == before


@pytest.mark.parametrize("status, target", [(400, "/regions?seed=edge&width=0"), (422, CROSS)])
def test_an_edge_keeps_refusals(strict, edge, status, target):
    _, target = follow(strict, target)
    for _ in range(2):
        assert edge.get(target).status == status
    path = target.split("?")[0].split(".")[0]
    before = reached(strict, path)
    connection = edge.connect()
    connection.send(f"GET {target} HTTP/1.1\r\nHost: x\r\nX-Request-Id: later\r\n\r\n".encode())
    status_line, headers = connection._head()[1:]  # its body names the request that was kept
    headers = dict(headers)
    assert status_line == status and headers["X-Request-Id"] == "later"
    assert headers["Cache-Status"] == "nginx; hit"
    assert reached(strict, path) == before


def test_an_edge_keeps_formats_and_codings_apart(edge):
    for _ in range(3):
        for accept in ("application/json", "image/svg+xml", "text/plain"):
            for coding in (None, "gzip", "zstd", "gzip, deflate, br, zstd"):
                reply = edge.get(MAP.replace("=9", "=60"), Accept=accept, Accept_Encoding=coding)
                assert reply.media == accept
                assert reply.header("Content-Encoding") == (coding and coding.split(", ")[-1])


def test_an_edge_lets_through_what_is_not_to_be_kept(strict, edge):
    assert len({edge.get("/regions").header("ETag") for _ in range(4)}) == 4
    body = {"seed": "edge", "width": 9}
    for method in ("POST", "QUERY"):
        for _ in range(3):
            reply = edge.ask(method, "/regions", body)
            assert reply.status == 200 and reply.header("X-Request-Id")
        assert reply.header("Cache-Status") == "mapwright; hit, nginx; fwd=miss"
    assert {edge.get("/healthz").header("Cache-Status") for _ in range(4)} == {"nginx; fwd=miss"}


def test_an_edge_keeps_nothing_of_who_does_not_wait(edge):
    for _ in range(3):
        later = edge.get(MAP.replace("edge", "later"), Prefer="respond-async")
        assert later.status in (200, 202) and "nginx; hit" not in later.header("Cache-Status")
