#!/usr/bin/python3
"""The rooms hold: what each object file wants from the others, read from their symbols.

    tests/layers.py build/release

A file may use its own room and those below; rooms on one line do not know each
other; and files nowhere go round in a circle. From the lowest up:
"""

import subprocess
import sys
from pathlib import Path

LAYERS = [
    ["lib"],
    ["kit"],
    ["gen/path/board", "gen/starlanes/mesh"],
    ["gen/path/solver", "gen/path/grade"],
    ["gen/path/maker"],
    ["gen/names"],
    ["gen", *(f"gen/{room.name}" for room in Path("src/gen").iterdir() if room.is_dir() and room.name != "names")],
    ["enc"],
    ["enc/data", "enc/picture"],
    ["enc/picture/isles"],
    ["enc/picture/scene"],
    ["enc/picture/raster", "enc/picture/vector"],
    ["all"],
    ["api"],
    ["cli", "srv/base"],
    ["srv/out"],
    ["srv/cache", "srv/parse"],
    ["srv/share", "srv/box"],
    ["srv/make"],
    ["srv/ask"],
    ["srv/net"],
    ["srv"],
]
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}


def read_objects(build):
    """file -> what its object defines for others, and what it wants."""
    sources = sorted(str(path.relative_to("src").with_suffix("")) for path in Path("src").rglob("*.c"))
    paths = {f"{build}/src/{file}.o": file for file in sources}
    there = [path for path in paths if Path(path).exists()]
    objects = {paths[path]: (set(), set()) for path in there}
    lines = subprocess.run(["nm", "-A", "-P", *there], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        path, name, kind = line.split()[:3]
        defined, wanted = objects[paths[path.rstrip(":")]]
        if kind == "U":
            wanted.add(name)
        elif kind.isupper() or kind in "vw":
            defined.add(name)
    return objects


def find_arrows(objects):
    """file -> file -> the symbols that the first wants from the second.

    Two programs may use a name each for something of their own: what counts is then its own.
    """
    homes = {}
    for file, (defined, _) in objects.items():
        for name in defined:
            homes.setdefault(name, []).append(file)
    arrows = {file: {} for file in objects}
    for file, (_, wanted) in objects.items():
        for name in sorted(wanted):
            there = homes.get(name, [])
            own = [home for home in there if home.split("/")[0] == file.split("/")[0]]
            for home in own or there:
                arrows[file].setdefault(home, []).append(name)
    return arrows


def room_of(file):
    return file.rpartition("/")[0]


def find_strays(arrows):
    for file, wants in arrows.items():
        for home, names in wants.items():
            here, there = room_of(file), room_of(home)
            if here != there and RANK[there] >= RANK[here]:
                yield f"{file} wants {', '.join(names)} from {home}, which is not below it"


def find_circle(arrows):
    """The files of one circle, or nothing: what is left when all that want nothing more are gone."""
    left = {file: set(wants) for file, wants in arrows.items()}
    while done := [file for file, wants in left.items() if not wants]:
        for file in done:
            del left[file]
        for wants in left.values():
            wants.difference_update(done)
    if not left:
        return []
    way = [next(iter(left))]
    while way.count(way[-1]) == 1:
        way.append(sorted(left[way[-1]])[0])
    return way[way.index(way[-1]) :]


def main(build):
    objects = read_objects(build)
    homeless = sorted({room_of(file) for file in objects} - set(RANK))
    if homeless:
        sys.exit(f"{', '.join(homeless)}: a room that tests/layers.py does not know")
    if len(objects) < 50:
        sys.exit(f"{build}: {len(objects)} objects are too few to say anything")
    arrows = find_arrows(objects)
    faults = list(find_strays(arrows))
    circle = find_circle(arrows)
    if circle:
        faults.append("a circle: " + " -> ".join(circle))
    if faults:
        sys.exit("\n".join(faults))
    print(f"layers: {len(objects)} files in {len(RANK)} rooms want nothing from above, and no circle")


if __name__ == "__main__":
    main(*sys.argv[1:])
