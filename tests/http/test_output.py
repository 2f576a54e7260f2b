"""What goes out: bounded in bytes, and read at a least speed."""
import socket
import time

import pytest

from client import Gone, request
from server import NO_HURRY, Server, until

MIB = 1 << 20
UNREAD, OVERDUE = "mapwright_answers_unread_total", "mapwright_connections_overdue_total"
HELD = 'mapwright_held_bytes{by="output"}'


def large(seed, side=1000):
    """A map of 2.8 MB; no two are the same."""
    return request("GET", f"/regions?width={side}&height={side}&count=50&seed={seed}")


def ask_and_not_read(server, data):
    connection = server.connect()
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.send(data)
    return connection


def await_answered(server, count):
    """So many maps were made or refused."""
    server.await_metric("mapwright_cache_claims_total", count)
    until(lambda: not (server.metric("mapwright_queue_length") + server.metric("mapwright_workers_busy")))


def await_at_most(server, name, most):
    until(lambda: server.metric(name) <= most, f"{name} stays above {most}")


def test_unread_answers_are_bounded():
    """40 clients ask for 2.8 MB each and read nothing: 16 MiB are held beside the cache's 8, never
    more; others are served meanwhile; the slowest were closed, and nobody was let down for it."""
    with Server("--output-bytes=16M", "--cache-bytes=8M", "--workers=2", *NO_HURRY) as server:
        unread = []
        for seed in range(40):
            unread.append(ask_and_not_read(server, large(seed)))
            assert server.get("/healthz").status == 200
            assert server.metric(HELD) <= 16 * MIB
        await_answered(server, 40)
        assert server.metric(HELD) <= 16 * MIB
        assert server.get("/regions?seed=small").status == 200
        # a slow machine takes longer than --send-ms for 40 maps
        until(lambda: server.metric(UNREAD) + server.metric(OVERDUE) >= 25, "their answers are kept")
        assert server.metric('mapwright_maps_total{outcome="refused"}') == 0
        with server.connect() as reader:
            reader.send(large("read"))
            assert reader.reply().status == 200, "there is room for who reads"
        for connection in unread:
            connection.close()
        await_at_most(server, HELD, MIB)


def test_good_readers_are_not_cut_for_new_answers():
    """Clients that will be through soon keep their answers; the new one is asked to come again."""
    with Server("--output-bytes=4M", "--cache-bytes=1M", "--workers=1", "--send-ms=3600000",
                *NO_HURRY) as server:
        reader = server.connect()
        reader.send(large(0))
        await_answered(server, 1)
        refused = server.connect()
        refused.send(large(1))
        reply = refused.reply()
        assert reply.status == 503 and reply.json()["type"] == "/problems/busy"
        assert reader.reply().status == 200
        await_at_most(server, HELD, MIB)
        refused.send(large(1))
        assert refused.reply().status == 200
        assert server.metric(UNREAD) == 0


def test_an_answer_that_never_fits():
    with Server("--output-bytes=1M", *NO_HURRY) as server, server.connect() as connection:
        connection.send(large(0))
        assert connection.reply().json()["type"] == "/problems/too-big"
        assert server.get("/regions?seed=1").status == 200


SLOW = ["--send-ms=3000", "--send-rate=100K", *NO_HURRY]


def read_at(connection, rate, size):
    """Takes so many bytes a second, for as long as there are some; how many came."""
    taken = 0
    started = time.monotonic()
    try:
        while taken < size:
            connection.buffer = b""
            connection.more()
            taken += len(connection.buffer)
            time.sleep(max(0, taken / rate - (time.monotonic() - started)))
    except Gone:
        pass
    return taken


@pytest.mark.parametrize("rate, whole", [(20000, False), (1500000, True)])
def test_a_reader_has_a_least_speed(rate, whole):
    """Bytes now and then are not enough, however long the answer; one who reads steadily gets it all."""
    # the steady one needs longer than --send-ms
    with Server(*SLOW) as server, server.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        size = len(server.get("/regions?width=1500&height=1500&count=50&seed=s").body)
        connection.send(large("s", 1500))
        taken = read_at(connection, rate, size)
        assert (taken >= size) == whole
        assert server.metric(OVERDUE) == (0 if whole else 1)
