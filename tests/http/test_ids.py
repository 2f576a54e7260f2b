"""A map's names: `id`, `self`, and the parameters that make it again."""
import uuid
from urllib.parse import quote

import pytest

BODIES = [
    {}, {"seed": "a b&c=d%25#e+f\u017c/g?"}, {"seed": "\t\"\\<>'"}, {"seed": "-1"}, {"seed": "007"},
    {"width": 9, "height": 7, "grid": "square", "wrap": "xy", "count": 5, "variation": 0.123,
     "roughness": 0.999},
    {"mask": ["..#..", ".###.", "#####"], "count": 2},
    {"width": 4, "height": 2, "sizes": [1, 5, 2]},
]


def judge_names(server, path, answer, bytes_):
    assert answer["id"] == str(uuid.uuid5(uuid.NAMESPACE_URL, answer["self"]))
    assert answer["self"].startswith(f"{path}?v={answer['version']}&")
    assert all(32 < ord(c) < 127 and c not in "\"<>#\\^`{}|" for c in answer["self"]), "no URL"
    again = server.get(answer["self"])
    assert again.status == 200 and again.body == bytes_, "self gives another map"
    by_id = server.get("/maps/" + answer["id"])
    assert by_id.status == 200 and by_id.body == bytes_, "/maps/{id} gives another map"


def post_back(server, path, answer, bytes_):
    """The parameters of the answer, posted, give the same map."""
    body = dict(answer["parameters"])
    if "seed" in answer:
        body["seed"] = answer["seed"]
    assert server.post(path, body).body == bytes_
    assert server.post(path, body | {"v": answer["version"]}).body == bytes_


def test_names_of_every_generator(server, contract):
    for generator in contract.generators:
        reply = server.post(generator.path, generator.body())
        judge_names(server, generator.path, reply.json(), reply.body)
        post_back(server, generator.path, reply.json(), reply.body)


@pytest.mark.parametrize("body", BODIES)
def test_names_of_regions(server, body):
    reply = server.post("/regions", body)
    assert reply.status == 200, reply
    judge_names(server, "/regions", reply.json(), reply.body)
    post_back(server, "/regions", reply.json(), reply.body)


def test_self_is_as_the_contract_writes_it(server):
    answer = server.post("/regions", {"seed": 7, "mask": ["#.", "##"], "count": 1}).json()
    assert answer["self"].startswith("/regions?v=7&width=2&height=2&grid=hex&wrap=none&count=1&")
    assert answer["self"].endswith("&seed=7")
    assert "mask=%23./%23%23" in answer["self"], answer["self"]


def test_equal_requests_have_one_id_and_others_another(server):
    version = server.get("/regions?seed=7").json()["version"]
    names = {server.post("/regions", body).json()["id"] for body in (
        '{"seed":7}', '{"seed":"7"}', '{"seed":7.0,"width":40}',
        '{"seed":7,"width":4e1,"count":null}',
        '{"grid":"hex","seed":7,"roughness":0.500}', f'{{"v":{version},"seed":7,"format":"json"}}')}
    assert len(names) == 1
    assert server.get("/regions?seed=7&format=json").json()["id"] in names
    for body in ({"seed": "07"}, {"seed": 7, "width": 41}, {"seed": 7, "wrap": "x"}):
        names.add(server.post("/regions", body).json()["id"])
    assert len(names) == 4


def test_self_may_be_escaped_further(server):
    """Another client may escape more than `self` does: the map is the same."""
    answer = server.post("/regions", {"seed": "x/y", "mask": ["#.#", "###"], "count": 1}).json()
    path, _, query = answer["self"].partition("?")
    loud = "&".join("=".join(quote(part.replace("%23", "#").replace("%2F", "/"), safe="")
                             for part in pair.split("=")) for pair in query.split("&"))
    assert server.get(path + "?" + loud).json()["id"] == answer["id"]


def test_maps_by_id(server):
    """In another format, by HEAD, and 304."""
    answer = server.get("/regions?seed=by-id").json()
    svg = server.get("/regions.svg?seed=by-id")
    by_id = server.get("/maps/" + answer["id"], Accept="image/svg+xml")
    assert by_id.status == 200 and by_id.body == svg.body
    assert by_id.header("ETag") == svg.header("ETag")
    head = server.ask("HEAD", "/maps/" + answer["id"])
    assert head.status == 200 and head.header("Content-Length")
    assert server.get("/maps/" + answer["id"], If_None_Match=head.header("ETag")).status == 304


@pytest.mark.parametrize("name", [
    "00000000-0000-0000-0000-000000000000", "nonsense", "", "%00", "x" * 3000, "../regions"])
def test_maps_that_are_not_there(server, name):
    reply = server.get("/maps/" + name)
    assert reply.status == 404, reply


def test_a_map_too_long_for_a_url(server):
    """A large mask: POST works, GET of self says 414, the id gives it again."""
    rows = ["#" * 900 for _ in range(600)]
    post = server.post("/regions", {"mask": rows, "count": 5, "seed": 1})
    assert post.status == 200, post
    answer = post.json()
    assert answer["id"] == str(uuid.uuid5(uuid.NAMESPACE_URL, answer["self"]))
    with server.connect() as connection:
        try:
            connection.send(b"GET " + answer["self"].encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        except OSError:
            pass  # it may hang up before it has read all of it
        assert connection.reply().status == 414
    assert server.get("/maps/" + answer["id"]).body == post.body
