"""Clients that are odd, slow, many, broken, or gone."""
import random
import selectors
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Gone, request
from server import NO_HURRY, PATIENCE, Server, until

POST = b"POST /regions HTTP/1.1\r\nHost: x\r\n"
QUICK = request("GET", "/regions?width=8&height=8&count=2&seed=quick")
MADE, STOPPED = 'mapwright_maps_total{outcome="made"}', 'mapwright_maps_total{outcome="stopped"}'


# ---- one connection, many requests -------------------------------------------------------------

def test_keep_alive_with_all_kinds_of_requests(server):
    """Each answer belongs to its request."""
    asks = [("GET", "/healthz", None, 200), ("POST", "/regions", b"{}", 200), ("HEAD", "/regions?seed=1", None, 200),
            ("OPTIONS", "/regions", None, 204), ("DELETE", "/regions", None, 405),
            ("GET", "/regions?width=0", None, 400),
            ("HEAD", "/nowhere", None, 404), ("POST", "/nowhere", b"x" * 5000, 404),
            ("POST", "/healthz", b"of no use", 405),
            ("GET", "/regions.vox", None, 406), ("GET", "/regions.svg?seed=2", None, 200)]
    chance = random.Random(3)
    with server.connect() as connection:
        for i in range(150):
            method, target, body, status = chance.choice(asks)
            reply = connection.ask(method, target, body, {"X-Request-Id": f"n{i}"})
            assert (reply.status, reply.header("X-Request-Id")) == (status, f"n{i}"), target


def test_half_closed_clients(server):
    """`nc -N` and others close their side once they have asked, and wait for the answer."""
    for target in ["/healthz", "/regions?seed=1", "/nowhere"] * 10:
        with server.connect() as connection:
            connection.send(request("GET", target))
            connection.socket.shutdown(socket.SHUT_WR)
            assert connection.reply().status in (200, 404)
            connection.at_end()


def test_a_slow_reader_gets_it_all(server):
    target = "/regions?width=900&height=900&seed=slow-reader"
    whole = server.get(target).body
    with server.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        connection.send(request("GET", target) * 2)
        for _ in range(10):
            connection.more()
            time.sleep(0.02)
        assert connection.reply().body == connection.reply().body == whole
        connection.send(QUICK)
        assert connection.reply().status == 200


# ---- slow clients are cut ----------------------------------------------------------------------

LIMITS = ["--header-ms=300", "--body-ms=300", "--send-ms=300", "--idle-ms=300"]


@pytest.fixture(scope="module")
def strict():
    with Server(*LIMITS, *NO_HURRY) as server:
        yield server


def drip(connection, data, pause=0.05):
    """Sends byte by byte until the server closes the connection; whether it did."""
    watch = selectors.DefaultSelector()
    watch.register(connection.socket, selectors.EVENT_READ)
    for i in range(int(PATIENCE / pause)):
        try:
            connection.send(data[i % len(data):][:1])
            if watch.select(pause):
                connection.at_end()
                return True
        except OSError:
            return True
    return False


def test_dripping_clients_are_cut(strict):
    starts = [(b"", b"GET / HTTP/1.1\r\nX-A: " + b"a" * 2000), (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-A: b\r\n" * 200),
              (POST + b"Content-Length: 100000\r\n\r\n", b" " * 2000),
              (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 400)]

    def is_cut(start, more):
        with strict.connect() as connection:
            connection.send(start)
            return drip(connection, more)

    with ThreadPoolExecutor(len(starts)) as pool:
        assert all(pool.map(is_cut, *zip(*starts))), "one holds its connection for ever"


def test_silent_clients_are_cut(strict):
    """Before, amid and after a request; and who reads none of many answers, which is counted."""
    before = strict.metric("mapwright_connections_overdue_total")
    starts = [b"", b"GET ", b"GET / HTTP/1.1\r\nHost: x\r\n", QUICK, POST + b"Content-Length: 5\r\n\r\n{"]
    connections = [strict.connect() for _ in starts]
    for connection, start in zip(connections, starts):
        connection.send(start)
    for connection in connections:
        connection.at_end()
    with strict.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.send(request("GET", "/regions?width=150&height=150&seed=unread") * 150)
        strict.await_metric("mapwright_connections_overdue_total", before + 1)


def test_clients_that_wait_for_slow_maps_are_not_cut(work):
    """Though they wait longer than any limit on clients."""
    with Server("--workers=1", *LIMITS, *NO_HURRY) as server, ThreadPoolExecutor(4) as pool:
        maps = pool.map(lambda seed: server.post("/regions", work | {"seed": seed}), range(4))
        assert [reply.status for reply in maps] == [200] * 4


def test_silent_clients_do_not_lock_others_out():
    """150 silent clients on a server that holds 64: they are cut, and the next is served."""
    def is_served():
        try:
            return server.get("/healthz").status == 200
        except (Gone, OSError):
            return False

    with Server(*LIMITS, "--connections=64") as server:
        silent = []
        for _ in range(150):
            try:
                silent.append(server.connect())
                silent[-1].send(b"GET / HTTP/1.1\r\nX-Slow: ")
            except OSError:
                pass
        until(is_served)


# ---- clients that leave ------------------------------------------------------------------------

HUGE = {"width": 4096, "height": 4096, "count": 20000}


def leave(connection, hard):
    if hard:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("hard", [False, True])
def test_work_ends_when_its_clients_leave(hard):
    """One worker, maps of seconds, their clients gone: the run is stopped, and what is queued is dropped."""
    with Server("--workers=1", *NO_HURRY) as server:
        connections = [server.connect() for _ in range(10)]
        for seed, connection in enumerate(connections):
            connection.send(request("POST", "/regions", HUGE | {"seed": seed}))
        server.await_metric("mapwright_workers_busy", 1)
        server.await_metric('mapwright_cache_claims_total{result="miss"}', 10)
        for connection in connections:
            leave(connection, hard)
        server.await_metric("mapwright_clients_left_total", 10)
        assert server.get("/regions?seed=1").status == 200
        assert server.metric(STOPPED) >= 1 and server.metric(MADE) == 1


def test_work_goes_on_while_another_client_waits():
    """Two clients ask for the same; one leaves; the other gets it."""
    body = {"width": 1000, "height": 1000, "count": 500, "seed": 1}
    with Server("--workers=1", *NO_HURRY) as server:
        gone, stays = server.connect(), server.connect()
        for connection in (gone, stays):
            connection.send(request("POST", "/regions", body))
        server.await_metric('mapwright_cache_claims_total', 2)
        leave(gone, True)
        assert stays.reply("POST").status == 200 and server.metric(MADE) == 1


def test_clients_that_leave_at_any_moment(server):
    """At every byte of a request, before, while and after it is answered."""
    chance = random.Random(6)
    for _ in range(150):
        connection = server.connect()
        data = request("POST", "/regions", {"seed": chance.randrange(50), "width": 60})
        some = chance.randrange(len(data) + 1)
        connection.send(data[:some] if chance.random() < 0.5 else data * 2)
        leave(connection, chance.random() < 0.5)
    assert server.get("/regions").status == 200


# ---- many --------------------------------------------------------------------------------------

@pytest.mark.parametrize("count", [127, 128, 129, 300])
def test_many_connections_at_once(server, count):
    """All open, all asking, all answered, three times; 128 events at a time stall some loops. None is left over."""
    connections = [server.connect() for _ in range(count)]
    for turn in range(3):
        for i, connection in enumerate(connections):
            connection.send(request("GET", f"/regions?width=8&height=8&seed={(turn * 7 + i) % 40}"))
        for connection in connections:
            assert connection.reply().status == 200
    for connection in connections:
        connection.close()
    until(lambda: server.metric("mapwright_connections_open") <= 1)
