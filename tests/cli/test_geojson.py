"""GeoJSON, read by shapely: valid shapes, the right way round, of just the cells that they stand for."""
import json

import pytest
from maps import LAKES, made, result
from shapely.geometry import Point, shape
from shapely.ops import unary_union
from shapely.validation import explain_validity

# cells of one label that meet at corners, around holes that do
CHECKERED = "###...../#.#.##../##.#..#./.#.##.../..#.#.##/###..#.#/#.#.##../####..../"[:-1]
MAPS = {
    f"{name}-{grid}": [*words, f"grid={grid}"] for grid in ("hex", "square") for name, words in {
        "regions": ["regions", "count=14", "seed=7"],
        "seamless": ["regions", "count=9", "wrap=xy", "roughness=1", "seed=7"],
        "lakes": ["regions", "count=12", f"mask={LAKES}", "seed=7"],
        "areas": ["areas", "width=31", "height=24", "count=3", "algorithm=frenzied", "seed=7"],
        "walk": ["areas", "width=30", "height=30", "algorithm=dfs-backtrack", "area=300", "wrap=x", "seed=7"],
        "checkered": ["regions", f"mask={CHECKERED}", "count=14", "seed=7"],
        "maze": ["areas", "width=40", "height=40", "algorithm=dfs", "area=900", "seed=3"],
        "cell": ["regions", "width=1", "height=1", "count=1", "seed=7"],
    }.items()
} | {"islands": ["islands", "seed=7"], "apart": ["islands", "order=false", "width=40", "height=40", "seed=7"]}
ROOT_3 = 3 ** .5


def features(*words):
    return json.loads(made("geojson", *words))["features"]


def middle(x, y, hexagons):
    """Of a cell, y upward."""
    return Point(x + .5 + y % 2 * .5, -(1 / ROOT_3 + y * ROOT_3 / 2)) if hexagons else Point(x + .5, -(y + .5))


@pytest.mark.parametrize("name", MAPS)
def test_areas_are_their_cells(name):
    said, read = result(*MAPS[name]), json.loads(made("geojson", *MAPS[name]))
    table = MAPS[name][0]
    hexagons = said.get("grid") == "hex"
    areas = {f["properties"]["id"]: (shape(f["geometry"]), f) for f in read["features"]
             if f["properties"]["kind"] == table}
    assert sorted(areas) == [row["id"] for row in said[table]]
    for row in said[table]:
        area, feature = areas[row["id"]]
        assert area.geom_type == "MultiPolygon" and area.is_valid, explain_validity(area)
        for polygon in area.geoms:
            assert polygon.exterior.is_ccw and not any(hole.is_ccw for hole in polygon.interiors)
        assert abs(area.area - row["size"] * (ROOT_3 / 2 if hexagons else 1)) < .001
        assert {key: value for key, value in feature["properties"].items() if key != "kind"} == row
        assert feature["id"] == f"{table}-{row['id']}"
    for y, cells in enumerate(said["cells"]):
        for x, label in enumerate(cells):
            if label > 0:
                assert areas[label][0].contains(middle(x, y, hexagons)), (x, y, label)
    together = unary_union([area for area, _ in areas.values()])
    assert abs(together.area - sum(area.area for area, _ in areas.values())) < .001
    assert not {"crs", "coordinates", "geometry", "properties"} & set(read) and "y upward" in read["units"]


def test_ways_of_islands():
    said = result(*MAPS["islands"])
    ways = [f for f in features(*MAPS["islands"]) if f["properties"]["kind"] == "bridges"]
    assert [f["properties"] for f in ways] == [{"kind": "bridges", **row} for row in said["bridges"]]
    for feature, row in zip(ways, said["bridges"]):
        way = shape(feature["geometry"])
        assert [tuple(at) for at in way.coords] == [(x + .5, -(y + .5)) for x, y in row["cells"]]


def test_stars_and_lanes():
    words = ["starlanes", "stars=60", "graphs=true", "seed=7"]
    said, kinds = result(*words), {}
    for feature in features(*words):
        kinds.setdefault(feature["properties"]["kind"], []).append(feature)
    assert sorted(kinds) == ["lanes", "maximum", "minimum", "stars"]
    stars = [shape(f["geometry"]) for f in kinds["stars"]]
    assert [(at.x, -at.y) for at in stars] == [(star["x"], star["y"]) for star in said["stars"]]
    assert [f["properties"]["homeworld"] for f in kinds["stars"]] == [star["homeworld"] for star in said["stars"]]
    for kind in ("lanes", "maximum", "minimum"):
        assert [[f["properties"]["from"], f["properties"]["to"]] for f in kinds[kind]] == said[kind]
        for feature in kinds[kind]:
            a, b = (stars[feature["properties"][end]] for end in ("from", "to"))
            assert list(shape(feature["geometry"]).coords) == [a.coords[0], b.coords[0]]
