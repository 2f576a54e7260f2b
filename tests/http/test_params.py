"""Parameters: every way to be wrong, all faults at once with their pointers; ways to be right."""
import json
import random

import pytest

from contract import spell
from server import Server


def refused(reply, *pointers):
    """400 with exactly these pointers."""
    assert reply.status == 400, reply
    assert members(reply) == sorted(pointers), reply


def members(reply):
    """The members at fault; a pointer may go deeper, to the element of a list."""
    return sorted({"/" + pointer.split("/")[1] for pointer in reply.pointers()})


def detail(reply, pointer):
    return next(e["detail"] for e in reply.json()["errors"] if e["pointer"] == pointer)


# ---- wrong -------------------------------------------------------------------------------------

def test_all_problems_at_once(server):
    reply = server.post("/regions", {
        "width": 0, "height": "x", "grid": "triangle", "wrap": 5, "count": 65536, "variation": 1.5,
        "roughness": -0.1, "mask": 5, "sizes": "10", "seed": -1, "colour": "red", "v": "one"})
    refused(reply, "/width", "/height", "/grid", "/wrap", "/count", "/variation", "/roughness",
            "/mask", "/sizes", "/seed", "/colour", "/v")
    assert reply.json()["type"] == "/problems/invalid-parameter"


def test_wrong_values_of_every_field(server, contract):
    """For each field of each generator, values that its schema refuses."""
    chance = random.Random(1)
    for generator in contract.generators:
        for name, schema in generator.fields.items():
            if name in ("v", "format"):
                continue
            for value in {json.dumps(contract.wrong(chance, schema)) for _ in range(8)}:
                body = json.dumps(generator.body() | {name: json.loads(value)})
                reply = server.post(generator.path, body)
                assert reply.status == 400, (name, value, reply)
                assert members(reply) == ["/" + name], (name, value, reply)


def test_values_at_the_bounds(contract):
    """What the document allows is taken, and what lies just beyond is refused. No map is made."""
    with Server("--max-cells=1", "--max-stars=1", "--max-board=1") as server, server.connect() as connection:
        for generator in contract.generators:
            for name, schema in generator.fields.items():
                for value in contract.bounds(schema):
                    reply = connection.ask("POST", generator.path, generator.body(**{name: value}))
                    refused, fits = reply.status == 400 and f"/{name}" in members(reply), contract.fits(schema, value)
                    assert refused != fits, (generator.path, name, repr(value)[:60], reply)


@pytest.mark.parametrize("body", [
    '{"grid":"hex\\u0000x"}', '{"width\\u0000":5}', '{"format":"svg\\u0000"}', '{"mask":["#\\u0000#"],"count":1}',
    '{"mask":["##/##"],"count":1}', '{"sizes":["1,2"]}'])
def test_strings_are_neither_cut_nor_split(server, body):
    """A NUL does not end a string, and a slash in a row does not begin another."""
    assert server.post("/regions", body).status == 400


@pytest.mark.parametrize("path, name, detail", [
    ("/regions", "Width", ""), ("/regions", "width ", ""), ("/regions", "", ""), ("/regions", "a/b~c", ""),
    ("/regions", "\u00e9", ""), ("/regions", "id", ""), ("/regions", "colour", "did you mean color?"),
    ("/puzzle/generate", "colours", "did you mean colors?")])
def test_unknown_members(server, path, name, detail):
    reply = server.post(path, {name: 1})
    refused(reply, "/" + name.replace("~", "~0").replace("/", "~1"))
    assert detail in reply.json()["errors"][0]["detail"]


# ---- into lists ----------------------------------------------------------------------------------

@pytest.mark.parametrize("path, query, body, pointers", [
    ("/regions", "sizes=600,x,0", {"sizes": [600, 1.5, 0]}, ["/sizes/1", "/sizes/2"]),
    ("/regions", "sizes=600,x,9,", {"sizes": [600, "x", 9, None]}, ["/sizes/1", "/sizes/3"]),
    ("/regions", "mask=%23%23/%23/%23x", {"mask": ["##", "#", "#x"]}, ["/mask/1", "/mask/2"]),
    ("/starlanes", "positions=1,1;2,-2;8388608,0", {"positions": [[1, 1], [2, -2], [8388608, 0]]},
     ["/positions/1", "/positions/2"]),
    ("/starlanes", "homes=3,4,3", {"homes": [3, 4, 3]}, ["/homes/2"]),
    ("/puzzle/solve", "grid=A.A/..B/...", {"grid": ["A.A", "..B", "..."]}, ["/grid/1"])])
def test_pointers_reach_into_lists(server, path, query, body, pointers):
    for reply in (server.get(f"{path}?{query}"), server.post(path, body)):
        assert reply.status == 400 and sorted(reply.pointers()) == pointers, reply


def test_pointer_to_an_index_out_of_range(server):
    for reply in (server.get("/starlanes?stars=10&homes=3,10"),
                  server.post("/starlanes", {"stars": 10, "homes": [3, 10]})):
        assert reply.status == 422 and reply.pointers() == ["/homes/1"], reply
        assert detail(reply, "/homes/1") == "must be the index of a star, 0 to 9"


def test_a_long_list_does_not_hide_other_problems(server):
    reply = server.post("/regions", {"sizes": [0] * 1000, "count": 0, "width": 0, "bogus": 1})
    refused(reply, "/width", "/count", "/sizes", "/bogus")
    assert sum(p.startswith("/sizes/") for p in reply.pointers()) == 10


# ---- twice -------------------------------------------------------------------------------------

@pytest.mark.parametrize("body", [
    '{"width":10,"width":20}', '{"width":10,"width":10}', '{"width":10,"height":9,"width":null}',
    '{"width":1,"wid\\u0074h":1}'])
def test_duplicate_members(server, body):
    refused(server.post("/regions", body), "/width")


def test_duplicates_in_the_query_and_in_both(server):
    refused(server.get("/regions?width=10&wid%74h=10"), "/width")
    refused(server.post("/regions?width=10", {"width": 10}), "/width")
    refused(server.post("/regions?seed=1", {"seed": 1}), "/seed")


# ---- right -------------------------------------------------------------------------------------

@pytest.mark.parametrize("path, name, text", [
    ("/regions", "variation", "0.5004999999999999"), ("/regions", "variation", "0.50049999999999994"),
    ("/regions", "roughness", "5e-1"), ("/regions", "roughness", "0.1234567890123456789"),
    ("/starlanes", "stars", "40.0"), ("/starlanes", "stars", "40.0000000000000000001"),
    ("/starlanes", "stars", "4e1"), ("/regions", "seed", "9007199254740991"),
    ("/regions", "width", "99999999999999999999"),
    ("/regions", "width", "1e400"), ("/regions", "variation", "1.0000000000000000001")])
def test_every_digit_of_a_number_counts(server, path, name, text):
    """In a query as in a body."""
    more = {} if name == "seed" else {"seed": 1}
    get = server.get(f"{path}?{name}={text}" + "".join(f"&{k}={v}" for k, v in more.items()))
    post = server.post(path, "{" + "".join(f'"{k}":{v},' for k, v in more.items()) + f'"{name}":{text}' + "}")
    assert (post.status, post.body) == (get.status, get.body)


def test_a_seed_is_not_rounded(server):
    assert seed_of(server, "9007199254740991.4") == 400
    assert seed_of(server, "9007199254740990.9999999999") == 400
    assert seed_of(server, "9007199254740991.0") == 2**53 - 1


def test_null_is_left_out(server, contract):
    for generator in contract.generators:
        body = generator.body(**{"seed": 2} if generator.seeded else {})
        nulls = dict.fromkeys(generator.fields)
        assert server.post(generator.path, nulls | body).body == server.post(generator.path, body).body
        for name in generator.required:
            refused(server.post(generator.path, body | {name: None}), "/" + name)
    assert server.post("/regions", {"seed": None}).header("Cache-Control") == "no-store"


def test_lists_rows_and_points_in_url_and_json(server):
    mask = ["..####", ".#####", "######", "#####."]
    for more in ({"mask": mask}, {"mask": mask, "sizes": [5, 6, 9], "grid": "square"},
                 {"width": 6, "height": 4, "wrap": "x", "sizes": [4, 20]}):
        body = {"seed": 4, "count": len(more.get("sizes", [0, 0]))} | more
        post = server.post("/regions", body)
        assert post.status == 200, post
        pairs = "&".join(f"{k}={spell(v)}".replace("#", "%23") for k, v in body.items())
        assert server.get("/regions?" + pairs).body == post.body


# ---- seeds -------------------------------------------------------------------------------------

def seed_of(server, seed):
    reply = server.post("/regions", '{"width":4,"height":4,"count":2,"seed":%s}' % seed)
    return reply.json()["seed"] if reply.status == 200 else reply.status


@pytest.mark.parametrize("given, seed", [
    ("7", 7), ('"7"', 7), ("7.0", 7), ("0", 0), ('"0"', 0), ("1e3", 1000),
    ("9007199254740991", 2**53 - 1),
    ('"9007199254740991"', 2**53 - 1), ('"seven"', "seven"), ('"007"', "007"), ('"7.0"', "7.0"),
    ('"-1"', "-1"), ('"1e3"', "1e3"), ('" 7"', " 7"), ('"9007199254740992"', "9007199254740992"),
    ('"' + "x" * 64 + '"', "x" * 64),
    ('"\u017c\u00f3\u0142w \U0001f5fa"', "\u017c\u00f3\u0142w \U0001f5fa"),
    ('"\\ud83d\\uddfa"', "\U0001f5fa"), ('"a&b=c#d%e+f/g?h\\"i\\\\j"', 'a&b=c#d%e+f/g?h"i\\j'),
    ('"\\t\\n"', "\t\n"), ('"true"', "true"), ('"null"', "null")])
def test_seeds(server, given, seed):
    assert seed_of(server, given) == seed
    assert type(seed_of(server, given)) is type(seed)


@pytest.mark.parametrize("given", [
    "-1", "9007199254740992", "1.5", "1e300", '""', '"' + "x" * 65 + '"', '"' + "\u20ac" * 22 + '"',
    "true", "[]", "[1]", "{}", '"\\ud800"'])
def test_wrong_seeds(server, given):
    assert seed_of(server, given) == 400


# ---- versions ----------------------------------------------------------------------------------

def test_version(server, contract):
    for generator in contract.generators:
        version = server.post(generator.path, generator.body()).json()["version"]
        assert server.post(generator.path, generator.body(v=version)).status == 200
        assert server.get(generator.target(v=version)).status == 200
        gone = server.post(generator.path, generator.body(v=version + 1))
        assert gone.status == 410, gone
        assert str(version) in gone.body.decode(), "which one is there is said"
        assert server.get(generator.target(v=version + 1)).status == 410


# ---- escapes -----------------------------------------------------------------------------------

@pytest.mark.parametrize("target", [
    "/regions?seed=%", "/regions?seed=%zz", "/regions?seed=%4", "/regions?%=1", "/regions?=1",
    "/regions?seed=%ff", "/regions?seed=%c0%80", "/regions?seed=%ed%a0%80", "/regions?width",
    "/regions?width=", "/regions?width=%00", "/regions?width=10%00", "/regions?%ff=1"])
def test_broken_escapes(server, target):
    assert server.get(target).status == 400
