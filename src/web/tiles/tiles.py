#!/usr/bin/env python3
"""Draws mapwright-hex.png and mapwright-square.png: the tiles that maps in the format tmj show.

    tiles.py src/enc/ink.c directory

Sixteen tiles a row, as src/enc/data/tmj.c numbers them: the colours of labels and that of ways as drawings have
them; in four rows the heights 1 to 64, the first in the colours that drawings give to land; then two rows of
terrain. In the first of them land is at the corners, in the second borders are on the sides, whose bits are set
in the column: corners clockwise from the top right, sides clockwise from the top.
"""
import pathlib
import re
import struct
import sys
import zlib

COLUMNS, ROWS, HEIGHTS = 16, 7, 64
COAST, BORDERS = 5, 6  # rows
SHAPES = {"hex": (28, 32, 8), "square": (24, 24, 0)}  # width, height, rise of the slanted sides
PEAK = (0x60, 0x70, 0x80)  # which the highest fade into


def inks(source):
    """By name: the colours that stand after it in the first table; those of themes come later."""
    found = re.findall(r"\[INK_(\w+)\] = ([^\[}]*)", source.partition("};")[0])
    return {name: [bytes.fromhex(rgb) for rgb in re.findall(r"0x([0-9a-f]{6})", rest)] for name, rest in found}


def height_colours(land):
    """White comes last of the drawings' own; above it they go to grey."""
    rest = HEIGHTS - len(land)
    fade = [bytes(a + (b - a) * i // rest for a, b in zip(land[-1], PEAK)) for i in range(1, rest + 1)]
    return land + fade


def palette(source):
    """Colour 0 is nothing; tile n has colour n + 1, or nothing."""
    ink = inks(source)
    tiles = ink["LABEL"] + ink["BRIDGE"]
    tiles += [b"\0\0\0"] * (COLUMNS - len(tiles))
    tiles += height_colours(ink["LAND"][::4])
    return [b"\0\0\0"] + tiles + [ink["LAND"][0], ink["SEA"][0], ink["BORDER"][0]]


def inside(x, y, width, height, rise):
    """Whether the middle of a pixel is in the cell: between the slanted sides, which neighbours share."""
    if not rise:
        return True
    away = abs(2 * x + 1 - width)  # twice the distance from the middle column
    depth = min(2 * y + 1, 2 * (height - y) - 1)  # and from the top or bottom
    return away * rise <= depth * width // 2


def is_land(x, y, width, height, bits):
    """Where corners with land weigh more, the nearer the more."""
    right, low = (2 * x + 1) / (2 * width), (2 * y + 1) / (2 * height)
    weights = right * (1 - low), right * low, (1 - right) * low, (1 - right) * (1 - low)
    return sum(weight for bit, weight in enumerate(weights) if bits >> bit & 1) >= 0.5


def is_border(x, y, width, height, rise, bits):
    """Within two pixels of a side; hexagons have all of them or none."""
    if rise:
        return bits and not all(inside(x + i, y, width, height, rise) and inside(x, y + i, width, height, rise)
                                and 2 <= x < width - 2 for i in (-3, 3))
    return any(bits >> bit & 1 and away < 2 for bit, away in enumerate((y, width - 1 - x, height - 1 - y, x)))


def colour_at(x, y, shape, colours):
    """The number of a colour, 0: none."""
    width, height, rise = SHAPES[shape]
    row, column, x, y = y // height, x // width, x % width, y % height
    land = len(colours) - 3
    if not inside(x, y, width, height, rise) or row >= COAST and rise and column not in (0, COLUMNS - 1):
        return 0
    if row == COAST:
        return land if is_land(x, y, width, height, column) else land + 1
    if row == BORDERS:
        return land + 2 if is_border(x, y, width, height, rise, column) else 0
    number = row * COLUMNS + column + 1
    return number if colours[number] != b"\0\0\0" else 0


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def draw(shape, colours):
    width, height, _ = SHAPES[shape]
    rows = b""
    for y in range(ROWS * height):
        rows += bytes([0] + [colour_at(x, y, shape, colours) for x in range(COLUMNS * width)])
    head = struct.pack(">IIBBBBB", COLUMNS * width, ROWS * height, 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(colours))
            + chunk(b"tRNS", b"\0") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main(source, directory):
    colours = palette(pathlib.Path(source).read_text())
    for shape in SHAPES:
        (pathlib.Path(directory) / f"mapwright-{shape}.png").write_bytes(draw(shape, colours))


if __name__ == "__main__":
    main(*sys.argv[1:])
