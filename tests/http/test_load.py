"""Much work at once: slow maps beside fast ones, long bodies, little memory, too many requests."""
import asyncio
import collections
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import request
from server import BINARY, NO_HURRY, Server

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "soak"))
import overload  # noqa: E402

SANITIZED = re.search(r"asan|tsan", BINARY)  # takes memory and time of its own

def test_slow_maps_do_not_delay_fast_ones():
    """Clients want maps that take seconds; small ones come as if nobody else were there, before any of those."""
    with Server("--workers=2", *NO_HURRY) as server:
        waiting = [server.connect() for _ in range(4)]
        for seed, connection in enumerate(waiting):
            connection.send(request("POST", "/regions", {"width": 4096, "height": 4096, "count": 60000, "seed": seed}))
        server.await_metric('mapwright_workers_busy{lane="slow"}', 1)
        for seed in range(50):
            assert server.get(f"/regions?seed={seed}").status == 200
        assert server.metric('mapwright_maps_total{outcome="made"}') == 50, "slow ones were waited for"
        assert server.metric('mapwright_workers_busy{lane="slow"}') == 1
        for connection in waiting:
            connection.close()


def peak_memory(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) << 10


@pytest.mark.skipif(SANITIZED is not None, reason="a sanitizer takes memory of its own")
def test_memory_is_for_all_workers_together():
    """Eight at once, of which each takes most of it: all are made, one after the other."""
    with Server("--workers=4", "--memory=96M", "--cache-bytes=16M", "--output-bytes=32M",
                *NO_HURRY) as server:
        connections = [server.connect() for _ in range(8)]
        for seed, connection in enumerate(connections):
            connection.send(request("POST", "/islands", {"width": 1600, "height": 1600, "seed": seed}))
        with ThreadPoolExecutor(8) as readers:  # who is not read is ended
            replies = readers.map(lambda connection: connection.reply("POST"), connections)
            statuses = {reply.status for reply in replies}
        assert statuses <= {200, 503} and 200 in statuses, statuses
        assert peak_memory(server) < (96 + 16 + 32 + 32) << 20
        huge = server.post("/islands", {"width": 4096, "height": 4096, "seed": 1})
        assert huge.status == 422 and huge.json()["type"] == "/problems/too-big", huge
        assert re.search(r"\d{8,} bytes", huge.json()["errors"][0]["detail"]), huge


def test_overload():
    """Many more requests than can be served, whatever becomes of them: each is answered, some with
    maps, and health always. How soon is told by `make overload`."""
    with Server("--workers=2", "--log=off") as server:
        _, offered, health = asyncio.run(overload.measure(server.port, 2, 1, 10, "/islands.png?width=300&height=300"))
    assert offered.keys() <= {200, 503} and offered[200], offered
    assert health.keys() == {200}, health


def test_a_full_queue_refuses_at_once():
    """64 at once where one is served and four may wait for an hour: whoever is refused did not wait,
    and whoever was let in is served."""
    with Server("--workers=1", "--queue=4", *NO_HURRY) as server:
        connections = [server.connect() for _ in range(64)]
        for seed, connection in enumerate(connections):
            connection.send(request("POST", "/islands", {"width": 300, "height": 300, "seed": seed}))
        with ThreadPoolExecutor(64) as readers:
            replies = list(readers.map(lambda connection: connection.reply("POST"), connections))
        outcomes = collections.Counter(reply.status for reply in replies)
        assert outcomes.keys() <= {200, 503} and outcomes[200] >= 4, outcomes
        assert all(int(reply.header("Retry-After")) for reply in replies if reply.status == 503)
        assert outcomes[503] > 0, outcomes
        server.await_count('mapwright_refusals_total{reason="busy"}', outcomes[503])
