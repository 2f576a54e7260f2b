"""Parameters over HTTP: all faults at once with their pointers, in a body as in a query.

Each rule of reading has its rows in tests/unit/lib; here the document is held against the service.
"""
import json

import pytest

from contract import CONTRACT
from server import Server


def members(reply):
    """The members at fault; a pointer may go deeper, to the element of a list."""
    return sorted({"/" + pointer.split("/")[1] for pointer in reply.pointers()})


def refused(reply, *pointers):
    """400 with exactly these pointers."""
    assert (reply.status, members(reply)) == (400, sorted(pointers)), reply


def test_all_problems_at_once(server):
    wrong = {"width": 0, "height": "x", "grid": "triangle", "wrap": 5, "count": 65536, "variation": 1.5,
             "sizes": [0] * 1000,
             "roughness": -0.1, "mask": 5, "seed": -1, "colour": "red", "v": "one"}
    reply = server.post("/regions", wrong)
    refused(reply, *("/" + name for name in wrong))
    assert reply.json()["type"] == "/problems/invalid-parameter"
    assert sum(p.startswith("/sizes/") for p in reply.pointers()) == 10, "a long list does not hide the others"
    assert "did you mean color?" in reply.body.decode()


def test_values_at_the_bounds(generator):
    """What the document allows is taken, and what lies just beyond is refused. No map is made."""
    with Server("--max-cells=1", "--max-stars=1", "--max-board=1") as server, server.connect() as connection:
        for name, schema in generator.fields.items():
            for value in CONTRACT.bounds(schema):
                reply = connection.ask("POST", generator.path, generator.body() | {name: value})
                wrong, fits = reply.status == 400 and f"/{name}" in members(reply), CONTRACT.fits(schema, value)
                assert wrong != fits, (name, repr(value)[:60], reply)
        for name in generator.required:
            refused(connection.ask("POST", generator.path, generator.body() | {name: None}), "/" + name)


@pytest.mark.parametrize("path, query, body, pointers", [
    ("/regions", "sizes=600,x,9,", {"sizes": [600, "x", 9, None]}, ["/sizes/1", "/sizes/3"]),
    ("/regions", "mask=%23%23/%23/%23x", {"mask": ["##", "#", "#x"]}, ["/mask/1", "/mask/2"]),
    ("/starlanes", "positions=1,1;2,-2;8388608,0", {"positions": [[1, 1], [2, -2], [8388608, 0]]},
     ["/positions/1", "/positions/2"]),
    ("/starlanes", "homes=3,4,3", {"homes": [3, 4, 3]}, ["/homes/2"]),
    ("/starlanes", "stars=10&homes=3,10", {"stars": 10, "homes": [3, 10]}, ["/homes/1"]),
    ("/puzzle/solve", "grid=A.A/..B/...", {"grid": ["A.A", "..B", "..."]}, ["/grid/1"])])
def test_pointers_reach_into_lists(server, path, query, body, pointers):
    for reply in (server.get(f"{path}?{query}"), server.post(path, body)):
        assert reply.status in (400, 422) and reply.pointers() == pointers, reply


@pytest.mark.parametrize("target, body", [
    ("/regions?width=10&wid%74h=10", None), ("/regions?width=10", '{"width":10}'),
    ("/regions", '{"width":1,"wid\\u0074h":1}'),
    ("/regions", '{"width":10,"height":9,"width":null}'), ("/regions?width=%00", None)])
def test_duplicates_and_nul(server, target, body):
    refused(server.ask("POST" if body else "GET", target, body), "/width")


@pytest.mark.parametrize("target", ["/regions?seed=%", "/regions?seed=%4", "/regions?=1", "/regions?seed=%c0%80",
                                    "/regions?width"])
def test_broken_escapes(server, target):
    assert server.get(target).status == 400


@pytest.mark.parametrize("name, text", [
    ("variation", "0.5004999999999999"), ("roughness", "5e-1"), ("roughness", "0.1234567890123456789"),
    ("count", "4e1"),
    ("seed", "9007199254740991"), ("width", "99999999999999999999"), ("width", "1e400")])
def test_every_digit_of_a_number_counts(server, name, text):
    """In a query as in a body."""
    more = {"seed": "1"} | {name: text}
    get = server.get("/regions?" + "&".join(f"{k}={v}" for k, v in more.items()))
    post = server.post("/regions", "{" + ",".join(f'"{k}":{v}' for k, v in more.items()) + "}")
    assert (post.status, post.body) == (get.status, get.body)


@pytest.mark.parametrize("given, seed", [
    ("7.0", 7), ('"0"', 0), ('"9007199254740991"', 2**53 - 1), ('"007"', "007"), ('"-1"', "-1"), ('" 7"', " 7"),
    ('"9007199254740992"', "9007199254740992"), ('"' + "x" * 64 + '"', "x" * 64), ('"\\ud83d\\uddfa"', "\U0001f5fa"),
    ('"a&b=c#d%e+f/g?h\\"i\\\\j"', 'a&b=c#d%e+f/g?h"i\\j'), ('"\\t\\n"', "\t\n"), ('"null"', "null"),
    *((wrong, None) for wrong in ("-1", "1.5", '""', '"' + "\u20ac" * 22 + '"', "true", "[1]"))])
def test_seeds(server, given, seed):
    reply = server.post("/regions", '{"width":4,"height":4,"count":2,"seed":%s}' % given)
    if seed is None:
        refused(reply, "/seed")
    else:
        assert json.dumps(reply.json()["seed"]) == json.dumps(seed), "1 and 1.0 are told apart"
