"""The simplest requests, and the shape of the answer."""
import re
import uuid

import pytest

MEMBERS = ["id", "self", "generator", "version", "seed", "parameters", "result"]


def test_curl_as_in_the_readme(server):
    """curl -d '{"width":20}': its default type is a form's, the body is JSON all the same."""
    reply = server.post("/regions", '{"width":20,"height":10,"count":3}',
                        Content_Type="application/x-www-form-urlencoded")
    assert reply.status == 200, reply
    assert reply.json()["parameters"]["width"] == 20


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_defaults_work(server, contract, method):
    for generator in contract.generators:
        body = generator.body()
        reply = (server.post(generator.path, body) if method == "POST"
                 else server.get(generator.target()))
        assert reply.status == 200, (generator.path, reply)
        assert reply.media == "application/json"


def test_shape_of_the_answer(server, contract):
    for generator in contract.generators:
        answer = server.post(generator.path, generator.body()).json()
        members = [name for name in MEMBERS if name != "seed" or generator.seeded]
        assert list(answer) == members
        assert answer["generator"] == generator.path[1:]
        assert isinstance(answer["version"], int) and answer["version"] >= 1
        assert list(answer["parameters"]) == list(generator.own_fields()), "every parameter"
        assert not list(contract.faults(generator.result, answer))


def test_same_seed_same_bytes(server, contract):
    for generator in contract.generators:
        body = generator.body(**{"seed": "again"} if generator.seeded else {})
        first, second = (server.post(generator.path, body) for _ in range(2))
        assert first.body == second.body
        assert first.header("ETag") == second.header("ETag")
        assert server.get(generator.target(**body)).body == first.body, "GET is POST"


def test_without_seed_another_map(server):
    seeds = {server.post("/regions", {}).json()["seed"] for _ in range(8)}
    assert len(seeds) == 8, "the very same request must not get the very same map"
    assert all(isinstance(seed, int) and 0 <= seed < 2**53 for seed in seeds)


def test_the_body_is_the_map_alone(server):
    """Two servers, or two moments, give the same bytes: no time, no request id."""
    body = {"width": 8, "height": 8, "count": 2, "seed": 1}
    one = server.post("/regions", body, X_Request_Id="one")
    two = server.post("/regions?width=8", {"height": 8, "count": 2, "seed": 1}, X_Request_Id="two")
    assert one.body == two.body
    for reply in (one, two):
        for metric in reply.header("Server-Timing").split(","):
            assert re.fullmatch(r'\s*[\w-]+(;(dur=[\d.]+|desc=([\w-]+|"[^"]*")))*', metric), metric


def test_query_and_body_of_a_post_are_merged(server):
    reply = server.post("/regions?width=11&seed=5", {"height": 12})
    assert reply.status == 200, reply
    assert reply.json()["seed"] == 5
    assert (reply.json()["result"]["width"], reply.json()["result"]["height"]) == (11, 12)


def test_head(server, contract):
    for generator in contract.generators:
        target = generator.target(**{"seed": 3} if generator.seeded else {})
        with server.connect() as connection:
            head = connection.ask("HEAD", target)  # the map is not even made yet
            get = connection.ask("GET", target)  # and the connection is still in step
        assert head.status == get.status == 200
        for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control", "Vary"):
            assert head.header(name) == get.header(name), name
        assert int(head.header("Content-Length")) == len(get.body)


@pytest.mark.parametrize("method, target", [
    ("HEAD", "/"), ("HEAD", "/healthz"), ("HEAD", "/nothing-here"), ("HEAD", "/regions?width=0"),
    ("HEAD", "/regions.vox"), ("HEAD", "/metrics"), ("HEAD", "/openapi.json")])
def test_head_has_no_body(server, method, target):
    with server.connect() as connection:
        head = connection.ask(method, target)
        get = connection.ask("GET", target)
        assert (head.status, head.media) == (get.status, get.media)
        assert int(head.header("Content-Length")) > 0


@pytest.mark.parametrize("path", ["/regions", "/version", "/nowhere", "/regionsx.png"])
def test_preflight_of_a_browser(server, path):
    """Also of paths that do not exist: else a browser could not read the 404."""
    reply = server.ask("OPTIONS", path, None, {
        "Origin": "https://game.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-request-id"})
    assert reply.status in (200, 204)
    assert {"get", "head"} <= reply.tokens("Access-Control-Allow-Methods")  # POST always may
    assert reply.header("Access-Control-Allow-Origin") == "*"
    allowed = reply.tokens("Access-Control-Allow-Headers")
    assert "*" in allowed or {"content-type", "x-request-id"} <= allowed
    assert int(reply.header("Access-Control-Max-Age")) > 0


def test_browsers_may_read_the_headers(server):
    reply = server.ask("POST", "/regions", {}, {"Origin": "https://game.example"})
    exposed = reply.tokens("Access-Control-Expose-Headers")
    wanted = {"etag", "content-location", "x-request-id", "cache-status", "server-timing"}
    assert "*" in exposed or wanted <= exposed


def test_request_id_of_the_client(server):
    for target in ("/regions?seed=1", "/regions?seed=1", "/healthz", "/none", "/regions?width=0"):
        reply = server.get(target, X_Request_Id="from-the-client-42")
        assert reply.header("X-Request-Id") == "from-the-client-42"


def test_request_id_of_the_server(server):
    """A UUID, another one each time, also for cached maps."""
    ids = [server.get("/regions?seed=1").header("X-Request-Id") for _ in range(4)]
    assert len({str(uuid.UUID(one)) for one in ids}) == 4
