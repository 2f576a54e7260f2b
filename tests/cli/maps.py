"""Maps and their formats, as the command writes them, each made once."""
import functools
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = os.environ.get("MAPWRIGHT", str(ROOT / "build/release/mapwright"))
LAKES = "/".join("." * 30 if y in (0, 19) else "".join(
    "." if (x * 7 + y * 3) % 23 == 0 or 10 < x < 14 and 6 < y < 11 else "#" for x in range(30)) for y in range(20))


@functools.cache
def made(form, *words):
    return subprocess.run([BINARY, *words, f"format={form}"], capture_output=True, check=True).stdout


def result(*words):
    return json.loads(made("json", *words))["result"]


@functools.cache
def npm():
    """Where the packages from npm are installed."""
    done = subprocess.run([ROOT / "tests/npm.sh", "cli"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def node(script, *files):
    """What a script prints as JSON."""
    done = subprocess.run(["node", HERE / script, *files], cwd=npm(), capture_output=True, text=True, check=True)
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)
