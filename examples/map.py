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

BASE = os.environ.get("MAPWRIGHT", "http://localhost:8080")
KEPT = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mapwright"


class Problem(Exception):
    """What the service says is wrong: `errors` are pairs of a parameter and a sentence."""

    def __init__(self, body):
        self.errors = [(error["pointer"].lstrip("/"), error["detail"]) for error in body.get("errors", [])]
        lines = [f"{name}: {detail}" if name else detail for name, detail in self.errors]
        super().__init__("\n".join([f"{body['status']} {body['title']}", *(lines or [body["detail"]])]))


def ask(generator, parameters, tries):
    request = urllib.request.Request(f"{BASE}/{generator}", json.dumps(parameters).encode(),
                                     {"Content-Type": "application/json"})
    for left in reversed(range(tries)):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code != 503 or not left:
                raise Problem(json.load(error)) from None
            time.sleep(int(error.headers.get("Retry-After", 1)))


def get_map(generator, parameters, tries=5):
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


def value(text):
    """60 as a number, true as a truth, hello as a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def main(generator, *pairs):
    answer = get_map(generator, {name: value(text) for name, _, text in (pair.partition("=") for pair in pairs)})
    print(answer["self"])
    for y, row in enumerate(answer["result"].get("cells", [])):
        shoved = answer["result"].get("grid") == "hex" and y % 2
        print(" " * shoved + " ".join("." if cell == 0 else "+" if cell < 0 else chr(65 + (cell - 1) % 26)
                                      for cell in row))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (Problem, urllib.error.URLError) as problem:
        sys.exit(f"map.py: {problem}")
