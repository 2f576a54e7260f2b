"""A map by every way that leads to it: POST, GET, HEAD, QUERY, its address, its id, its own parameters."""
import os
import re
import shlex
import subprocess
import uuid
from urllib.parse import quote

import pytest

from client import JSON
from contract import CONTRACT
from server import ROOT

MEMBERS = ["id", "self", "generator", "version", "seed", "parameters", "result"]
NOBODY = "/maps/00000000-0000-5000-8000-000000000000"


def judge_names(server, path, reply):
    """Address, id and parameters of an answer give its bytes again."""
    assert reply.status == 200, reply
    answer = reply.json()
    assert answer["id"] == str(uuid.uuid5(uuid.NAMESPACE_URL, answer["self"]))
    assert answer["self"].startswith(f"{path}?v={answer['version']}&")
    assert all(32 < ord(c) < 127 and c not in "\"<>#\\^`{}|" for c in answer["self"]), "no URL"
    body = answer["parameters"] | ({"seed": answer["seed"]} if "seed" in answer else {})
    for again in (server.get(answer["self"]), server.get("/maps/" + answer["id"]), server.post(path, body),
                  server.post(path, body | {"v": answer["version"]})):
        assert again.status == 200 and again.body == reply.body
    return answer


def test_every_way_leads_to_the_same_map(server, generator):
    body, target = generator.body(seed="way"), generator.target(seed="way")
    with server.connect() as connection:
        head = connection.ask("HEAD", target)  # the map is not even made yet
        got = connection.ask("GET", target)  # and the connection is still in step
    posted, asked = server.post(generator.path, body), server.ask("QUERY", generator.path, body)
    nulls = server.post(generator.path, dict.fromkeys(generator.fields) | body)
    assert got.body == posted.body == asked.body == nulls.body
    for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control", "Content-Location", "Vary",
                 "Content-Disposition"):
        assert head.header(name) == got.header(name) == posted.header(name) == asked.header(name) is not None, name
    answer = judge_names(server, generator.path, got)
    assert list(answer) == [name for name in MEMBERS if name != "seed" or generator.seeded]
    assert (answer["generator"], list(answer["parameters"])) == (generator.name, list(generator.own_fields))
    assert not CONTRACT.faults(generator.result, answer)
    gone = server.post(generator.path, body | {"v": answer["version"] + 1})
    assert gone.status == 410 and str(answer["version"]) in gone.json()["detail"]


@pytest.mark.parametrize("body", [
    {}, {"seed": "a b&c=d%25#e+f\u017c/g?"}, {"seed": "\t\"\\<>'"}, {"seed": "-1"}, {"seed": "007"},
    {"width": 9, "height": 7, "grid": "square", "wrap": "xy", "count": 5, "variation": 0.123, "roughness": 0.999},
    {"mask": ["..#..", ".###.", "#####"], "count": 2}, {"width": 4, "height": 2, "sizes": [1, 5, 2]}])
def test_names_of_regions(server, body):
    judge_names(server, "/regions", server.post("/regions", body))


def test_without_seed_another_map(server):
    with server.connect() as connection:
        seeds = {connection.ask("POST", "/regions", {}).json()["seed"] for _ in range(20)}
    assert len(seeds) == 20 and all(isinstance(seed, int) and 0 <= seed < 2**53 for seed in seeds)


def test_equal_requests_have_one_id_and_others_another(server):
    version = server.get("/regions?seed=7").json()["version"]
    names = {server.post("/regions", body).json()["id"] for body in (
        '{"seed":7}', '{"seed":"7"}', '{"seed":7.0,"width":40}', '{"seed":7,"width":4e1,"count":null}',
        '{"grid":"hex","seed":7,"roughness":0.500}', f'{{"v":{version},"seed":7,"format":"json"}}')}
    assert len(names) == 1
    for body in ({"seed": "07"}, {"seed": 7, "width": 41}, {"seed": 7, "wrap": "x"}):
        names.add(server.post("/regions", body).json()["id"])
    assert len(names) == 4


def test_self_may_be_escaped_further(server):
    """Another client may escape more than `self` does: the map is the same."""
    answer = server.post("/regions", {"seed": "x/y", "mask": ["#.#", "###"], "count": 1}).json()
    path, _, query = answer["self"].partition("?")
    assert query.startswith("v=7&width=3&height=2&grid=hex&wrap=none&count=1&") and "mask=%23.%23/%23%23%23" in query
    loud = "&".join("=".join(quote(part.replace("%23", "#").replace("%2F", "/"), safe="")
                             for part in pair.split("=")) for pair in query.split("&"))
    assert server.get(path + "?" + loud).json()["id"] == answer["id"]


def test_a_map_too_long_for_a_url(server):
    """A large mask: POST works, GET of self says 414, the id gives it again."""
    posted = server.post("/regions", {"mask": ["#" * 900] * 600, "count": 5, "seed": 1})
    with server.connect() as connection:
        try:
            connection.send(b"GET " + posted.json()["self"].encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        except OSError:
            pass  # it may hang up before it has read all of it
        connection.reply().problem(414, "url-too-long")
    assert server.get("/maps/" + posted.json()["id"]).body == posted.body


@pytest.mark.parametrize("path", [NOBODY, "/maps/nonsense", "/maps/", "/maps/%00", "/maps/" + "x" * 3000])
def test_maps_that_are_not_there(server, path):
    server.get(path).problem(404, "not-found")


def test_curl_as_in_the_readme(server):
    """curl -d '{"width":20}': its default type is a form's, the body is JSON all the same. The query is merged."""
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    one = server.post("/regions?seed=5", '{"width":20,"height":10,"count":3}', **form)
    two = server.get("/regions?width=20&height=10&count=3&seed=5")
    assert one.body == two.body and one.json()["parameters"]["width"] == 20
    for metric in one.header("Server-Timing").split(","):
        assert re.fullmatch(r'\s*[\w-]+(;(dur=[\d.]+|desc=([\w-]+|"[^"]*")))*', metric), metric


@pytest.mark.parametrize("path", ["/regions", "/version", "/nowhere", "/regionsx.png"])
def test_preflight_of_a_browser(server, path):
    """Also of paths that do not exist: else a browser could not read the 404."""
    reply = server.ask("OPTIONS", path, None, {
        "Origin": "https://game.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-request-id"})
    assert reply.status == 204 and int(reply.header("Access-Control-Max-Age")) > 0
    assert {"get", "head"} <= reply.tokens("Access-Control-Allow-Methods")  # POST always may
    assert {"content-type", "x-request-id", "prefer", "authorization"} <= reply.tokens("Access-Control-Allow-Headers")
    assert server.get("/regions").header("Access-Control-Expose-Headers") == "*"


def test_request_ids(server):
    """The client's comes back, if it does no harm; else a UUID, another one each time, also for cached maps."""
    for target in ("/regions?seed=1", "/regions?seed=1", "/healthz", "/none", "/regions?width=0"):
        assert server.get(target, X_Request_Id="from-the-client-42").header("X-Request-Id") == "from-the-client-42"
    for hostile in ("x" * 5000, "a\x01b", "\u00e9\u00ff", '"><script>', "{}", " "):
        told = server.get("/nowhere", X_Request_Id=hostile).header("X-Request-Id")
        assert told and len(told) <= 1000 and told.isprintable()
    assert len({str(uuid.UUID(server.get("/regions?seed=1").header("X-Request-Id"))) for _ in range(4)}) == 4


# ---- QUERY (RFC 10008): a POST that is safe, and whose answers caches may keep ------------------

def query(server, target, body, **headers):
    return server.ask("QUERY", target, body, {k.replace("_", "-"): v for k, v in headers.items()})


def test_query_may_be_repeated(server):
    """It is cached, and not confused with the POST of the same bytes."""
    body, target = '{"seed":"again","width":14}', "/regions"
    with server.connect() as connection:
        tag = connection.ask("QUERY", target, body, JSON).header("ETag")
        for _ in range(2):
            again = connection.ask("QUERY", target, body, JSON)
            assert again.header("Cache-Status") == "mapwright; hit"
            assert connection.ask("QUERY", target, body, JSON | {"If-None-Match": tag}).status == 304
            assert connection.ask("POST", target, body, JSON | {"If-None-Match": tag}).status == 412
    drawn = query(server, "/regions.svg?width=14", {"seed": "again"})
    assert drawn.body == server.get("/regions.svg?width=14&seed=again").body


def test_query_needs_a_content_type(server):
    """Section 2: a body without a type is refused; as any that is not JSON."""
    for _ in range(2):
        reply = query(server, "/regions", b'{"seed":1}')
        assert "Content-Type" in reply.problem(400, "invalid-request")
        assert query(server, "/regions", b'{"seed":1}', **JSON).status == 200
    for refused in (reply, query(server, "/regions", "a,b", Content_Type="text/csv")):
        assert refused.header("Accept-Query") == "application/json"
    assert refused.status == 415
    assert query(server, "/regions", None).header("Cache-Control") == "no-store"
    assert query(server, "/regions", {"width": 0, "seed": 1}).pointers() == ["/width"]


def test_methods(server, generator):
    for method in ("PUT", "DELETE", "TRACE", "FOO", "get"):
        reply = server.ask(method, generator.path)
        assert reply.status == 405 and reply.tokens("Allow") == {"get", "head", "post", "query", "options"}
    options = server.ask("OPTIONS", generator.path)
    assert options.header("Accept-Query") == "application/json"
    assert "query" in options.tokens("Allow") & options.tokens("Access-Control-Allow-Methods")


@pytest.mark.parametrize("path, more", [
    *((path, set()) for path in ("/", "/healthz", "/metrics", "/openapi.json", "/problems/not-found")),
    (NOBODY, {"delete"})])
def test_methods_of_pages(server, path, more):
    assert server.ask("OPTIONS", path).tokens("Allow") == {"get", "head", "options"} | more
    for method in ("POST", "PUT", "QUERY"):
        reply = server.ask(method, path, "{}", JSON)
        assert reply.status == 405 and reply.tokens("Allow") == {"get", "head", "options"} | more


def test_query_of_the_readme(server):
    with open(os.path.join(ROOT, "README.md")) as readme:
        command = re.search("^ *(curl .*-X QUERY.*)$", readme.read(), re.M)[1]
    words = shlex.split(command.replace("localhost:8080", f"localhost:{server.port}"))
    said = subprocess.run([*words, "-s"], stdout=subprocess.PIPE, check=True).stdout
    assert said == server.get("/regions?width=60&seed=hello").body
