"""ETag, 304, 412, Cache-Control, Content-Location, Cache-Status, codings; one run for equals."""
import gzip
import re
import shutil
import subprocess
import threading

import pytest

from client import request
from server import NO_HURRY, Server

FOR_EVER = "max-age=31536000, immutable"
FOR_A_WEEK = "max-age=604800"
PATH = "/regions?width=30&height=30&seed=cache"
LARGE = "/regions?width=90&height=90&seed=large"
ACCEPTS = ["application/json", "text/plain", "image/svg+xml"]


def plain(reply):
    """The body as it was before its coding."""
    coding = reply.header("Content-Encoding")
    if coding == "gzip":
        return gzip.decompress(reply.body)
    if coding == "zstd":
        return subprocess.run(["zstd", "-dc"], input=reply.body, stdout=subprocess.PIPE,
                              check=True).stdout
    assert coding is None
    return reply.body


# ---- what may be kept, and where it is ---------------------------------------------------------

def test_policy_with_a_seed(server, contract):
    """For ever with the version; another one may give another map without it. Both while it is
    made and from the cache, on one connection."""
    with server.connect() as connection:
        for generator in contract.generators:
            seed = {"seed": 1} if generator.seeded else {}
            version = server.get(generator.target(**seed)).json()["version"]
            for _ in range(3):
                for more, policy in (({}, FOR_A_WEEK), ({"v": version}, FOR_EVER), ({"v": None}, FOR_A_WEEK)):
                    reply = connection.ask("POST", generator.path, generator.body(**seed, **more))
                    assert reply.header("Cache-Control") == policy and reply.header("ETag")
                for target in (generator.target(**seed), generator.target(**seed, v=version)):
                    reply = connection.ask("GET", target)
                    assert reply.header("Cache-Control") == (FOR_EVER if "v=" in target else FOR_A_WEEK)
            assert server.get(reply.json()["self"]).header("Cache-Control") == FOR_EVER
            assert server.get(f"/maps/{reply.json()['id']}").header("Cache-Control") == FOR_EVER


def test_policy_without_a_seed(server, contract):
    for generator in contract.generators:
        if not generator.seeded:
            continue
        for reply in (server.get(generator.target()),
                      server.post(generator.path, generator.body())):
            assert reply.header("Cache-Control") == "no-store"
            assert reply.header("Content-Location") == reply.json()["self"]


def test_content_location_of_every_map(server, contract):
    """Drawn or not, made or kept, whatever the method and the format: it names these bytes."""
    for generator in contract.generators:
        for encoder in generator.formats:
            seeds = [{"seed": "a/b c"}, {}] if generator.seeded else [{}]
            for seed in seeds:
                body = generator.body(format=encoder, **seed)
                for reply in (server.post(generator.path, body), server.post(generator.path, body)):
                    where = reply.header("Content-Location")
                    again = server.get(where)
                    assert again.body == reply.body and again.media == reply.media, where
                    assert again.header("ETag") == reply.header("ETag")
                    assert again.header("Content-Location") == where
                    assert server.ask("HEAD", where).header("Content-Location") == where


def test_content_location_of_a_long_address(server):
    body = {"mask": ["#" * 90] * 90, "seed": 1, "format": "svg", "scale": 9}
    for _ in range(2):
        reply = server.post("/regions", body)
        where = reply.header("Content-Location")
        assert re.fullmatch(r"/maps/[0-9a-f-]{36}\.svg\?scale=9", where)
        assert server.get(where).body == reply.body
        assert server.get(where).header("Content-Location") == where


# ---- tags --------------------------------------------------------------------------------------

def test_tags_are_strong_and_of_their_own(server):
    tags = {}
    for accept in ACCEPTS:
        for coding in ("identity", "gzip", "zstd"):
            reply = server.get(LARGE, Accept=accept, Accept_Encoding=coding)
            tag = reply.header("ETag")
            assert re.fullmatch(r'"[!#-~]{8,}"', tag), tag
            tags[tag] = (accept, coding)
    assert len(tags) == 9, "another for each format and coding"
    assert server.get(LARGE + "x").header("ETag") not in tags


def test_tags_do_not_depend_on_the_way(server):
    tag = server.get(PATH).header("ETag")
    for reply in (server.post("/regions", {"width": 30, "height": 30, "seed": "cache"}),
                  server.get("/regions?seed=cache&height=30.0&width=30"),
                  server.get(PATH + "&format=json"), server.ask("HEAD", PATH)):
        assert reply.header("ETag") == tag


def test_not_modified(server):
    for accept in ACCEPTS:
        full = server.get(PATH, Accept=accept)
        tag = full.header("ETag")
        for match in (tag, "W/" + tag, f'"other", {tag}', f'"a,b",W/"c" ,{tag}', "*",
                      ['"x"', tag]):
            headers = {"Accept": accept, "If-None-Match": match}
            with server.connect() as connection:  # kept: a body that is none would show
                for method in ("GET", "HEAD", "GET"):
                    reply = connection.ask(method, PATH, None, headers)
                    assert reply.status == 304, (match, reply)
                    for name in ("ETag", "Cache-Control", "Content-Location", "Vary"):
                        assert reply.header(name) == full.header(name) is not None, name
                    assert status_of(reply) == "mapwright; hit"
                assert connection.ask("GET", PATH, None, {"Accept": accept}).body == full.body


def test_not_modified_says_nothing_of_a_body(server):
    """A cache takes over what a 304 says: a length, if any, is that of the map (RFC 9110, 8.6)."""
    full = server.get(PATH)
    reply = server.get(PATH, If_None_Match=full.header("ETag"))
    assert reply.header("Content-Length") in (None, full.header("Content-Length"))
    assert reply.header("Transfer-Encoding") is None


def test_modified(server):
    tag = server.get(PATH).header("ETag")
    other = server.get(PATH, Accept="text/plain").header("ETag")
    for match in ('"x"', other, tag[:-1], tag.strip('"'), tag[:-2] + '"', '""', "", ",,"):
        reply = server.get(PATH, If_None_Match=match)
        assert reply.status == 200 and reply.body, match


def test_a_known_tag_costs_no_work():
    """The tag follows from the address, so a server that has never made the map can say 304."""
    with Server() as one:
        tag = one.get(PATH).header("ETag")
    with Server() as two:
        assert two.get(PATH, If_None_Match=tag).status == 304
        assert two.metric('mapwright_maps_total{outcome="made"}') == 0


def test_precondition_of_a_post(server):
    body = {"seed": "pre", "width": 12}
    tag = server.post("/regions", body).header("ETag")
    for _ in range(2):
        assert server.post("/regions", body, If_None_Match=tag).status == 412
        assert server.post("/regions", body, If_None_Match='"other"').status == 200
        assert server.post("/regions", body | {"seed": "other"}, If_None_Match=tag).status == 200


@pytest.mark.parametrize("target", ["/regions?seed=pre&width=13", "/openapi.json"])
def test_if_match(server, target):
    tag = server.get(target).header("ETag")
    for method in ("GET", "HEAD"):
        for wanted, status in ((tag, 200), (f'"other", {tag}', 200), ("*", 200), ('"other"', 412), ("W/" + tag, 412)):
            reply = server.ask(method, target, None, {"If-Match": wanted})
            assert reply.status == status and reply.header("ETag") == tag, wanted
    told = server.get(target, If_Match='"other"', If_None_Match=tag)
    assert told.status == 412 and "If-Match" in told.json()["detail"]
    assert server.get(target, If_Match=tag, If_None_Match=tag).status == 304


def test_precondition_does_not_hide_a_fault(server):
    assert server.get("/regions?width=0", If_Match='"other"').status == 400
    assert server.get("/regions?width=0", If_None_Match="*").status == 400
    assert server.get("/nowhere", If_None_Match="*").status == 404


def test_drawn_seeds_never_match(server):
    tag = server.get("/regions").header("ETag")
    assert server.get("/regions", If_None_Match=tag).status == 200


# ---- hit and miss ------------------------------------------------------------------------------

def status_of(reply):
    return re.sub(r"\s*;\s*", "; ", reply.header("Cache-Status"))


def test_miss_then_hit(server):
    target = "/regions?seed=status&width=7"
    assert status_of(server.get(target)).startswith("mapwright; fwd=miss")
    for reply in (server.get(target), server.post("/regions", {"seed": "status", "width": 7}),
                  server.ask("HEAD", target), server.get("/regions?width=7.0&seed=status")):
        assert status_of(reply) == "mapwright; hit"
    assert status_of(server.get(target, Accept="image/svg+xml")).startswith("mapwright; fwd=miss")
    assert status_of(server.get("/regions")).startswith("mapwright; fwd=miss")


LOOK = "&labels=false&grid_lines=true&theme=dark&palette=print&margin=9"
OF_EACH = {"date", "x-request-id", "cache-status", "server-timing"}


def rest(reply):
    return sorted((name.lower(), value) for name, value in reply.headers
                  if name.lower() not in OF_EACH)


def test_hits_repeat_the_headers_of_the_first_answer(server):
    """The first hit of a thread makes a response that further ones get, unless one is on its way: with
    the longest head that there can be."""
    seed = "%F0%9F%97%BA" * 16
    target = f"/areas.svg?seed={seed}&mask=" + "/".join(["%23" * 15] * 36) + LOOK
    first = server.get(target)
    assert first.status == 200 and len(first.header("Content-Location")) > 2048
    ids = ["a" * 100, "b", "c" * 36, "d" * 100]
    with server.connect() as connection, server.connect() as other:
        for one in (connection, other):
            one.send(b"".join(request("GET", target, None, {"X-Request-Id": id}) for id in ids))
        for id in ids:
            for reply in (connection.reply(), other.reply()):
                assert reply.header("X-Request-Id") == id
                assert reply.header("Cache-Status") == "mapwright; hit"
                assert rest(reply) == rest(first) and reply.body == first.body


# ---- refusals ----------------------------------------------------------------------------------

FOR_A_DAY = "public, max-age=86400"
CROSS = "mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&edge=open"  # found out by a worker
REFUSED = [
    (400, "/regions?seed=1&width=0"), (400, "/regions?seed=1&seed=1"), (400, "/regions?nothing=1"),
    (400, "/regions?seed=%"), (400, "/puzzle/solve"), (400, "/regions.txt?width=0&seed=1"),
    (400, "/regions?format=text&width=0"), (422, "/regions?width=2&height=2&count=5&seed=1"),
    (422, "/regions?width=2&height=2&count=5"), (422, f"/areas?{CROSS}&seed=1")]


@pytest.mark.parametrize("status, target", REFUSED)
def test_lasting_refusals_may_be_cached(server, status, target):
    """By anybody, for a day. The second answer is the same."""
    with server.connect() as connection:
        first, second = (connection.ask("GET", target) for _ in range(2))
        head = connection.ask("HEAD", target)
    assert first.status == second.status == head.status == status
    for reply in (first, second, head):
        assert reply.header("Cache-Control") == FOR_A_DAY
    assert first.media == second.media
    assert first.body == second.body


def test_public_refusals_have_no_request_id(server, tmp_path):
    """A cache gives it to other requests. What is for one client alone names that client's."""
    refused = server.get("/regions?width=0", X_Request_Id="mine")
    assert refused.header("Cache-Control") == FOR_A_DAY and "instance" not in refused.json()
    refused = server.get(f"/areas?{CROSS}", X_Request_Id="mine")
    assert refused.header("Cache-Control") == "no-store" and refused.json()["instance"] == "mine"
    keys = tmp_path / "keys"
    keys.write_text("secret-key\n")
    with Server(f"--keys-file={keys}") as locked:
        for _ in range(2):
            refused = locked.get("/regions?width=0", Authorization="Bearer secret-key", X_Request_Id="mine")
            assert refused.header("Cache-Control") == "no-store" and refused.json()["instance"] == "mine"


def test_refusals_of_a_body_may_be_kept(server):
    with server.connect() as connection:
        for body in (b'{"width":0,"seed":1}', b'{"width":0,"height":"x","nothing":[]}'):
            first, second = (connection.ask("POST", "/regions", body) for _ in range(2))
            assert first.status == 400 and first.header("Cache-Control") == FOR_A_DAY
            assert first.pointers() == second.pointers() != []
        assert connection.ask("POST", "/regions", b"{").header("Cache-Control") == FOR_A_DAY


def test_momentary_refusals_may_not_be_cached(server):
    """Other seeds, settings, methods, versions and times have other answers."""
    replies = [server.get(f"/areas?{CROSS}"), server.get("/nowhere"), server.get("/regions?v=9"),
               server.get("/regions.vox?seed=1"), server.ask("DELETE", "/regions?seed=1"),
               server.get("/maps/" + "0" * 8 + "-0000" * 3 + "-" + "0" * 12),
               server.post("/regions", b"{}", Content_Type="text/csv"),
               server.post("/regions", b" " * (1 << 21))]
    assert [reply.status for reply in replies] == [422, 404, 410, 406, 405, 404, 415, 413]
    for reply in replies:
        assert reply.header("Cache-Control") == "no-store", reply
    with server.connect() as connection:
        connection.send(b"GET /regions?seed=1 HTTP/1.1\r\n\r\n")
        assert connection.reply().header("Cache-Control") == "no-store"


def test_the_memory_of_one_server_is_not_that_of_another():
    """Kept here, but by nobody else: it is a setting."""
    with Server("--memory=2M") as small:
        target = "/regions?width=2000&height=2000&seed=1"
        first, second = small.get(target), small.get(target)
        assert first.status == second.status == 422 and "too-big" in first.json()["type"]
        assert status_of(second) == "mapwright; hit"
        assert second.header("Cache-Control") == "no-store"


def test_the_limits_of_one_server_are_not_those_of_another():
    """Whether they are told before, or were reached."""
    with Server("--deadline-ms=1") as hurried:
        for _ in range(2):
            late = hurried.get("/regions?width=2000&height=2000&seed=1")
            assert late.status in (422, 504) and late.header("Cache-Control") == "no-store"


def test_impossible_requests_are_kept_too(server):
    """Their runs are counted, unless the parameters alone tell that nothing can come of it."""
    before = server.metric('mapwright_maps_total{outcome="refused"}')
    for _ in range(3):
        assert server.get("/regions?width=2&height=2&count=5&seed=1").status == 422
    assert server.metric('mapwright_maps_total{outcome="refused"}') <= before + 1


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
        assert server.ask("HEAD", LARGE).status == 200
        assert server.ask("DELETE", LARGE).status == 405
        assert server.get("/puzzle" + LARGE).status == 404
        assert server.get(LARGE.replace("regions", "regions.svg")).media == "image/svg+xml"
        assert server.get(LARGE, X_Request_Id="mine").header("X-Request-Id") == "mine"
        assert server.get(LARGE).body == plain_one.body


def test_recall_is_not_fooled_by_the_border_of_line_and_body(server):
    """Line and body run together alike, but are not the same request."""
    one = server.post("/regions?seed=1", '{"width":9}')
    assert one.status == 200
    assert server.post("/regions?seed=1{", '"width":9}').status == 400
    assert server.post("/regions?seed=", '1{"width":9}').status == 400
    assert server.post("/regions", '{"width":9,"seed":1}').body == one.body
    assert server.post("/regions?seed=1", '{"width":8}').json()["parameters"]["width"] == 8


def test_recall_is_not_fooled_by_the_body_of_a_get(server):
    target = "/regions?seed=1&width=9"
    plain_one = server.get(target)
    assert server.ask("GET", target, b'{"height":3}').status in (200, 400)
    assert server.get(target).body == plain_one.body


def test_recall_does_not_keep_what_is_drawn(server):
    with server.connect() as connection:
        seeds = {connection.ask("POST", "/regions", b"{}").json()["seed"] for _ in range(20)}
    assert len(seeds) == 20


def test_recall_in_chunks(server):
    """The same body, sent otherwise."""
    body = b'{"seed":"chunks","width":9}'
    whole = server.post("/regions", body)
    with server.connect() as connection:
        connection.send(b"POST /regions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in body:
            connection.send(b"1\r\n" + bytes([byte]) + b"\r\n")
        connection.send(b"0\r\n\r\n")
        assert connection.reply("POST").body == whole.body


@pytest.mark.parametrize("cache", ["0", "64K", "10M"])
def test_small_caches(cache):
    """A cache that holds nothing, or little, changes no answer."""
    with Server(f"--cache-bytes={cache}") as server:
        bodies = {}
        for _ in range(2):
            for seed in range(30):
                reply = server.get(f"/regions?seed={seed}")
                assert reply.status == 200
                assert bodies.setdefault(seed, reply.body) == reply.body
        one, two = (server.get("/regions?width=300&height=300&seed=1") for _ in range(2))
        assert one.status == 200 and one.body == two.body


# ---- equal requests at once --------------------------------------------------------------------

def test_equal_requests_at_once_are_made_once():
    """Twenty clients, in five spellings, while the one worker is busy with something else."""
    made = 'mapwright_maps_total{outcome="made"}'
    with Server("--workers=1", *NO_HURRY) as server:
        first = server.connect()
        first.send(request("POST", "/regions", {"width": 1200, "height": 1200, "seed": 1}))
        spellings = [request("GET", "/regions?seed=equal&width=50"),
                     request("GET", "/regions?width=50&seed=equal"),
                     request("POST", "/regions", {"seed": "equal", "width": 50}),
                     request("POST", "/regions?seed=equal", {"width": 50.0}),
                     request("POST", "/regions?width=50", b'{"seed":"equal"}')]
        connections = [server.connect() for _ in range(20)]
        for i, connection in enumerate(connections):
            connection.send(spellings[i % 5])
        replies = [connection.reply() for connection in connections]
        assert first.reply("POST").status == 200
        assert {reply.status for reply in replies} == {200}
        assert len({reply.body for reply in replies}) == 1
        assert server.metric(made) == 2


def test_equal_requests_from_many_threads():
    """The same, in a real race, on maps that take no time."""
    made = 'mapwright_maps_total{outcome="made"}'
    with Server() as server:
        bodies = [[] for _ in range(8)]

        def client(kept):
            with server.connect() as connection:
                for seed in range(50):
                    kept.append(connection.ask("GET", f"/regions?width=9&seed={seed}").body)

        threads = [threading.Thread(target=client, args=(kept,)) for kept in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(kept == bodies[0] and len(kept) == 50 for kept in bodies)
        assert server.metric(made) == 50


# ---- codings -----------------------------------------------------------------------------------

CODINGS = [
    ("GZip", "gzip"), ("gzip;q=0", None), ("br", None), ("", None), (None, None), ("zstd", "zstd"),
    (["br", "gzip"], "gzip"), ("gzip;q=0.5, zstd;q=1", "zstd"), ("*;q=0.1, gzip;q=0, zstd;q=0", None)]


@pytest.mark.parametrize("accepted, coding", CODINGS)
def test_codings(server, accepted, coding):
    if coding == "zstd" and not shutil.which("zstd"):
        pytest.skip("no zstd program")
    identity = server.get(LARGE)
    for method in ("GET", "GET", "HEAD"):
        reply = server.ask(method, LARGE, None, {"Accept-Encoding": accepted})
        assert reply.header("Content-Encoding") == coding, accepted
        assert {"accept", "accept-encoding"} <= reply.tokens("Vary")
        assert method == "HEAD" or plain(reply) == identity.body
        assert coding is None or int(reply.header("Content-Length")) < len(identity.body) / 2


def test_any_coding(server):
    reply = server.get(LARGE, Accept_Encoding="*")
    assert plain(reply) == server.get(LARGE).body


def test_tags_of_codings(server):
    plain_tag = server.get(LARGE).header("ETag")
    coded = server.get(LARGE, Accept_Encoding="gzip").header("ETag")
    assert server.get(LARGE, Accept_Encoding="gzip", If_None_Match=coded).status == 304
    assert server.get(LARGE, Accept_Encoding="gzip", If_None_Match=plain_tag).status == 200
    assert server.get(LARGE, If_None_Match=coded).status == 200


def test_vary_stands_on_small_answers_too(server):
    for target in ("/regions?width=2&height=2&count=1&seed=1", "/regions?seed=1"):
        assert {"accept", "accept-encoding"} <= server.get(target).tokens("Vary")
        tag = server.get(target).header("ETag")
        assert {"accept", "accept-encoding"} <= server.get(target, If_None_Match=tag).tokens("Vary")


# ---- room ----------------------------------------------------------------------------------------

def test_the_cache_keeps_to_its_bytes():
    """What came last is there, and what is asked for again; what made room comes with the same
    bytes."""
    with Server("--cache-bytes=1M") as server:
        first = server.get("/regions?seed=first")
        bodies = {}
        for seed in range(300):
            bodies[seed] = server.get(f"/regions?width=50&height=50&seed={seed}").body
            assert server.get("/regions?seed=first").header("Cache-Status") == "mapwright; hit"
        assert status_of(server.get("/regions?width=50&height=50&seed=299")) == "mapwright; hit"
        assert server.metric('mapwright_held_bytes{by="cache"}') <= 1 << 20
        assert server.get("/maps/" + first.json()["id"]).body == first.body
        missed = 0
        for seed, body in bodies.items():
            again = server.get(f"/regions?width=50&height=50&seed={seed}")
            missed += status_of(again).startswith("mapwright; fwd=miss")
            assert again.body == body
        assert missed > 100


def test_giants_do_not_push_out_the_small():
    """Nine maps that are more than the cache holds, against hundreds that were asked for once."""
    small = [f"/regions?seed={seed}" for seed in range(300)]
    with Server("--cache-bytes=16M", *NO_HURRY) as server, server.connect() as connection:
        for target in small:
            connection.ask("GET", target)
        for seed in range(9):
            giant = connection.ask("GET", f"/regions?width=1300&height=1300&seed={seed}")
            assert len(giant.body) > 3 << 20
        hits = sum(status_of(connection.ask("GET", target)) == "mapwright; hit" for target in small)
        assert hits >= 0.9 * len(small)
