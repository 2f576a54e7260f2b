#!/usr/bin/env python3
"""Draws mapwright-hex.png and mapwright-square.png: the tiles that maps in the format tmj show.

    tiles.py src/enc/ink.c directory

Sixteen tiles a row, as src/enc/data/tmj.c numbers them: the colors of labels and that of ways as drawings have
them; in four rows the heights 1 to 64, the first in the colors that drawings give to land.
"""
import pathlib
import re
import struct
import sys
import zlib

COLUMNS, ROWS, HEIGHTS = 16, 5, 64
SHAPES = {"hex": (28, 32, 8), "square": (24, 24, 0)}  # width, height, rise of the slanted sides
PEAK = (0x60, 0x70, 0x80)  # which the highest fade into


def inks(source):
    """By name: the colors that stand after it."""
    found = re.findall(r"\[INK_(\w+)\] = ([^\[}]*)", source)
    return {name: [bytes.fromhex(rgb) for rgb in re.findall(r"0x([0-9a-f]{6})", rest)] for name, rest in found}


def height_colors(land):
    """White comes last of the drawings' own; above it they go to grey."""
    rest = HEIGHTS - len(land)
    fade = [bytes(a + (b - a) * i // rest for a, b in zip(land[-1], PEAK)) for i in range(1, rest + 1)]
    return land + fade


def palette(source):
    """Colour 0 is nothing; tile n has color n + 1, or nothing."""
    ink = inks(source)
    tiles = ink["LABEL"] + ink["BRIDGE"]
    tiles += [b"\0\0\0"] * (COLUMNS - len(tiles))
    tiles += height_colors(ink["LAND"][::4])
    return [b"\0\0\0"] + tiles


def inside(x, y, width, height, rise):
    """Whether the middle of a pixel is in the cell: between the slanted sides, which neighbours share."""
    if not rise:
        return True
    away = abs(2 * x + 1 - width)  # twice the distance from the middle column
    depth = min(2 * y + 1, 2 * (height - y) - 1)  # and from the top or bottom
    return away * rise <= depth * width // 2


def color_at(x, y, shape, colors):
    """The number of a color, 0: none."""
    width, height, rise = SHAPES[shape]
    row, column, x, y = y // height, x // width, x % width, y % height
    if not inside(x, y, width, height, rise):
        return 0
    number = row * COLUMNS + column + 1
    return number if colors[number] != b"\0\0\0" else 0


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def draw(shape, colors):
    width, height, _ = SHAPES[shape]
    rows = b""
    for y in range(ROWS * height):
        rows += bytes([0] + [color_at(x, y, shape, colors) for x in range(COLUMNS * width)])
    head = struct.pack(">IIBBBBB", COLUMNS * width, ROWS * height, 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(colors))
            + chunk(b"tRNS", b"\0") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main(source, directory):
    colors = palette(pathlib.Path(source).read_text())
    for shape in SHAPES:
        (pathlib.Path(directory) / f"mapwright-{shape}.png").write_bytes(draw(shape, colors))


if __name__ == "__main__":
    main(*sys.argv[1:])
