"""ETag, 304, 412, Cache-Control, Cache-Status, codings; refusals; one run for equal requests; room.

The rules of tags and codings have their rows in tests/unit/srv/parse/check_accept.c, those of what stays in
tests/unit/srv/cache/check_policy.c.
"""
import gzip
import re
import subprocess
import threading

import pytest

from client import request
from server import NO_HURRY, Server

FOR_EVER, FOR_A_WEEK, FOR_A_DAY = "max-age=31536000, immutable", "max-age=604800", "public, max-age=86400"
PATH = "/regions?width=30&height=30&seed=cache"
LARGE = "/regions?width=90&height=90&seed=large"
ACCEPTS = ["application/json", "text/plain", "image/svg+xml"]
OF_EACH = {"date", "x-request-id", "cache-status", "server-timing"}
MADE = 'mapwright_maps_total{outcome="made"}'


def plain(reply):
    """The body as it was before its coding."""
    coding = reply.header("Content-Encoding")
    if coding == "zstd":
        return subprocess.run(["zstd", "-dc"], input=reply.body, stdout=subprocess.PIPE, check=True).stdout
    return gzip.decompress(reply.body) if coding == "gzip" else reply.body


def is_hit(reply):
    return reply.header("Cache-Status") == "mapwright; hit"


# ---- what may be kept, and where it is ---------------------------------------------------------

def test_how_long_a_map_may_be_kept(server, generator):
    """For ever with the version; another one may give another map without it. Not at all where the seed is drawn."""
    version = server.get(generator.target(seed=1)).json()["version"]
    for more, policy in (({}, FOR_A_WEEK), ({"v": version}, FOR_EVER)):
        for _ in range(2):
            posted = server.post(generator.path, generator.body(seed=1, **more))
            got = server.get(generator.target(seed=1, **more))
            assert posted.header("Cache-Control") == got.header("Cache-Control") == policy
    for again in (posted.json()["self"], f"/maps/{posted.json()['id']}"):
        assert server.get(again).header("Cache-Control") == FOR_EVER
    drawn = server.get(generator.target())
    assert drawn.header("Content-Location") == drawn.json()["self"]
    assert drawn.header("Cache-Control") == ("no-store" if generator.seeded else FOR_A_WEEK)


def test_content_location_of_a_long_address(server):
    reply = server.post("/regions", {"mask": ["#" * 90] * 90, "seed": 1, "format": "svg", "scale": 9})
    where = reply.header("Content-Location")
    assert re.fullmatch(r"/maps/[0-9a-f-]{36}\.svg\?scale=9", where)
    assert (server.get(where).body, server.get(where).header("Content-Location")) == (reply.body, where)


# ---- tags and codings ----------------------------------------------------------------------------

def test_tags_are_strong_and_of_their_own(server):
    """Another for each format and coding, which is worth its work."""
    tags, bodies = set(), {accept: server.get(LARGE, Accept=accept).body for accept in ACCEPTS}
    for accept, body in bodies.items():
        for accepted, coding in (("gzip;q=0", None), ("GZip", "gzip"), ("gzip;q=0.5, zstd;q=1", "zstd")):
            headers = {"Accept": accept, "Accept-Encoding": accepted}
            with server.connect() as connection:  # kept: a body that is none would show
                full, again, head = (connection.ask(method, LARGE, None, headers) for method in ("GET", "GET", "HEAD"))
                tag = full.header("ETag")
                for match in (tag, "W/" + tag, f'"other", {tag}', "*", ['"x"', tag]):
                    for method in ("GET", "HEAD"):
                        same = connection.ask(method, LARGE, None, headers | {"If-None-Match": match})
                        assert same.status == 304 and is_hit(same) and same.header("Transfer-Encoding") is None
                        for name in ("ETag", "Cache-Control", "Content-Location", "Vary"):
                            values = {reply.header(name) for reply in (same, full, again, head)}
                            assert len(values) == 1 and None not in values, name
                modified = connection.ask("GET", LARGE, None, headers | {"If-None-Match": tag[:-1]})
                assert modified.body == again.body == full.body
            assert full.header("Content-Encoding") == coding and plain(full) == body
            assert coding is None or len(full.body) < len(body) / 2
            assert {"accept", "accept-encoding"} <= full.tokens("Vary") and re.fullmatch(r'"[!#-~]{8,}"', tag)
            others = server.ask("GET", LARGE, None, headers | {"If-None-Match": ", ".join(tags)})
            assert others.status == 200, "a tag of another format or coding"
            tags.add(tag)
    assert len(tags) == 9
    assert {"accept", "accept-encoding"} <= server.get("/regions?width=2&height=2&count=1&seed=1").tokens("Vary")


def test_a_known_tag_costs_no_work(server):
    """The tag follows from the address, so a server that has never made the map can say 304."""
    tag = server.get(PATH).header("ETag")
    with Server() as other:
        assert other.get(PATH, If_None_Match=tag).status == 304 and other.metric("mapwright_maps_total") == 0


def test_preconditions(server):
    tag = server.get(PATH).header("ETag")
    body = {"width": 30, "height": 30, "seed": "cache"}
    for fields, due in (({"If_Match": tag}, (200, 200)), ({"If_Match": '"x"'}, (412, 412)),
                        ({"If_Match": "W/" + tag}, (412, 412)), ({"If_Match": "*"}, (200, 200)),
                        ({"If_None_Match": "*"}, (304, 412)), ({"If_None_Match": tag}, (304, 412)),
                        ({"If_None_Match": '"x"'}, (200, 200))):
        assert (server.get(PATH, **fields).status, server.post("/regions", body, **fields).status) == due, fields
    assert server.get("/regions?width=0", If_None_Match="*").status == 400, "a fault is not hidden"
    assert server.get("/regions", If_None_Match=tag).status == 200, "a drawn seed never matches"


def test_hits_repeat_the_headers_of_the_first_answer(server):
    """The first hit of a thread makes a response that further ones get, unless one is on its way: with
    the longest head that there can be."""
    looks = "&labels=false&grid_lines=true&theme=dark&palette=print&margin=9"
    target = "/areas.svg?seed=" + "%F0%9F%97%BA" * 16 + "&mask=" + "/".join(["%23" * 15] * 36) + looks
    first = server.get(target)
    assert first.header("Cache-Status") == "mapwright; fwd=miss" and len(first.header("Content-Location")) > 2048
    ids = ["a" * 100, "b", "c" * 36, "d" * 100]

    def rest(reply):
        return sorted((name.lower(), value) for name, value in reply.headers if name.lower() not in OF_EACH)

    with server.connect() as connection, server.connect() as other:
        for one in (connection, other):
            one.send(b"".join(request("GET", target, None, {"X-Request-Id": id}) for id in ids))
        for id in ids:
            for reply in (connection.reply(), other.reply()):
                assert reply.header("X-Request-Id") == id and is_hit(reply)
                assert rest(reply) == rest(first) and reply.body == first.body


# ---- refusals ----------------------------------------------------------------------------------

CROSS = "mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&edge=open"  # found out by a worker


@pytest.mark.parametrize("status, target, body", [
    (400, "/regions?seed=1&width=0", None), (400, "/regions?seed=%", None), (400, "/puzzle/solve", None),
    (400, "/regions.txt?width=0&seed=1", None), (422, "/regions?width=2&height=2&count=5", None),
    (422, f"/areas?{CROSS}&seed=1", None), (400, "/regions", b'{"width":0,"height":"x"}'), (400, "/regions", b"{")])
def test_lasting_refusals_may_be_cached(server, status, target, body):
    """By anybody, for a day. The second answer is the same, so that it names no request."""
    method = "GET" if body is None else "POST"
    first, second = (server.ask(method, target, body, {"X-Request-Id": id}) for id in ("one", "two"))
    for reply in (first, second, *([server.ask("HEAD", target)] if body is None else [])):
        assert reply.status == status and reply.header("Cache-Control") == FOR_A_DAY
    assert first.body == second.body and "instance" not in first.json()


def test_momentary_refusals_may_not_be_cached(server, tmp_path):
    """Other seeds, settings, methods, versions and times have other answers; a key makes one private."""
    replies = [server.get(f"/areas?{CROSS}"), server.get("/nowhere"), server.get("/regions?v=9"),
               server.get("/regions.vox?seed=1"), server.ask("DELETE", "/regions?seed=1"),
               server.post("/regions", b"{}", Content_Type="text/csv"), server.post("/regions", b" " * (1 << 21))]
    assert [reply.status for reply in replies] == [422, 404, 410, 406, 405, 415, 413]
    (tmp_path / "keys").write_text("secret-key\n")
    with Server(f"--keys-file={tmp_path / 'keys'}") as locked:
        replies += [locked.get("/regions?width=0", Authorization="Bearer secret-key") for _ in range(2)]
    assert {reply.header("Cache-Control") for reply in replies} == {"no-store"}
    assert all(reply.json()["instance"] == reply.header("X-Request-Id") for reply in replies)


# ---- the same request again ----------------------------------------------------------------------

def test_recall_is_not_fooled(server):
    """The same line and body again and again, with other headers between: each its own answer."""
    plain_one = server.get(LARGE)
    for _ in range(2):
        for accept in ACCEPTS:
            assert server.get(LARGE, Accept=accept).media == accept
        assert server.get(LARGE, Accept="image/webp").status == 406
        assert server.get(LARGE, Accept_Encoding="gzip").header("Content-Encoding") == "gzip"
        assert server.get(LARGE, Accept_Encoding="gzip;q=0").header("Content-Encoding") is None
        assert server.get(LARGE, If_None_Match=plain_one.header("ETag")).status == 304
        for first, second in (ACCEPTS[1:], ACCEPTS[:0:-1]):
            assert server.get(LARGE, Accept=[first + ";q=0.5", second]).media == second
        assert server.ask("DELETE", LARGE).status == 405
        assert server.get("/puzzle" + LARGE).status == 404
        assert server.get(LARGE.replace("regions", "regions.svg")).media == "image/svg+xml"
        assert server.ask("GET", LARGE, b'{"height":3}').status in (200, 400)
        assert server.get(LARGE).body == plain_one.body


def test_recall_is_not_fooled_by_the_border_of_line_and_body(server):
    """Line and body run together alike, but are not the same request; a body in chunks is."""
    one = server.post("/regions?seed=1", '{"width":9}')
    assert server.post("/regions?seed=1{", '"width":9}').status == 400
    assert server.post("/regions?seed=", '1{"width":9}').status == 400
    assert server.post("/regions", '{"width":9,"seed":1}').body == one.body
    assert server.post("/regions?seed=1", '{"width":8}').json()["parameters"]["width"] == 8
    with server.connect() as connection:
        connection.send(b"POST /regions?seed=1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
                        b"".join(b"1\r\n%c\r\n" % byte for byte in b'{"width":9}') + b"0\r\n\r\n")
        assert connection.reply("POST").body == one.body


@pytest.mark.parametrize("cache", ["0", "64K"])
def test_small_caches(cache):
    """A cache that holds nothing, or little, changes no answer."""
    targets = [*(f"/regions?seed={seed}" for seed in range(30)), "/regions?width=300&height=300&seed=1"]
    with Server(f"--cache-bytes={cache}") as server:
        first, second = ([server.get(target).body for target in targets] for _ in range(2))
        assert first == second and len(set(first)) == len(targets)


# ---- equal requests at once --------------------------------------------------------------------

def test_equal_requests_at_once_are_made_once():
    """Twenty clients, in five spellings, while the one worker is busy with something else."""
    with Server("--workers=1", *NO_HURRY) as server:
        first = server.connect()
        first.send(request("POST", "/regions", {"width": 1200, "height": 1200, "seed": 1}))
        spellings = [request("GET", "/regions?seed=equal&width=50"), request("GET", "/regions?width=50&seed=equal"),
                     request("POST", "/regions", {"seed": "equal", "width": 50}),
                     request("POST", "/regions?seed=equal", {"width": 50.0}),
                     request("POST", "/regions?width=50", b'{"seed":"equal"}')]
        connections = [server.connect() for _ in range(20)]
        for i, connection in enumerate(connections):
            connection.send(spellings[i % 5])
        replies = [connection.reply() for connection in connections]
        assert {reply.status for reply in (*replies, first.reply("POST"))} == {200}
        assert len({reply.body for reply in replies}) == 1 and server.metric(MADE) == 2


def test_equal_requests_from_many_threads():
    """The same, in a real race, on maps that take no time."""
    bodies = [[] for _ in range(8)]

    def client(kept):
        with server.connect() as connection:
            kept += [connection.ask("GET", f"/regions?width=9&seed={seed}").body for seed in range(50)]

    with Server() as server:
        threads = [threading.Thread(target=client, args=(kept,)) for kept in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(kept == bodies[0] and len(kept) == 50 for kept in bodies)
        assert server.metric(MADE) == 50


# ---- room ----------------------------------------------------------------------------------------

def test_the_cache_keeps_to_its_bytes():
    """What came last is there, and what is asked for again; what made room comes with the same bytes."""
    with Server("--cache-bytes=1M") as server, server.connect() as connection:
        first, bodies, missed = connection.ask("GET", "/regions?seed=first"), {}, 0
        for seed in range(300):
            bodies[seed] = connection.ask("GET", f"/regions?width=50&height=50&seed={seed}").body
            assert is_hit(connection.ask("GET", "/regions?seed=first"))
        assert is_hit(connection.ask("GET", "/regions?width=50&height=50&seed=299"))
        assert server.metric('mapwright_held_bytes{by="cache"}') <= 1 << 20
        assert server.get("/maps/" + first.json()["id"]).body == first.body
        for seed, body in bodies.items():
            again = connection.ask("GET", f"/regions?width=50&height=50&seed={seed}")
            missed += not is_hit(again)
            assert again.body == body
        assert missed > 100
