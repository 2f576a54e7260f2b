#!/usr/bin/python3
"""Draws contact sheets: twelve maps over the range of parameters as one PNG for each kind of map.

    sheets.py build/release/mapwright build/sheets [name ...]

Beside each picture stands a file of the same name with the twelve requests, from left to right and from
above. The maps are drawn by the program itself; here their pictures are only put together.
"""
import io
import itertools
import math
import pathlib
import subprocess
import sys

from PIL import Image

TILE, GAP, COLUMNS, PAPER = 440, 10, 4, (255, 255, 255)
BASE_SCALE, MOST_SCALE = 8, 64


# ---- what is shown ------------------------------------------------------------------------------------


def rows(width, height, land):
    """A mask of the cells whose centres, from -1 to 1, are land."""

    def at(i, n):
        return (2 * i + 1) / n - 1

    line = ["".join(".#"[bool(land(at(x, width), at(y, height)))] for x in range(width)) for y in range(height)]
    return "/".join(line)


def spiral(x, y):
    turn = math.atan2(y, x) / math.tau
    return math.hypot(x, y) < 1 and (math.hypot(x, y) * 3 - turn) % 1 < 0.6


def lakes(x, y):
    return all(math.hypot(x - a, y - b) > r for a, b, r in [(-0.4, -0.3, 0.35), (0.5, 0.1, 0.3), (-0.1, 0.6, 0.2)])


MASKS = {
    "disc": rows(72, 72, lambda x, y: math.hypot(x, y) < 1),
    "ring": rows(72, 72, lambda x, y: 0.45 < math.hypot(x, y) < 1),
    "spiral": rows(90, 90, spiral),
    "lakes": rows(80, 60, lakes),
    "comb": rows(80, 48, lambda x, y: y > 0.5 or int((x + 1) * 8) % 2 == 0),
    "islands": rows(96, 64, lambda x, y: math.sin(7 * x + 2 * y) + math.cos(6 * y - 3 * x) > -0.1),
}


def over(path, *choices):
    """A request for each of the twelve combinations, with seeds 1 to 12."""
    every = [" ".join(words) for words in itertools.product(*choices)]
    assert len(every) == 12, f"{path}: {len(every)} combinations"
    return [f"{path} {words} seed={seed}" for seed, words in enumerate(every, 1)]


def countries(grid):
    rough = ["roughness=0", "roughness=0.5", "roughness=1"]
    return over("regions", [f"grid={grid} width=72 height=64"], ["count=7", "count=40"], ["variation=0", "variation=1"], rough)


def ways_to_grow():
    kinds = ["dfs-backtrack", "dfs", "frontier", "mixed", "frenzied", "frenzied first=0.05 burst=0.3"]
    sizes = ["area=1200", "area=150 count=9 holes=false"]
    return over("areas", ["width=60 height=60"], sizes, [f"algorithm={kind}" for kind in kinds])


def worlds():
    kinds = [
        "loops=0",
        "loops=1",
        "layers=6",
        "bridges=false layers=12",
        "land=0.2 islands=4,9",
        "land=0.5 islands=9,13",
        "width=60 height=60 islands=40,60 size=20,40",
        "width=80 height=80 islands=2,4 size=300,900 layers=8",
        "width=80 height=40 islands=8,12 size=60,90 layers=5",
        "width=48 height=48 islands=60,80 size=6,10",
        "width=150 height=150 islands=4,6 size=500,3000 layers=12",
        "width=100 height=100 islands=100,140 size=20,60",
    ]
    return over("islands", kinds)


def puzzles():
    sides = ["width=5 height=5", "width=7 height=7", "width=10 height=10", "width=15 height=12"]
    return over("puzzle/generate", sides, ["rule=strict", "rule=flow unique=false", "rule=classic unique=false"])


SHEETS = {
    "regions-squares": countries("square"),
    "regions-hexagons": countries("hex"),
    "regions-masks": over("regions", ["count=9", "count=30 variation=1 grid=square"], [f"mask={name}" for name in MASKS]),
    "areas": over("areas", ["width=50 height=50", "width=120 height=120", "width=120 height=80 count=4"],
                  ["edge=sea", "edge=open", "holes=false", "grid=hex"]),
    "areas-ways": ways_to_grow(),
    "areas-masks": over("areas", ["area=400", "area=60 count=12"], ["algorithm=dfs-backtrack", "algorithm=frontier"],
                        ["mask=disc", "mask=lakes", "mask=islands grid=hex"]),
    "islands": worlds(),
    "starlanes": over("starlanes", ["stars=40", "stars=150", "stars=600", "stars=2000"], ["density=0", "density=0.4", "density=1"]),
    "galaxies": over("starlanes", ["homeworlds=4"], ["stars=120", "stars=600"],
                     ["shape=rectangle", "shape=disc", "shape=ring", "shape=clusters", "shape=spiral arms=2", "shape=spiral arms=5"]),
    "puzzles": puzzles(),
}


# ---- pictures -----------------------------------------------------------------------------------------


def draw(program, request, scale):
    words = [f"mask={MASKS[word[5:]]}" if word.startswith("mask=") else word for word in request.split()]
    words += ["format=png", f"scale={scale}", "--output", "-"]
    made = subprocess.run([program, *words], capture_output=True, check=False)
    if made.returncode:
        sys.exit(f"{request}: {made.stderr.decode().strip()}")
    return Image.open(io.BytesIO(made.stdout)).convert("RGB")


def fitting(program, request):
    """The map as large as its place allows: asked for twice, as only then its size is known."""
    size = max(draw(program, request, BASE_SCALE).size)
    for scale in range(max(1, min(MOST_SCALE, BASE_SCALE * TILE // size)), 0, -1):
        picture = draw(program, request, scale)
        if max(picture.size) <= TILE:
            return picture
    sys.exit(f"{request}: does not fit {TILE} pixels")


def lay_out(program, requests):
    side = TILE + GAP
    sheet = Image.new("RGB", (COLUMNS * side + GAP, -(-len(requests) // COLUMNS) * side + GAP), PAPER)
    for i, request in enumerate(requests):
        picture = fitting(program, request)
        left, top = GAP + i % COLUMNS * side, GAP + i // COLUMNS * side
        sheet.paste(picture, (left + (TILE - picture.width) // 2, top + (TILE - picture.height) // 2))
    return sheet


def main(program, folder, *names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or SHEETS:
        lay_out(program, SHEETS[name]).save(folder / f"{name}.png")
        (folder / f"{name}.txt").write_text("\n".join(SHEETS[name]) + "\n")
        print(folder / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
