"""Much work at once: slow maps beside fast ones, long bodies, little memory, too many requests."""
import asyncio
import collections
import contextlib
import os
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import request
from server import BINARY, NO_HURRY, Server

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "soak"))
import overload  # noqa: E402

SANITIZED = re.search(r"asan|tsan", BINARY)  # takes memory and time of its own

WIDE = {"width": 1500, "height": 1500, "count": 500}


@contextlib.contextmanager
def without_pause(count, ask):
    """So many clients, each asking as `ask(client, round)` does; a Counter of what came of it."""
    stop, outcomes = threading.Event(), collections.Counter()

    def client(number):
        turn = 0
        while not stop.is_set():
            outcomes[ask(number, turn)] += 1
            turn += 1

    threads = [threading.Thread(target=client, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def outstripped(connection, target, outcomes, least):
    """Asks one after the other, with a breath between, until so many others had their answers; each
    must be answered. Sorted: how many others had theirs while one waited, whatever time that took."""
    def total():
        return sum(list(outcomes.values()))  # of a copy: others count meanwhile

    overtaken, enough = [], total() + least
    while total() < enough or len(overtaken) < 100:
        before = total()
        reply = connection.ask("GET", target + str(len(overtaken)))
        overtaken.append(total() - before)
        assert reply.status == 200, reply
        time.sleep(0.01)
    return sorted(overtaken)


def test_slow_maps_do_not_delay_fast_ones():
    """Four clients want large maps and nothing else; default maps come as if nobody else were there.
    All wait for theirs: a refusal is quick, and would look like an answer that came first."""
    with Server("--workers=2", *NO_HURRY) as server:
        assert server.post("/regions", WIDE | {"seed": "how long"}).status == 200
        with server.connect() as connection, without_pause(4, lambda client, turn: server.post(
                "/regions", WIDE | {"seed": f"{client} {turn}"}).status) as outcomes:
            overtaken = outstripped(connection, "/regions?seed=", outcomes, 5)
        assert set(outcomes) == {200}, outcomes
        assert overtaken[len(overtaken) * 3 // 4] == 0, overtaken  # behind one, it would be each time
        assert server.metric("mapwright_workers") == 2


def test_long_bodies_are_maps_like_any_other(server):
    rows = ["#" * 200] * 100
    for headers in ({}, {"Accept": "text/plain"}):
        long, short = (server.ask("POST", "/regions", {"mask": rows, "seed": 5} | more, headers)
                       for more in ({}, {"width": 200}))
        assert len(str(rows)) > 8192 and long.status == 200, long
        assert short.header("ETag") == long.header("ETag") and short.body == long.body
        assert server.ask("POST", "/regions", {"mask": rows, "seed": 5}, headers).header(
            "Cache-Status") == "mapwright; hit"
    wrong = server.post("/regions", {"mask": rows + ["?"], "seed": 5})
    assert wrong.status == 400 and wrong.pointers(), wrong


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
        _, offered, health = asyncio.run(overload.measure(server.port, 2, 2, 10, "/islands.png?width=300&height=300"))
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
