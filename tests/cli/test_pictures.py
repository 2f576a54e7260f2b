"""Pictures, looked at by those who show them: pngcheck, Pillow, librsvg."""
import io
import itertools
import json
import math
import re
import subprocess
import xml.etree.ElementTree

import pytest
from maps import BINARY, made, result
from PIL import Image, ImageChops, ImageStat

REQUESTS = {
    "regions": ["regions", "seed=look"],
    "squares": ["regions", "grid=square", "width=31", "height=17", "count=9", "seed=look"],
    "areas": ["areas", "count=4", "area=200", "seed=look"],
    "islands": ["islands", "seed=look"],
    "starlanes": ["starlanes", "seed=look"],
    "puzzle/solve": ["puzzle/solve", "grid=AB#/.../.../A.B"],
    "puzzle/generate": ["puzzle/generate", "width=9", "height=8", "seed=look"],
}
SEA, PAPER = (0xbf, 0xd9, 0xe8), (0xf7, 0xf9, 0xfb)
STARS = [(0xa3, 0xbf, 0xff), (0xd7, 0xe2, 0xff), (0xff, 0xf8, 0xec), (0xff, 0xdb, 0xa6), (0xff, 0xaf, 0x87)]
HOME = (0xff, 0xcc, 0x44)


def picture(*words):
    return Image.open(io.BytesIO(made("png", *words)))


def colors(*words):
    return picture(*words).convert("RGB")


def by_librsvg(*words):
    done = subprocess.run(["rsvg-convert"], input=made("svg", *words), capture_output=True, check=True)
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def svg_size(*words):
    head = made("svg", *words)[:400].decode()
    return tuple(int(re.search(rf' {side}="(\d+)"', head)[1]) for side in ("width", "height"))


def svg_viewbox(*words):
    return int(re.search(r'viewBox="0 0 (\d+)', made("svg", *words)[:400].decode())[1])


def hexagon(x, y):
    return 8 + 14 * x + 7 * (y & 1), 9 + 12 * y


def square(x, y):
    return 7 + 12 * x, 7 + 12 * y


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("scale", ["", "scale=1"])
def test_pngcheck_finds_no_fault(name, scale, tmp_path):
    """It says what it shows; a default drawing is small."""
    words = REQUESTS[name] + scale.split()
    shown = picture(*words)
    assert (shown.mode, shown.text["Title"], shown.text["Software"]) == ("P", words[0], "Mapwright")
    assert shown.text["Source"] == json.loads(made("json", *words))["self"]
    assert len(made("svg", *words)) < 100_000 and len(made("png", *words)) < 200_000
    (tmp_path / "map.png").write_bytes(made("png", *words))
    told = subprocess.run(["pngcheck", "-v", tmp_path / "map.png"], capture_output=True, text=True)
    assert told.returncode == 0 and "No errors detected" in told.stdout, told.stdout
    chunks = re.findall(r"chunk (\w+)", told.stdout)
    assert set(chunks) == {"IHDR", "PLTE", "tEXt", "IDAT", "IEND"} and "palette" in told.stdout


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("scale", [None, 5])
def test_sizes_are_as_the_scale_says(name, scale):
    words = REQUESTS[name] + ([f"scale={scale}"] if scale else [])
    width, height = picture(*words).size
    assert (width, height) == svg_size(*words)
    cells = result(*words)
    if name == "regions" and scale:
        assert (width, height) == (-(-(40 * 14 + 9) * scale // 14), -(-(29 * 12 + 18) * scale // 14))
    if "width" in cells and name != "starlanes" and scale:
        assert width >= cells["width"] * scale
    if not scale:
        assert 1200 <= width <= 1300


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("scale", [2, 23])
def test_it_looks_like_the_vector_drawing(name, scale, tmp_path):
    """The drawing's size is rounded up to whole pixels; the view is widened by as much, so that none is stretched.
    Words of less than four pixels are not in the picture."""
    words = REQUESTS[name]
    pitch = round(svg_viewbox(*words) * 64 / svg_size(*words, "scale=64")[0])
    ours = colors(*words, f"scale={scale}")
    view = " ".join(str(side * pitch / scale) for side in ours.size)
    drawing = re.sub(rb'viewBox="0 0 [^"]*"', b'viewBox="0 0 %s"' % view.encode(),
                     made("svg", *words, f"scale={scale}"))
    if scale < 12:
        drawing = re.sub(rb"<path aria-label[^>]*>", b"", drawing)
    (tmp_path / "map.svg").write_bytes(drawing)
    drawn = subprocess.run(["rsvg-convert", tmp_path / "map.svg"], capture_output=True, check=True).stdout
    theirs = Image.open(io.BytesIO(drawn)).convert("RGB")
    assert theirs.size == ours.size
    off = ImageStat.Stat(ImageChops.difference(theirs, ours)).mean
    assert max(off) < (7 if scale == 2 else 4 if name == "puzzle/solve" else 3), off


CHECKERED = "mask=###...../#.#.##../##.#..#./.#.##.../..#.#.##/###..#.#/#.#.##../####..../"[:-1]


@pytest.mark.parametrize("drawn_by, scale", [("us", 6), ("librsvg", 12)])
@pytest.mark.parametrize("words, place, pitch", [
    (REQUESTS["squares"], square, 12), (REQUESTS["areas"], square, 12),
    (["regions", "mask=####.###/###..###/#####.##/##.#####", "count=3", "seed=1"], hexagon, 14),
    (["regions", "wrap=x", "count=12", "seed=4"], hexagon, 14),
    (["regions", CHECKERED, "count=14", "grid=square", "seed=7"], square, 12),
    (["areas", "width=40", "height=40", "algorithm=dfs", "area=900", "seed=3"], square, 12),
    (["areas", "width=31", "height=24", "count=9", "algorithm=frenzied", "grid=hex", "seed=7"], hexagon, 14),
])
def test_cells_have_the_color_of_their_label(words, place, pitch, drawn_by, scale):
    looks = [*words, f"scale={scale}", "labels=false"]
    made_of, shown = result(*words), colors(*looks) if drawn_by == "us" else by_librsvg(*looks)
    rows = made_of.get("regions") or made_of.get("areas")
    marks = {tuple(row.get("capital") or row["origin"]) for row in rows}
    seen = {}
    for y, row in enumerate(made_of["cells"]):
        for x, label in enumerate(row):
            at = tuple(int(part * scale / pitch) for part in place(x, y))
            if (x, y) in marks:
                assert shown.getpixel(at) == (0x22, 0x33, 0x44), "a mark lies on its cell"
            else:
                seen.setdefault(label, set()).add(shown.getpixel(at))
    assert all(len(found) == 1 for found in seen.values())
    assert seen.get(0, {SEA}) == {SEA}
    assert all(seen[row["id"]] != {SEA} for row in rows if row["id"] in seen)
    for row in rows:
        for other in row.get("neighbors", []):
            assert seen[row["id"]] != seen[other], "neighbours differ"


def test_a_pixel_is_a_coordinate():
    """Stars, lanes and the rings of light around homes, but where lanes cross them; the rest is night."""
    made_of, shown = result(*REQUESTS["starlanes"]), colors(*REQUESTS["starlanes"], "scale=10")
    stars, seen = made_of["stars"], []
    assert shown.size == (made_of["width"], made_of["height"]) == (1000, 1000)
    for star in stars:
        x, y = star["x"], star["y"]
        assert shown.getpixel((x, y)) in ([HOME] if star["homeworld"] else STARS)
        seen += [] if star["homeworld"] else [shown.getpixel((x, y))]
        ring = [any(shown.getpixel((x + far * i, y + far * j)) == HOME for far in (18, 19, 20))
                for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        assert (sum(ring) > 1) == star["homeworld"]
    assert set(seen) == set(STARS) and max(map(seen.count, STARS)) < len(seen) / 2
    for a, b in made_of["lanes"]:
        a, b = stars[a], stars[b]
        assert not is_night(shown.getpixel(((a["x"] + b["x"]) // 2, (a["y"] + b["y"]) // 2)))
    night = sum(count for count, color in shown.getcolors(1 << 20) if is_night(color))
    assert night > shown.size[0] * shown.size[1] / 2


def is_night(color):
    return color[0] <= 0x16 and color[1] <= 0x10 and color[2] <= 0x32


def test_many_stars_are_no_white_square():
    night = [ImageStat.Stat(colors("starlanes", f"stars={stars}", "seed=1").convert("L")).mean[0]
             for stars in (100, 30000)]
    assert all(17 < mean < 60 for mean in night), night


@pytest.mark.parametrize("words", [REQUESTS["puzzle/generate"], ["puzzle/generate", "width=20", "height=9", "seed=5"]])
def test_boards_show_question_and_answer(words):
    """The question alone, unless the answer is asked for."""
    assert b'class="path"' not in made("svg", *words) and b'id="path-A"' in made("svg", *words, "solution=true")
    made_of, shown = result(*words), colors(*words, "scale=30", "solution=true")
    width = len(made_of["grid"][0])
    inks = {}
    for path in made_of["paths"]:
        for x, y in path["cells"][1:-1]:
            assert shown.getpixel((3 + 30 * x + 15, 3 + 30 * y + 15)) == PAPER, "the question has no way"
            inks.setdefault(path["label"], set()).add(
                shown.getpixel((3 + 30 * (width + 1 + x) + 15, 3 + 30 * y + 15)))
        for x, y in (path["cells"][0], path["cells"][-1]):
            for left in (0, 30 * (width + 1)):
                beside = shown.getpixel((left + 3 + 30 * x + 15, 3 + 30 * y + 15 - 8))
                inks.setdefault(path["label"], set()).add(beside)
    assert all(len(found) == 1 and PAPER not in found for found in inks.values())
    assert len(set.union(*inks.values())) == len(inks), "each path has a colour of its own"


def test_a_picture_too_large_says_its_size():
    words = [BINARY, "regions", "width=4096", "height=3000", "seed=1", "scale=64", "format=png"]
    done = subprocess.run(words, capture_output=True)
    assert done.returncode == 3 and not done.stdout
    assert b"scale: makes a picture of 262186 by 164599 pixels" in done.stderr, done.stderr


# ---- looks ----

def things_of(words, *looks):
    """Ids, classes and titles of the figures of a drawing, and its words with their places."""
    svg = "{http://www.w3.org/2000/svg}"
    root = xml.etree.ElementTree.fromstring(made("svg", *words, *looks))
    figures = [(figure.get("id"), figure.get("class"), figure.find(svg + "title").text)
               for figure in root.iter() if figure.get("class")]
    return figures, [(word, x, y) for word, x, y, _ in words_of(root)]


def words_of(root):
    """Words of a drawing: each a path with its text for a label, traced in half steps, sixteen to a capital's height;
    the middle of its foot, and that height."""
    words = []
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        if path.get("aria-label"):
            scale, _, _, _, x, y = (float(n) for n in path.get("transform")[7:-1].split())
            ends = re.findall(r"[ML](\d+) \d+|Q\d+ \d+ (\d+) \d+", path.get("d"))
            right = max(int(one or other) for one, other in ends)
            words.append((path.get("aria-label"), x + scale * right / 2, y + 16 * scale, 16 * scale))
    return words


def drawn_words(*words):
    return words_of(xml.etree.ElementTree.fromstring(made("svg", *words)))


@pytest.mark.parametrize("words, place", [
    (["regions", "capitals=2,2;30,20", "count=7", "seed=3"], hexagon),
    (["areas", "count=4", "area=200", "seed=5"], square)])
def test_numbers_stand_on_what_they_name(words, place):
    made_of, (figures, told) = result(*words), things_of(words)
    rows = made_of.get("regions") or made_of["areas"]
    kind = "region" if "regions" in made_of else "area"
    assert sorted(figures) == sorted((f"{kind}-{row['id']}", kind, f"{kind.title()} {row['id']}") for row in rows)
    assert sorted(int(word) for word, _, _ in told) == [row["id"] for row in rows]
    cells = [(place(x, y), label) for y, row in enumerate(made_of["cells"]) for x, label in enumerate(row)]
    for word, x, y in told:
        nearest = min(cells, key=lambda cell: (cell[0][0] - x) ** 2 + (cell[0][1] - (y - 4)) ** 2)
        assert nearest[1] == int(word)
    assert not things_of(words, "labels=false")[1]


def label_at(cells, place, pitch, x, y):
    """Of the cell whose middle is nearest; None beyond the map."""
    near = [(round((x - place(0, row)[0]) / pitch), row) for row in range(int(y) // 12 - 2, int(y) // 12 + 2)]
    column, row = min(near, key=lambda cell: math.dist(place(*cell), (x, y)))
    return cells[row][column] if 0 <= row < len(cells) and 0 <= column < len(cells[0]) else None


@pytest.mark.parametrize("grid, place, pitch", [("hex", hexagon, 14), ("square", square, 12)])
@pytest.mark.parametrize("generator", ["regions", "areas"])
def test_no_number_lies_over_a_border(generator, grid, place, pitch):
    for seed in range(4):
        words = [generator, f"grid={grid}", "width=40", "height=30", "count=30", f"seed={seed}"]
        cells, told = result(*words)["cells"], drawn_words(*words)
        assert len(told) > 20
        for word, x, y, high in told:
            half = high * (6 * len(word) - 1) / 16
            for across, up in itertools.product((-half, 0, half), (0, high / 2, high)):
                at = int(x) + across, int(y) - up
                assert label_at(cells, place, pitch, *at) == int(word), (words, word, at)


@pytest.mark.parametrize("words, kind, count", [
    (["islands", "seed=1"], "island", None), (["starlanes", "seed=1"], "star", 100),
    (["puzzle/solve", "grid=AB#/.../.../A.B"], "path", 2), (["starlanes", "stars=6000", "seed=1"], "star", 4)])
def test_what_can_be_clicked_has_a_name(words, kind, count):
    figures, _ = things_of(words)
    count = len(result(*words)["islands"]) if count is None else count
    assert len({name for name, _, _ in figures}) == len(figures) >= min(count, 4)
    assert len(figures) == count or count == 4
    assert all(name.startswith(f"{of}-") and of == kind and title == name.replace("-", " ").capitalize()
               or kind == "path" for name, of, title in figures)


def steps_of_the_way(world):
    """Cells from flag to flag: over land, and along bridges from island to island of the route."""
    route, cells, grid = world["route"], world["islands"], world["cells"]
    land = {(x, y) for y, row in enumerate(grid) for x, label in enumerate(row) if label in route}
    lit = [{tuple(at) for at in pair} for bridge in world["bridges"]
           if {bridge["from"], bridge["to"]} in [set(pair) for pair in zip(route, route[1:])]
           for pair in zip(bridge["cells"], bridge["cells"][1:] + bridge["cells"][-1:])]
    decks, (start, end) = set().union(*lit), [tuple(cells[world[flag] - 1]["center"]) for flag in ("start", "end")]
    far, rim = {start: 0}, [start]
    for x, y in rim:
        for to in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if to not in far and to in land | decks and ({to, (x, y)} & land or {to, (x, y)} in lit):
                far[to] = far[x, y] + 1
                rim.append(to)
    return far[end]


def test_the_way_goes_over_land_and_bridges():
    """Half a rhombus, 8 units, a cell."""
    words = ["islands", "width=60", "height=40", "layers=6", "size=40,120", "islands=5,12", "seed=3"]
    drawn = re.search(r'stroke="#ffd65c"[^>]*>\s*<path fill="none" d="m\d+ \d+([^"]*)"', made("svg", *words).decode())
    across = 0
    for verb, numbers in re.findall(r"([hlv]?)((?: ?-?\d+)+)", drawn[1]):
        lengths = [abs(int(length)) for length in re.findall(r"-?\d+", numbers)]
        across += sum({"h": lengths, "v": []}.get(verb, lengths[::2]))
    assert across == 8 * steps_of_the_way(result(*words))


@pytest.mark.parametrize("name", REQUESTS)
def test_themes_and_palettes(name):
    """Dark is darker, but by night; what is printed is grey on white."""
    light, dark, printed = (colors(*REQUESTS[name], look) for look in ("theme=light", "theme=dark", "palette=print"))
    assert name == "starlanes" or brightness(dark) < 0.85 * brightness(light)
    assert all(max(colour) - min(colour) < 9 for _, colour in printed.getcolors(1 << 20)) and brightness(printed) > 150


def brightness(shown):
    return ImageStat.Stat(shown.convert("L")).mean[0]


@pytest.mark.parametrize("grid", ["hex", "square"])
def test_grid_lines_lie_between_cells(grid):
    words = ["regions", f"grid={grid}", "width=6", "height=5", "count=1", "seed=1", "scale=42", "labels=false"]
    plain, lined = colors(*words), colors(*words, "grid_lines=true")
    unit = 42 / (14 if grid == "hex" else 12)
    middle = (hexagon if grid == "hex" else square)(2, 2)
    side = (int((middle[0] + (7 if grid == "hex" else 6)) * unit), int(middle[1] * unit))
    assert lined.getpixel(side) != plain.getpixel(side)
    assert lined.getpixel(tuple(int(part * unit) for part in middle)) == plain.getpixel(tuple(int(part * unit)
                                                                                              for part in middle))


WRAPPED = [
    ["regions", "wrap=xy", "width=20", "height=14", "count=7", "seed=3", "scale=13"],
    ["regions", "wrap=x", "width=20", "height=15", "count=7", "seed=4", "scale=20", "grid_lines=true"],
    ["areas", "wrap=xy", "width=20", "height=14", "count=5", "seed=3", "algorithm=dfs-backtrack", "scale=14"],
]


@pytest.mark.parametrize("words", WRAPPED)
def test_wrapped_pictures_tile(words):
    """At the seam there is no rim: drawn by librsvg or by us, what lies across it is what lies between any two columns.
    A picture of the same map with room around has that rim."""
    ours, theirs = colors(*words, "margin=0"), by_librsvg(*words, "margin=0")
    cells, scale = result(*words), int(words[-1 if words[-1][:5] == "scale" else -2][6:])
    assert ours.size == theirs.size and ours.size[0] == cells["width"] * scale
    assert max(ImageStat.Stat(ImageChops.difference(theirs, ours)).mean) < 4
    for shown in (ours, theirs):
        assert differ(shown, 0, -1) < 1.3 * max(differ(shown, x, x - 1) for x in range(1, 2 * scale))
        if "wrap=xy" in words:
            turned = shown.transpose(Image.Transpose.TRANSPOSE)
            assert differ(turned, 0, -1) < 1.3 * max(differ(turned, y, y - 1) for y in range(1, 2 * scale))


def differ(shown, x, other):
    """How many pixels of two columns are not alike."""
    width, height = shown.size
    return sum(max(abs(a - b) for a, b in zip(shown.getpixel((x % width, y)), shown.getpixel((other % width, y)))) > 40
               for y in range(height))


def test_a_margin_is_that_of_the_map():
    words = ["regions", "width=20", "height=14", "count=3", "seed=3", "scale=28", "labels=false"]
    bare, framed = colors(*words, "margin=0"), colors(*words, "margin=50")
    assert framed.size == tuple(side + 100 for side in bare.size)
    assert ImageChops.difference(framed.crop((50, 50, *(50 + side for side in bare.size))), bare).getbbox() is None
    assert set(framed.crop((0, 0, framed.size[0], 40)).getdata()) == {SEA}


# ---- names ----

NAMED = [["regions", "names=nordic"], ["regions", "count=30", "names=latin"], ["regions", "count=12", "variation=0.5",
         "grid=square", "names=slavic"], ["regions", "width=80", "height=60", "count=20", "variation=0.3",
                                          "names=persian"]]


@pytest.mark.parametrize("words", NAMED)
def test_countries_carry_their_names_within_their_borders(words):
    """Of those with 2 % of the map or more; boxes of words lie on cells of their country."""
    large = named = 0
    place, pitch = (square, 12) if "grid=square" in words else (hexagon, 14)
    for seed in range(6):
        made_of = result(*words, f"seed={seed}")
        rows, cells = {row["name"]: row for row in made_of["regions"]}, made_of["cells"]
        drawn = drawn_words(*words, f"seed={seed}")
        pixels = 1200 / (made_of["width"] * pitch + 9)
        read = {word for word, _, _, high in drawn if high * pixels >= 6}
        assert {word for word, _, _, _ in drawn} <= set(rows)
        for name, row in rows.items():
            if row["size"] * 50 >= made_of["width"] * made_of["height"]:
                large += 1
                named += name in read
        for word, x, y, high in drawn:
            half = high * (6 * len(word) - 1) / 24
            for across, up in itertools.product((-half, 0, half), (0, high / 2, high)):
                assert label_at(cells, place, pitch, x + across, y - up) == rows[word]["id"], (words, seed, word)
    assert large > 6 and named >= 0.95 * large, f"{named} of {large}"


@pytest.mark.parametrize("generator, kind", [("regions", "region"), ("areas", "area"), ("islands", "island"),
                                             ("starlanes", "star")])
def test_titles_are_names(generator, kind):
    words = [generator, "seed=4", "names=japanese"]
    made_of = result(*words)
    rows = made_of.get("stars") or made_of[generator]
    figures, _ = things_of(words)
    assert sorted(title for _, of, title in figures if of == kind) == sorted(row["name"] for row in rows)
    assert kind != "island" or {row["name"] for row in rows} <= {word for word, _, _, _ in drawn_words(*words)}


def test_names_are_in_every_format():
    regions, islands = result("regions", "seed=4", "names=latin"), result("islands", "seed=4", "names=latin")
    names = [row["name"] for row in regions["regions"]]
    for form in ("tmj", "geojson", "dot", "graphml", "svg"):
        drawing = made(form, "regions", "seed=4", "names=latin").decode()
        assert all(name in drawing for name in names), form
    text = made("text", "regions", "seed=4", "names=latin", "tables=true").decode()
    assert all(name in text for name in names)
    scene = made("glb", "islands", "seed=4", "names=latin")
    assert all(f'"name":"{row["name"]}"'.encode() in scene for row in islands["islands"])
    points = [thing for layer in json.loads(made("tmj", "regions", "seed=4", "names=latin"))["layers"]
              for thing in layer.get("objects", []) if thing.get("point")]
    assert [thing["name"] for thing in points] == names


def test_names_of_stars_do_not_overlap():
    words = ["starlanes", "stars=300", "shape=spiral", "names=persian", "seed=2"]
    rows, drawn = {row["name"]: row for row in result(*words)["stars"]}, drawn_words(*words)
    boxes = {word: (x - 0.35 * high * len(word), y - high, x + 0.35 * high * len(word), y) for word, x, y,
             high in drawn}
    assert len(boxes) == len(drawn) > 100 and set(boxes) <= set(rows)
    assert {word for word, _, _, _ in drawn_words(*words, "labels=false")} == set()
    assert {row["name"] for row in rows.values() if row["homeworld"]} <= set(boxes)
    for one, other in itertools.combinations(boxes.values(), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1], (one, other)
