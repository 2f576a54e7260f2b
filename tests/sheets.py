#!/usr/bin/python3
"""Draws contact sheets: twelve maps over the range of parameters as one PNG for each kind of map.

    sheets.py build/release/mapwright build/sheets [name ...]

Beside each picture stands a file of the same name with the twelve requests, from left to right and from above.
"""
import io
import itertools
import pathlib
import subprocess
import sys

from PIL import Image

TILE, GAP, COLUMNS, PAPER = 440, 10, 4, (255, 255, 255)


def over(path, *choices):
    """A request for each of the twelve combinations, with seeds 1 to 12."""
    every = [" ".join(words) for words in itertools.product(*choices)]
    assert len(every) == 12, f"{path}: {len(every)} combinations"
    return [f"{path} {words} seed={seed}" for seed, words in enumerate(every, 1)]


SIZES = ["variation=0", "variation=1"]
ROUGH = ["roughness=0", "roughness=0.5", "roughness=1"]
WAYS = ["dfs-backtrack", "dfs", "frontier", "mixed", "frenzied", "frenzied first=0.05 burst=0.3"]
SHAPES = ["rectangle", "disc", "ring", "clusters", "spiral arms=2", "spiral arms=5"]
WORLDS = [
    "loops=0", "loops=1", "layers=6", "bridges=false layers=12", "land=0.2 islands=4,9", "land=0.5 islands=9,13",
    "width=60 height=60 islands=40,60 size=20,40", "width=80 height=80 islands=2,4 size=300,900 layers=8",
    "width=80 height=40 islands=8,12 size=60,90 layers=5", "width=48 height=48 islands=60,80 size=6,10",
    "width=150 height=150 islands=4,6 size=500,3000 layers=12", "width=100 height=100 islands=100,140 size=20,60",
]
LANDS = ["area=1200", "area=500%26count=3", "algorithm=dfs", "algorithm=frenzied", "width=120", "grid=hex"]
SHEETS = {
    "regions": over("regions", ["width=72 height=64"], ["count=7", "count=40"], SIZES, ROUGH),
    "regions-squares": over("regions", ["grid=square width=72 height=64"], ["count=7", "count=40"], SIZES, ROUGH),
    "regions-masks": over("regions", ["count=9", "count=30"], [f"mask=/areas?seed=1%26{land}" for land in LANDS]),
    "areas": over("areas", ["width=50 height=50", "width=120 height=120", "width=120 height=80 count=4"],
                  ["edge=sea", "edge=open", "holes=false", "grid=hex"]),
    "areas-ways": over("areas", ["width=60 height=60"], ["area=1200", "area=150 count=9 holes=false"],
                       [f"algorithm={way}" for way in WAYS]),
    "islands": over("islands", WORLDS),
    "starlanes": over("starlanes", ["stars=40", "stars=150", "stars=600", "stars=2000"],
                      ["density=0", "density=0.4", "density=1"]),
    "galaxies": over("starlanes homeworlds=4", ["stars=120", "stars=600"], [f"shape={shape}" for shape in SHAPES]),
    "puzzles": over("puzzle/generate", ["width=5 height=5", "width=7 height=7", "width=10 height=10", "width=15 height=12"],
                    ["rule=strict", "rule=flow unique=false", "rule=classic unique=false"]),
}


def draw(program, request):
    """The map with its longer side of one tile."""
    made = subprocess.run([program, *request.split(), "format=png", "--output", "-"], capture_output=True, check=False)
    if made.returncode:
        sys.exit(f"{request}: {made.stderr.decode().strip()}")
    picture = Image.open(io.BytesIO(made.stdout)).convert("RGB")
    picture.thumbnail((TILE, TILE))
    return picture


def lay_out(program, requests):
    side = TILE + GAP
    sheet = Image.new("RGB", (COLUMNS * side + GAP, -(-len(requests) // COLUMNS) * side + GAP), PAPER)
    for i, request in enumerate(requests):
        sheet.paste(draw(program, request), (GAP + i % COLUMNS * side, GAP + i // COLUMNS * side))
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
