#!/usr/bin/python3
"""A map from Mapwright in Python, with the standard library alone.

    python3 map.py regions width=30 height=12 count=4 seed=hello

or as a module: `from map import get_map`. MAPWRIGHT says where the service is.
"""
import hashlib
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.request
from typing import Any, Iterator, Mapping, Optional, Sequence

BASE = os.environ.get("MAPWRIGHT", "http://localhost:8080")
KEPT = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mapwright"
BUSY = {429, 502, 503, 504}  # pass: from the service, or from a proxy before it


class Problem(Exception):
    """Why there is no map: `errors` are pairs of a parameter and a sentence."""

    def __init__(self, status: int, body: bytes):
        said = read_json(body) or {"title": "says something that is not JSON", "detail": "is that Mapwright?"}
        self.errors = [(error["pointer"].lstrip("/"), error["detail"]) for error in said.get("errors", [])]
        lines = [f"{name}: {detail}" if name else detail for name, detail in self.errors]
        super().__init__("\n".join([f"{status} {said.get('title')}", *(lines or [str(said.get("detail"))])]))


def read_json(body: bytes) -> Optional[dict[str, Any]]:
    """An object; what is none came from somebody else."""
    try:
        said = json.loads(body)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def ask(generator: str, parameters: Mapping[str, object], tries: int) -> bytes:
    request = urllib.request.Request(f"{BASE}/{generator}", json.dumps(parameters).encode(),
                                     {"Content-Type": "application/json"})
    while True:
        tries -= 1
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, body = int(answer.status), bytes(answer.read())
        except urllib.error.HTTPError as error:
            status, body, wait = error.code, error.read(), error.headers.get("Retry-After", "")
            if status in BUSY and tries > 0:
                time.sleep(int(wait) if wait.isdigit() else 1)
                continue
        if status != 200 or not read_json(body):
            raise Problem(status, body)
        return body


def get_map(generator: str, parameters: Mapping[str, object], tries: int = 5) -> Any:
    """The answer as a dict. One with a seed is the same for ever, so it is kept and asked for once."""
    name = hashlib.sha256(json.dumps([BASE, generator, parameters], sort_keys=True).encode()).hexdigest()
    file = KEPT / f"{name[:32]}.json"
    if "seed" in parameters and file.exists():
        return json.loads(file.read_bytes())
    body = ask(generator, parameters, tries)
    if "seed" in parameters:
        KEPT.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    return json.loads(body)


def value(text: str) -> object:
    """60 as a number, true as a truth, hello as a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def draw_cells(cells: Sequence[Sequence[int]], hexagons: bool) -> Iterator[str]:
    """A letter for each region, area or island, + for a bridge; odd rows of hexagons are shoved."""
    for y, row in enumerate(cells):
        letters = ["." if cell == 0 else "+" if cell < 0 else chr(65 + (cell - 1) % 26) for cell in row]
        yield " " * (hexagons and y % 2) + " ".join(letters)


def draw_stars(result: Any) -> Iterator[str]:
    """Each star with those that its lanes lead to; a homeworld is marked by @."""
    lanes: list[list[int]] = [[] for _ in result["stars"]]
    for a, b in result["lanes"]:
        lanes[a].append(b)
        lanes[b].append(a)
    for i, star in enumerate(result["stars"]):
        yield f"{'@' if star['homeworld'] else '*'} {i} at {star['x']},{star['y']}: {' '.join(map(str, lanes[i]))}"


def draw(result: Any) -> Iterator[str]:
    """What a map is, whatever its kind."""
    if "stars" in result:
        return draw_stars(result)
    if "cells" in result:
        return draw_cells(result["cells"], result.get("grid") == "hex")
    return iter([*result["grid"], "", *result["solution"]] if "solution" in result else result["grid"])


def main(generator: str, *pairs: str) -> None:
    answer = get_map(generator, {name: value(text) for name, _, text in (pair.partition("=") for pair in pairs)})
    print(answer["self"], *draw(answer["result"]), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (Problem, OSError) as problem:
        sys.exit(f"map.py: {problem}")
