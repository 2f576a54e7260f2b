"""QUERY (RFC 10008): a POST that is safe, and whose answers caches may keep."""
import os
import re
import shlex
import subprocess

import pytest

from server import ROOT

FOR_A_WEEK = "max-age=604800"
JSON = {"Content-Type": "application/json"}


def query(server, target, body, **headers):
    return server.ask("QUERY", target, body, {k.replace("_", "-"): v for k, v in headers.items()})


def test_query_is_post(server, contract):
    for generator in contract.generators:
        seed = {"seed": "query"} if generator.seeded else {}
        body = generator.body(**seed)
        asked, posted = query(server, generator.path, body), server.post(generator.path, body)
        assert asked.status == 200 and asked.body == posted.body
        for name in ("ETag", "Cache-Control", "Content-Location", "Vary", "Content-Disposition"):
            assert asked.header(name) == posted.header(name) is not None, name
        assert server.get(asked.header("Content-Location")).body == asked.body


def test_query_with_formats_and_parameters_in_the_url(server):
    reply = query(server, "/regions?width=9", {"seed": 1, "format": "svg"})
    assert reply.media == "image/svg+xml"
    assert reply.body == server.get("/regions.svg?width=9&seed=1").body
    assert query(server, "/regions.txt", {"seed": 1}).media == "text/plain"
    assert query(server, "/regions", {"seed": 1}, Accept="text/plain").media == "text/plain"


@pytest.mark.parametrize("body", [None, "", b"{}"])
def test_query_without_parameters(server, body):
    reply = query(server, "/regions", body, **JSON if body else {})
    assert reply.status == 200 and reply.header("Cache-Control") == "no-store"


def test_query_may_be_repeated(server):
    """It is cached, and not confused with the POST of the same bytes."""
    body, target = '{"seed":"again","width":14}', "/regions"
    with server.connect() as connection:
        first = connection.ask("QUERY", target, body, JSON)
        tag = first.header("ETag")
        for _ in range(3):
            again = connection.ask("QUERY", target, body, JSON)
            assert again.header("Cache-Status") == "mapwright; hit"
            assert again.header("Cache-Control") == FOR_A_WEEK and again.body == first.body
            known = connection.ask("QUERY", target, body, JSON | {"If-None-Match": tag})
            assert known.status == 304 and not known.body and known.header("ETag") == tag
            assert known.header("Cache-Status") == "mapwright; hit"
            posted = connection.ask("POST", target, body, JSON | {"If-None-Match": tag})
            assert posted.status == 412


def test_query_needs_a_content_type(server):
    """Section 2: a body without a type is refused; as any that is not JSON."""
    for _ in range(2):
        reply = query(server, "/regions", b'{"seed":1}')
        assert reply.status == 400 and "Content-Type" in reply.json()["detail"]
        assert server.post("/regions", b'{"seed":1}').status == 200
        assert query(server, "/regions", b'{"seed":1}', **JSON).status == 200
    for refused in (reply, query(server, "/regions", "a,b", Content_Type="text/csv")):
        assert refused.header("Accept-Query") == "application/json"
    assert refused.status == 415
    assert query(server, "/regions", "{", **JSON).status == 400
    assert query(server, "/regions", {"width": 0, "seed": 1}).pointers() == ["/width"]
    assert query(server, "/regions", {"width": 2, "height": 2, "count": 5}).status == 422
    assert query(server, "/regions", b" " * (1 << 21), **JSON).status == 413


def test_query_is_announced(server, contract):
    for generator in contract.generators:
        options = server.ask("OPTIONS", generator.path)
        assert options.header("Accept-Query") == "application/json"
        for name in ("Allow", "Access-Control-Allow-Methods"):
            assert "query" in options.tokens(name)
        wrong = server.ask("DELETE", generator.path)
        assert wrong.status == 405 and "query" in wrong.tokens("Allow")
    for path in ("/", "/healthz", "/openapi.json", "/maps/" + "0" * 8 + "-0000" * 3 + "-" + "0" * 12):
        assert "query" not in server.ask("OPTIONS", path).tokens("Allow")
        assert query(server, path, b"{}", **JSON).status == 405


def test_query_of_the_readme(server):
    with open(os.path.join(ROOT, "README.md")) as readme:
        command = re.search("^ *(curl .*-X QUERY.*)$", readme.read(), re.M)[1]
    words = shlex.split(command.replace("localhost:8080", f"localhost:{server.port}"))
    said = subprocess.run([*words, "-s"], stdout=subprocess.PIPE, check=True).stdout
    assert said == server.get("/regions?width=60&seed=hello").body
