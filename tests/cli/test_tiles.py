"""Maps for Tiled, drawn by Tiled; voxels, read by the npm package vox-reader."""
import json
import os
import re
import subprocess

import pytest
from maps import BINARY, LAKES, ROOT, made, node, result
from PIL import Image, ImageColor

MAPS = {
    "regions": ["regions", "count=14", "seed=7", "names=latin"],
    "seamless": ["regions", "count=9", "wrap=xy", "seed=7", "grid=square"],
    "square lakes": ["regions", "count=12", f"mask={LAKES}", "seed=7", "grid=square"],
    "areas": ["areas", "width=31", "height=24", "count=3", "algorithm=frenzied", "seed=7"],
    "walk": ["areas", "width=30", "height=30", "algorithm=dfs-backtrack", "area=200", "wrap=x", "seed=7", "grid=hex"],
    "islands": ["islands", "seed=7", "layers=5"],
    "apart": ["islands", "seed=7", "bridges=false"],
}


def values(thing):
    return {each["name"]: each["value"] for each in thing["properties"]}


class Drawing:
    """A map as Tiled shows it, and as the service says that it is."""

    def __init__(self, name, directory):
        self.result = result(*MAPS[name])
        self.file = directory / "map.tmj"
        subprocess.run([BINARY, *MAPS[name], "-o", self.file], check=True)
        self.map = json.loads(self.file.read_bytes())
        self.cells = self.result["cells"]
        self.table = MAPS[name][0]
        self.layers = {layer["name"]: layer for layer in self.map["layers"]}
        self.land = [name for name in self.layers if re.fullmatch(rf"{self.table} \d+", name)]

    def tiled(self, program, *words):
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(self.file.parent),
                       "HOME": str(self.file.parent)}
        subprocess.run([program, *map(str, words)], env=environment, check=True, capture_output=True, timeout=600)

    def picture(self, *options):
        target = self.file.parent / "map.png"
        self.tiled("tmxrasterizer", *options, self.file, target)
        with Image.open(target) as image:
            return image.convert("RGBA")

    def middle(self, x, y):
        width, height = self.map["tilewidth"], self.map["tileheight"]
        if self.map["orientation"] == "orthogonal":
            return x * width + width // 2, y * height + height // 2
        pitch = (height + self.map["hexsidelength"]) // 2
        return x * width + width // 2 * (1 + y % 2), y * pitch + height // 2

    def size(self):
        columns, rows, wide = self.map["width"], self.map["height"], self.map["tilewidth"]
        if self.map["orientation"] == "orthogonal":
            return columns * wide, rows * self.map["tileheight"]
        right = self.middle(columns - 1, 1 if rows > 1 else 0)[0] + wide // 2
        return right, self.middle(0, rows - 1)[1] + self.map["tileheight"] // 2

    def each_cell(self):
        for y, row in enumerate(self.cells):
            for x, label in enumerate(row):
                yield x, y, label

    def objects(self, *names):
        return [thing for name in names for thing in self.layers.get(name, {"objects": []})["objects"]]


@pytest.fixture(scope="module", params=MAPS)
def drawing(request, tmp_path_factory):
    return Drawing(request.param, tmp_path_factory.mktemp(request.param))


def color(text):
    return tuple(bytes.fromhex(text.removeprefix("#")))


def is_close(one, other, most):
    return all(abs(a - b) <= most for a, b in zip(one, other))


def test_polygons_have_the_names_of_their_rows(drawing):
    names = {row["id"]: row.get("name", "") for row in drawing.result[drawing.table]}
    pieces = drawing.objects(*drawing.land)
    assert {(values(piece)["id"], piece["name"]) for piece in pieces} == set(names.items())


def test_tiles_of_wang_sets_are_painted_so():
    """In corners with land there is land, and a side with a border is dark."""
    tileset = json.loads(made("tmj", *MAPS["square lakes"]))["tilesets"][0]
    with Image.open(ROOT / "src/web/tiles" / tileset["image"]) as image:
        tiles = image.convert("RGBA")
    coast, borders = tileset["wangsets"]
    assert (len(coast["wangtiles"]), len(borders["wangtiles"])) == (16, 15)
    for wangset in coast, borders:
        inks = [(0, 0, 0, 0)] + [(*ImageColor.getrgb(each["color"]), 255) for each in wangset["colors"]]
        for tile in wangset["wangtiles"]:
            row, column = divmod(tile["tileid"], tileset["columns"])
            for i, index in enumerate(tile["wangid"]):
                if i % 2 == (wangset is coast):
                    x, y = (12, 23, 23, 23, 12, 0, 0, 0)[i], (0, 0, 12, 23, 23, 23, 12, 0)[i]
                    assert tiles.getpixel((column * 24 + x, row * 24 + y)) == inks[index], (tile, i)


def test_one_file_is_enough_to_see_the_map(drawing):
    """In the middle of each cell is the color of the layer that its label's polygon lies in, laid on thinly."""
    seen = [word for name in [*drawing.land, "ways"] for word in ("--show-layer", name)]
    picture = drawing.picture(*seen)
    assert picture.size == drawing.size()
    expected = {0: None, -1: color(drawing.layers.get("ways", {"color": ""})["color"])}
    for name in drawing.land:
        expected |= {values(thing)["id"]: color(drawing.layers[name]["color"]) for thing in drawing.objects(name)}
    for x, y, label in drawing.each_cell():
        *rgb, alpha = picture.getpixel(drawing.middle(x, y))
        if expected[label] is None:
            assert alpha == 0, (x, y)
        else:
            assert 40 <= alpha <= 60 and is_close(rgb, expected[label], 4), (x, y, label, rgb, alpha)


def test_all_layers_are_shown(drawing):
    """As the editor opens it: each cell with something in it is a tile, under its polygon."""
    assert all(layer["visible"] for layer in drawing.layers.values())
    assert len(drawing.layers) == len(drawing.map["layers"]), "each layer has a name of its own"
    picture = drawing.picture()
    for x, y, label in drawing.each_cell():
        assert not label or picture.getpixel(drawing.middle(x, y))[3] == 255, (x, y, label)


def test_tiles_are_written_where_there_are_none(tmp_path):
    """Those that are there are left alone, and nothing lies beside what is no file."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mapwright-hex.png").write_bytes(b"my own")
    subprocess.run([BINARY, "regions", "seed=7", "-o", tmp_path / "own" / "map.tmj"], check=True)
    assert (tmp_path / "own" / "mapwright-hex.png").read_bytes() == b"my own"
    tmp_path = tmp_path / "pipe"
    tmp_path.mkdir()
    pipe = tmp_path / "map.tmj"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        subprocess.run([BINARY, "regions", "seed=7", "-o", pipe], check=True)
        assert json.loads(reader.stdout.read())["type"] == "map"
    assert list(tmp_path.iterdir()) == [pipe]


def test_tiles_beside_the_map_are_shown(drawing):
    """Those that come with the program, in the colors of its other drawings."""
    (tileset,) = drawing.map["tilesets"]
    beside = drawing.file.with_name(tileset["image"])
    assert beside.read_bytes() == (ROOT / "src/web/tiles" / tileset["image"]).read_bytes(), "written with the map"
    with Image.open(ROOT / "src/web/tiles" / tileset["image"]) as image:
        assert image.size == (tileset["imagewidth"], tileset["imageheight"])
        tiles = image.convert("RGBA")

    def tile(gid):
        row, column = divmod(gid - 1, tileset["columns"])
        return tiles.getpixel((column * tileset["tilewidth"] + tileset["tilewidth"] // 2,
                               row * tileset["tileheight"] + tileset["tileheight"] // 2))

    for name in ("cells", "heights"):
        if name not in drawing.layers:
            continue
        picture = drawing.picture("--ignore-visibility", "--show-layer", name)
        assert picture.size == drawing.size()
        for (x, y, label), gid in zip(drawing.each_cell(), drawing.layers[name]["data"], strict=True):
            value = drawing.result[name][y][x]
            pixel = picture.getpixel(drawing.middle(x, y))
            assert (gid == 0) == (value <= 0 if name == "heights" else value == 0)
            assert pixel == (tile(gid) if gid else (0, 0, 0, 0)), (name, x, y)
            if name == "heights" and gid:
                (kind,) = [kind for kind in tileset["tiles"] if kind["id"] == gid - 1]
                assert kind["properties"][0]["value"] == value


def inks(name):
    """The colors of drawings that stand after a name, as rrggbb."""
    source = (ROOT / "src/enc/ink.c").read_text().split(f"[INK_{name}]")[1].split("[")[0]
    return re.findall(r"0x([0-9a-f]{6})", source)


def test_tiles_have_the_colors_of_drawings():
    drawn = made("svg", "regions", "count=40", "seed=7").decode()
    for shape, width, height in (("hex", 28, 32), ("square", 24, 24)):
        with Image.open(ROOT / f"src/web/tiles/mapwright-{shape}.png") as image:
            for i, ink in enumerate(inks("LABEL")):
                assert image.convert("RGB").getpixel((i * width + width // 2, height // 2)) == color(ink)
                assert f"#{ink}" in drawn
            for i, ink in enumerate(inks("LAND")[::4]):
                place = i * width + width // 2, height + height // 2
                assert image.convert("RGB").getpixel(place) == color(ink)


def test_tiled_saves_what_it_has_read(drawing):
    target = drawing.file.parent / "again.tmj"
    drawing.tiled("tiled", "--export-map", "json", drawing.file, target)
    again = json.loads(target.read_bytes())
    for name in ("orientation", "width", "height", "tilewidth", "tileheight", "hexsidelength", "staggeraxis",
                 "staggerindex", "properties", "backgroundcolor", "nextlayerid", "nextobjectid"):
        if name == "properties":
            assert sorted(again[name], key=str) == sorted(drawing.map[name], key=str)
        else:
            assert again.get(name) == drawing.map.get(name), name
    for ours, theirs in zip(drawing.map["tilesets"][0]["wangsets"], again["tilesets"][0]["wangsets"], strict=True):
        assert ours == theirs
    for ours, theirs in zip(drawing.map["layers"], again["layers"], strict=True):
        for name in ("id", "name", "type", "visible", "data", "color"):
            assert theirs.get(name) == ours.get(name), (ours["name"], name)
        for one, other in zip(ours.get("objects", []), theirs.get("objects", []), strict=True):
            for name in ("id", "name", "type", "x", "y", "polygon", "polyline", "point"):
                assert other.get(name) == one.get(name), (ours["name"], name)
            assert sorted(other.get("properties", []), key=str) == sorted(one.get("properties", []), key=str)


@pytest.mark.parametrize("name", ["islands", "apart"])
def test_islands_have_places_and_bridges(name, tmp_path):
    drawing = Drawing(name, tmp_path)
    by_id = {row["id"]: row for row in drawing.result["islands"]}
    places = {thing["name"]: (thing["x"], thing["y"]) for thing in drawing.objects("places")}
    assert places == {end: drawing.middle(*by_id[drawing.result[end]]["center"]) for end in ("start", "end")}
    lines = drawing.objects("bridges")
    assert len(lines) == len(drawing.result["bridges"])
    for line, bridge in zip(lines, drawing.result["bridges"]):
        assert values(line) == {"from": bridge["from"], "to": bridge["to"]}
        ends = [(line["x"] + line["polyline"][i]["x"], line["y"] + line["polyline"][i]["y"]) for i in (0, -1)]
        landed = {drawing.cells[y // 24][x // 24] for x, y in ends}
        assert landed == {bridge["from"], bridge["to"]}


def test_regions_have_capitals(tmp_path):
    drawing = Drawing("regions", tmp_path)
    for thing, row in zip(drawing.objects("capital"), drawing.result["regions"], strict=True):
        assert (thing["x"], thing["y"]) == drawing.middle(*row["capital"]) and thing["point"]
        assert values(thing) == {"id": row["id"], "name": row["name"], "size": row["size"], "border": row["border"],
                               "neighbors": ",".join(map(str, row["neighbors"]))}


# ---- voxels -----------------------------------------------------------------------------------------------


WORLDS = {
    "default": ["seed=7"],
    "high": ["seed=8", "layers=20", "width=80", "height=61", "land=0.5", "islands=2,3", "size=900,1800",
             "bridges=false"],
    "several models": ["seed=10", "width=600", "height=300", "islands=150,400", "layers=3"],
    "three": ["seed=11", "voxel=3", "width=90", "height=30", "order=false", "land=0.5", "layers=9"],
    "start and end in one place": ["seed=14", "islands=1,1", "width=9", "height=9", "size=5,30"],
}


@pytest.fixture(scope="module")
def voxels_of(tmp_path_factory):
    """What vox-reader reads, by name."""
    files = [tmp_path_factory.mktemp("vox") / "map.vox" for _ in WORLDS]
    for file, words in zip(files, WORLDS.values()):
        file.write_bytes(made("vox", "islands", *words))
    return dict(zip(WORLDS, node("voxels.cjs", *files), strict=True))


@pytest.mark.parametrize("name", WORLDS)
def test_voxels_are_the_land(name, voxels_of):
    """North is up: the world seen from above is the map, and each cell of it a cube."""
    words = WORLDS[name]
    along = int(next((word[6:] for word in words if word.startswith("voxel=")), "1"))
    world = result("islands", *words)
    width, height, voxels = world["width"], world["height"], {}
    parts = {}
    for x, y, z, rgb in voxels_of[name]:
        x, y = x + width * along // 2, y + height * along // 2
        part = x, y, z
        assert part not in parts
        parts[part] = rgb
        assert voxels.setdefault((x // along, height - 1 - y // along, z // along), rgb) == rgb
    assert len(parts) == len(voxels) * along ** 3
    centres = {row["id"]: tuple(row["center"]) for row in world["islands"]}
    turf = inks("TURF")
    flags = {}
    for end, flag in zip(("start", "end"), inks("FLAG"), strict=True):
        flags.setdefault(centres[world[end]], flag)
    for (x, y), flag in flags.items():
        top = world["heights"][y][x]
        assert [voxels.pop((x, y, top + i)) for i in range(3)] == [flag] * 3
    assert turf[0] == "008000", "the green that the world was first drawn in"
    land, deck, most = inks("LAND"), inks("DECK")[0], max(max(row) for row in world["heights"])
    assert most > 1
    for y, row in enumerate(world["cells"]):
        for x, label in enumerate(row):
            for z in range(world["heights"][y][x]):
                tier = z if most <= 8 else z * 7 // (most - 1)
                other = (x + y) % 2
                assert voxels.pop((x, y, z)) == (land[4 * tier + 3 * other] if tier else turf[other])
            if label < 0:
                assert voxels.pop((x, y, 0)) == deck
    assert not voxels
