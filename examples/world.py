#!/usr/bin/python3
"""A world of several maps from Mapwright: continents, countries on them, lanes between their capitals.

    python3 world.py 7 world.svg

One address names all of it: where a parameter takes rows or points, it takes the address of a map that has
them. So the three maps fit, and one seed makes them. MAPWRIGHT says where the service is.
"""
import json
import os
import sys
import urllib.parse
import urllib.request

BASE = os.environ.get("MAPWRIGHT", "http://localhost:8080")


def address(generator, **parameters):
    """Of a map; given as a parameter of another one, it is what that one stands on."""
    return f"/{generator}?{urllib.parse.urlencode(parameters)}"


def get(address, format):
    request = urllib.request.Request(BASE + address.replace("?", f".{format}?", 1))
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.read()


def main(seed, picture):
    continents = address("areas", width=110, height=64, grid="hex", count=3, area=1100)
    countries = address("regions", count=48, variation=0.6, mask=continents)
    lanes = address("starlanes", positions=countries, homeworlds=5, density=0.3, seed=seed)
    world = json.loads(get(lanes, "json"))
    with open(picture, "wb") as file:
        file.write(get(world["self"], "svg"))
    below = json.loads(get(world["parameters"]["positions"], "json"))  # the very countries, seed and all
    capitals = {tuple(region["capital"]): region["id"] for region in below["result"]["regions"]}
    for a, b in world["result"]["lanes"]:
        one, other = (capitals[star["x"], star["y"]] for star in (world["result"]["stars"][i] for i in (a, b)))
        print(f"country {one} - country {other}")


if __name__ == "__main__":
    main(*sys.argv[1:])
