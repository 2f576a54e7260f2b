"""Maps that take parameters from other maps, over HTTP."""
import json
import urllib.parse

import pytest


AREAS = "/areas?count=3&area=90&seed=4"


def flat(server, inner, **parameters):
    """The same map from the cells of the other, as a client could send them."""
    cells = server.get(inner).json()["result"]["cells"]
    mask = ["".join("#" if cell else "." for cell in row) for row in cells]
    return server.post("/regions", {"grid": "square", "mask": mask, **parameters}).json()["result"]


def test_post_get_and_self_are_one_map(server):
    sent = server.post("/regions", {"mask": AREAS, "count": 9, "seed": 7})
    got = server.get("/regions?" + urllib.parse.urlencode({"mask": AREAS, "count": 9, "seed": 7}))
    assert (sent.status, got.status) == (200, 200)
    assert sent.body == got.body and sent.header("ETag") == got.header("ETag")
    again = server.get(sent.json()["self"])
    assert again.body == sent.body and "hit" in again.header("Cache-Status")
    assert server.get(f"/maps/{sent.json()['id']}").body == sent.body
    assert got.header("Cache-Control") == "max-age=604800", "neither of them names its version"
    assert "immutable" in again.header("Cache-Control")


def test_answers_are_as_the_document_says(server, contract):
    """A parameter that is read from another map comes back as its address."""
    for generator in contract.generators:
        for name, field in generator.own_fields().items():
            stood = 0
            for ground in field.get("x-grounds", []):
                reply = server.post(generator.path, generator.body(**{name: f"/{ground}"}))
                if reply.status != 200:
                    continue  # points of stars lie on no map of 40 x 30
                answer = reply.json()
                assert answer["parameters"][name].startswith(f"/{ground}?")
                assert not list(contract.faults(generator.result, answer)), (generator.path, name, ground)
                stood += 1
            assert stood or "x-grounds" not in field, (generator.path, name)


def test_a_base_stands_for_its_rows(server):
    below = server.get(AREAS).json()["self"]
    world = server.post("/regions", {"mask": AREAS, "count": 9, "seed": 7}).json()
    assert world["parameters"]["mask"] == below, "the address of the map below, canonical"
    assert world["result"] == flat(server, AREAS, count=9, seed=7)


@pytest.mark.parametrize("format", ["json", "cbor", "text", "svg", "png", "pdf"])
def test_a_generated_board_is_solved_in_every_format(server, format):
    board = "/puzzle/generate?width=4&height=2&seed=7"
    assert server.post("/puzzle/solve", {"grid": board, "format": format, "margin": 0}).status == 200


def test_positions_of_another_map_keep_its_extent(server):
    """Not the bounding box of the stars."""
    below = "/starlanes?positions=3,5;4,5;9,7&width=80&height=90&homeworlds=1&seed=1"
    world = server.post("/starlanes", {"positions": below, "homeworlds": 1, "seed": 2}).json()
    assert (world["result"]["width"], world["result"]["height"]) == (80, 90)


def test_of_picks_labels(server):
    world = server.post("/areas", {"mask": "/regions?seed=3&of=2,4", "area": 20, "seed": 1}).json()
    below = server.get("/regions?seed=3").json()["result"]["cells"]
    land = {(x, y) for y, row in enumerate(below) for x, label in enumerate(row) if label in (2, 4)}
    area = {(x, y) for y, row in enumerate(world["result"]["cells"]) for x, label in enumerate(row) if label}
    assert len(area) == 20 and area <= land


def test_a_base_without_seed_gets_one_from_the_outer_seed(server):
    one, again, other = (server.post("/regions", {"mask": "/areas", "count": 3, "seed": seed}).json() for seed in (5, 5, 6))
    assert one == again and one["parameters"]["mask"] != other["parameters"]["mask"]
    drawn = server.post("/regions", {"mask": "/areas", "count": 3})
    assert drawn.header("Cache-Control") == "no-store"
    assert server.get(drawn.json()["self"]).body == drawn.body


@pytest.mark.parametrize("inner, status, detail", [
    ("/areas?v=1", 410, "in /areas, v: is 1, but areas is at version 5 here"),
    ("/areas?count=0", 400, "in /areas, count: must be an integer from 1 to 65535"),
    ("/starlanes", 400, "in /starlanes: must be the address of a map with cells, which it does not have"),
    ("/nowhere", 400, "is no address of a map: it begins with the path of a generator"),
    ("/areas?count=9&area=900", 422, "in /areas, "),
])
def test_problems_of_a_base_are_at_the_parameter(server, inner, status, detail):
    reply = server.post("/regions", {"mask": inner, "seed": 1})
    assert (reply.status, reply.pointers()) == (status, ["/mask"])
    assert reply.json()["errors"][0]["detail"].startswith(detail)


def test_pictures_show_the_base(server):
    lanes = {"positions": "/regions?count=12&seed=3", "seed": 4, "format": "svg"}
    shown, alone = (server.post("/starlanes", {**lanes, "under": under}).body for under in (True, False))
    assert len(shown) > len(alone) and shown == server.post("/starlanes", lanes).body
    assert b"\n<title>starlanes, seed 4</title>\n" in shown
    features = server.post("/starlanes", {**lanes, "format": "geojson"}).json()["features"]
    assert {feature["properties"].get("under", 0) for feature in features} == {0, 1}
    tiled = server.post("/regions", {"mask": AREAS, "count": 9, "seed": 7, "format": "tmj"})
    assert json.loads(tiled.body)["layers"][0]["name"] == "under cells"


def test_countries_are_colours_of_islands(server):
    lying = {"mask": "/islands?seed=5", "count": 20, "seed": 5}
    for sent in (server.post("/regions", {**lying, "format": "glb"}), server.post("/regions", lying, Accept="model/*")):
        assert (sent.status, sent.media) == (200, "model/gltf-binary")
        scene = json.loads(sent.body[20 : 20 + int.from_bytes(sent.body[12:16], "little")])
        assert {node["name"] for node in scene["nodes"]} >= {"regions", "island 1", "bridge 1", "start"}
        assert scene["asset"]["extras"]["self"].startswith("/regions")
    assert server.get("/islands.glb?seed=5").body != sent.body
    for bare in ({"seed": 5}, {**lying, "under": False}, {"mask": AREAS, "seed": 5}):
        assert server.post("/regions", {**bare, "format": "glb"}).status == 406
    assert server.post("/regions", {**lying, "grid": "hex", "format": "glb"}).pointers() == ["/grid"]
