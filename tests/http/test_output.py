"""What goes out: bounded in bytes, and read at a least speed."""
import socket
import time

import pytest

from client import Gone, request
from server import NO_HURRY, PATIENCE, Server, until

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


def is_hit(server, seed):
    with server.connect() as connection:
        connection.send(large(seed).replace(b"GET", b"HEAD"))
        return "hit" in connection.reply("HEAD").header("Cache-Status")


def resident(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) << 10


def is_sanitized(server):
    """Then its memory is not its own."""
    with open(f"/proc/{server.process.pid}/maps", encoding="ascii") as maps:
        return "san.so" in maps.read()


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
        before = resident(server)
        unread = []
        for seed in range(40):
            unread.append(ask_and_not_read(server, large(seed)))
            assert server.get("/healthz").status == 200
            assert server.metric(HELD) <= 16 * MIB
        await_answered(server, 40)
        assert server.metric(HELD) <= 16 * MIB
        assert server.get("/regions?seed=small").status == 200
        assert server.metric(UNREAD) >= 25
        assert server.metric('mapwright_maps_total{outcome="refused"}') == 0
        with server.connect() as reader:
            reader.send(large("read"))
            assert reader.reply().status == 200, "there is room for who reads"
        held = resident(server) - before
        for connection in unread:
            connection.close()
        await_at_most(server, HELD, MIB)
        assert is_sanitized(server) or held < 120 * MIB, f"{held >> 20} MiB more"


def test_one_answer_of_many_counts_once():
    """30 clients that do not read the same 2.8 MB hold it once; out of the cache it still counts."""
    with Server("--output-bytes=8M", "--cache-bytes=4M", "--workers=1", "--send-ms=3600000",
                *NO_HURRY) as server:
        first = ask_and_not_read(server, large(0))
        await_answered(server, 1)
        unread = [first] + [ask_and_not_read(server, large(0)) for _ in range(29)]
        server.await_metric("mapwright_cache_claims_total", 30)
        assert server.metric(HELD) < MIB, "it is the cache's"
        assert any(is_hit(server, 1) for _ in range(300)), "asked for so often, it is kept instead"
        await_at_most(server, HELD, 4 * MIB)
        assert server.metric(HELD) > 2 * MIB, "out of the cache, and still held"
        assert server.metric(UNREAD) == 0
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


SLOW = ["--send-ms=1000", "--send-rate=200K", *NO_HURRY]


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


@pytest.mark.parametrize("rate, whole", [(20000, False), (2000000, True)])
def test_a_reader_has_a_least_speed(rate, whole):
    """Bytes now and then are not enough, however long the answer; a steady reader gets it all."""
    with Server(*SLOW) as server, server.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        size = len(server.get("/regions?width=1500&height=1500&count=50&seed=s").body)
        connection.send(large("s", 1500))
        taken = read_at(connection, rate, size)
        assert (taken >= size) == whole
        assert server.metric(OVERDUE) == (0 if whole else 1)


def test_the_kernel_holds_little():
    """What is not read stays ours, where it is counted, and does not pile up in the socket."""
    with Server("--host=127.0.0.1", "--cache-bytes=64M", *NO_HURRY) as server:
        connection = ask_and_not_read(server, large(0, 2000))
        await_answered(server, 1)
        time.sleep(0.5)
        ours = f"{connection.socket.getsockname()[1]:04X}"
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table]
        queued = [int(row[4].split(":")[0], 16) for row in rows
                  if row[2].endswith(":" + ours) and row[1].endswith(f":{server.port:04X}")]
        connection.close()
        assert queued and queued[0] < MIB
