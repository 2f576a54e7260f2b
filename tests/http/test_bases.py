"""Maps that take parameters from other maps, over HTTP."""
import json
import urllib.parse

import pytest

from contract import CONTRACT

AREAS = "/areas?count=3&area=90&seed=4"


def test_a_base_stands_for_its_rows(server):
    """By POST, GET, self and id; the address of the map below is part of `self`, in its canonical form."""
    sent = server.post("/regions", {"mask": AREAS, "count": 9, "seed": 7})
    got = server.get("/regions?" + urllib.parse.urlencode({"mask": AREAS, "count": 9, "seed": 7}))
    below, again = server.get(AREAS).json(), server.get(sent.json()["self"])
    assert sent.body == got.body == again.body == server.get(f"/maps/{sent.json()['id']}").body
    assert sent.json()["parameters"]["mask"] == below["self"]
    assert got.header("Cache-Control") == "max-age=604800", "neither of them names its version"
    assert "immutable" in again.header("Cache-Control")
    mask = ["".join("#" if cell else "." for cell in row) for row in below["result"]["cells"]]
    flat = server.post("/regions", {"grid": "square", "mask": mask, "count": 9, "seed": 7})
    assert flat.json()["result"] == sent.json()["result"]


def test_answers_are_as_the_document_says(server, generator):
    """A parameter that is read from another map comes back as its address."""
    for name, field in generator.own_fields.items():
        replies = {ground: server.post(generator.path, generator.body(**{name: f"/{ground}"}))
                   for ground in field.get("x-grounds", [])}
        made = {ground: reply.json() for ground, reply in replies.items() if reply.status == 200}
        assert made or not replies, name  # points of stars lie on no map of 40 x 30
        for ground, answer in made.items():
            assert answer["parameters"][name].startswith(f"/{ground}?")
            assert not CONTRACT.faults(generator.result, answer), (name, ground)


def test_positions_of_another_map_keep_its_extent(server):
    """Not the bounding box of the stars."""
    below = "/starlanes?positions=3,5;4,5;9,7&width=80&height=90&homeworlds=1&seed=1"
    result = server.post("/starlanes", {"positions": below, "homeworlds": 1, "seed": 2}).json()["result"]
    assert (result["width"], result["height"]) == (80, 90)


def test_of_picks_labels(server):
    world = server.post("/areas", {"mask": "/regions?seed=3&of=2,4", "area": 20, "seed": 1}).json()
    below = server.get("/regions?seed=3").json()["result"]["cells"]
    under = [below[y][x] for y, row in enumerate(world["result"]["cells"]) for x, label in enumerate(row) if label]
    assert len(under) == 20 and set(under) <= {2, 4}


def test_a_base_without_seed_gets_one_from_the_outer_seed(server):
    one, again, other = (server.post("/regions", {"mask": "/areas", "count": 3, "seed": seed}).json()
                         for seed in (5, 5, 6))
    assert one == again and one["parameters"]["mask"] != other["parameters"]["mask"]
    drawn = server.post("/regions", {"mask": "/areas", "count": 3})
    assert drawn.header("Cache-Control") == "no-store" and server.get(drawn.json()["self"]).body == drawn.body


@pytest.mark.parametrize("inner, status, detail", [
    ("/areas?v=1", 410, "in /areas, v: is 1, but areas is at version 5 here"),
    ("/areas?count=0", 400, "in /areas, count: must be an integer from 1 to 65535"),
    ("/starlanes", 400, "in /starlanes: must be the address of a map with cells, which it does not have"),
    ("/nowhere", 400, "nowhere: is no generator: there are regions, "),
    ("/areas?count=9&area=900", 422, "in /areas, ")])
def test_problems_of_a_base_are_at_the_parameter(server, inner, status, detail):
    reply = server.post("/regions", {"mask": inner, "seed": 1})
    assert (reply.status, reply.pointers()) == (status, ["/mask"])
    assert reply.json()["errors"][0]["detail"].startswith(detail)


def test_a_base_that_is_no_text_is_refused_as_any_other(server):
    reply = server.get("/regions?mask=/%ffareas%e2%82")
    assert (reply.status, reply.pointers()) == (400, ["/mask"])
    assert reply.json()["detail"].startswith("/mask ?areas??: is no generator: there are regions, ")


def test_pictures_show_the_base(server):
    lanes = {"positions": "/regions?count=12&seed=3", "seed": 4, "format": "svg"}
    shown, alone = (server.post("/starlanes", {**lanes, "under": under}).body for under in (True, False))
    assert len(shown) > len(alone) and shown == server.post("/starlanes", lanes).body
    features = server.post("/starlanes", {**lanes, "format": "geojson"}).json()["features"]
    assert {feature["properties"].get("under", 0) for feature in features} == {0, 1}
    tiled = server.post("/regions", {"mask": AREAS, "count": 9, "seed": 7, "format": "tmj"})
    assert json.loads(tiled.body)["layers"][0]["name"] == "under cells"


def test_countries_are_colours_of_islands(server):
    lying = {"mask": "/islands?seed=1", "count": 20, "seed": 5}
    sent = server.post("/regions", {**lying, "format": "glb"})
    scene = json.loads(sent.body[20 : 20 + int.from_bytes(sent.body[12:16], "little")])
    assert {node["name"] for node in scene["nodes"]} >= {"regions", "island 1", "bridge 1", "start"}
    assert scene["asset"]["extras"]["self"].startswith("/regions")
    assert server.post("/regions", lying, Accept="model/*").body == sent.body != server.get("/islands.glb?seed=1").body
    for bare in ({"seed": 5}, {**lying, "under": False}, {"mask": AREAS, "seed": 5}):
        assert server.post("/regions", {**bare, "format": "glb"}).status == 406
