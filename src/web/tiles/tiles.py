#!/usr/bin/env python3
"""Draws mapwright-hex.png and mapwright-square.png: the tiles that maps in the format tmj show.

    tiles.py src/enc/ink.c directory

Sixteen tiles a row, as src/enc/data/tmj.c numbers them: the colours of labels and that of ways as drawings have
them, and from the second row on the heights 1 to 64, the first in the colours that drawings give to land.
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
    """By name: the colours that stand after it."""
    found = re.findall(r"\[INK_(\w+)\] = ([^\[}]*)", source)
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
    return [b"\0\0\0"] + tiles + height_colours(ink["LAND"][::4])


def inside(x, y, width, height, rise):
    """Whether the middle of a pixel is in the cell: between the slanted sides, which neighbours share."""
    if not rise:
        return True
    away = abs(2 * x + 1 - width)  # twice the distance from the middle column
    depth = min(2 * y + 1, 2 * (height - y) - 1)  # and from the top or bottom
    return away * rise <= depth * width // 2


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def draw(shape, colours):
    width, height, rise = SHAPES[shape]
    rows = b""
    for y in range(ROWS * height):
        line = bytearray(b"\0")
        for x in range(COLUMNS * width):
            tile = y // height * COLUMNS + x // width
            shown = colours[tile + 1] != b"\0\0\0" and inside(x % width, y % height, width, height, rise)
            line.append(tile + 1 if shown else 0)
        rows += line
    head = struct.pack(">IIBBBBB", COLUMNS * width, ROWS * height, 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(colours))
            + chunk(b"tRNS", b"\0") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main(source, directory):
    colours = palette(pathlib.Path(source).read_text())
    for shape in SHAPES:
        (pathlib.Path(directory) / f"mapwright-{shape}.png").write_bytes(draw(shape, colours))


if __name__ == "__main__":
    main(*sys.argv[1:])
