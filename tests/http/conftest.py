"""The running service, judged from outside: requests, and what must come back.

`MAPWRIGHTD` names the binary (default build/release/mapwrightd); ASan and TSan builds do as well.
A test with the argument `generator` runs for each generator that openapi.json lists.
"""
import sys
import time

sys.dont_write_bytecode = True

import pytest  # noqa: E402

from contract import CONTRACT  # noqa: E402
from server import NO_HURRY, Server  # noqa: E402

# From simple to complex; what was met by all is judged by `pages`; draining last.
ORDER = ["basic", "config", "clients", "params", "bases", "formats", "errors", "caching", "async", "edge", "framing",
         "robust", "output", "isolate", "faults", "random", "pages", "load", "observe", "drain", "rolling", "store"]


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: ORDER.index(item.module.__name__.removeprefix("test_")))


def pytest_generate_tests(metafunc):
    if "generator" in metafunc.fixturenames:
        metafunc.parametrize("generator", CONTRACT.generators, ids=lambda generator: generator.name)


def pytest_make_parametrize_id(config, val, argname):
    """Short names for cases that are long texts."""
    return ascii(val)[:40] if isinstance(val, (bytes, str, dict, list)) else None


@pytest.fixture(scope="session")
def server():
    """The server that most tests share. Its limits of time are wide, for builds that run slowly."""
    with Server(*NO_HURRY, "--queue=2000", "--workers=2") as server:
        yield server


@pytest.fixture(scope="session")
def work(server):
    """A request that keeps a worker busy for a good part of a second on this machine and build."""
    body = {"width": 500, "height": 500, "count": 200}
    start = time.monotonic()
    assert server.post("/regions", body | {"seed": "how long"}).status == 200
    grow = (0.3 / (time.monotonic() - start)) ** 0.5
    side = min(max(int(500 * grow), 64), 3000)
    return body | {"width": side, "height": side}
