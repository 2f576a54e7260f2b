"""Clients that are odd, slow, many, broken, or gone."""
import random
import selectors
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Gone, request
from server import NO_HURRY, PATIENCE, Server

POST = b"POST /regions HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
QUICK = request("GET", "/regions?width=8&height=8&count=2&seed=quick")
MADE, STOPPED = 'mapwright_maps_total{outcome="made"}', 'mapwright_maps_total{outcome="stopped"}'


# ---- one connection, many requests -------------------------------------------------------------

def test_keep_alive_with_all_kinds_of_requests(server):
    """Each answer belongs to its request."""
    asks = [("GET", "/healthz", None), ("POST", "/regions", b"{}"), ("POST", "/regions", b"{"),
            ("HEAD", "/regions?seed=1", None), ("OPTIONS", "/regions", None),
            ("DELETE", "/x", None), ("GET", "/regions?width=0", None), ("HEAD", "/nowhere", None),
            ("POST", "/nowhere", b"x" * 5000), ("POST", "/healthz", b"body of no use"),
            ("GET", "/regions.svg?seed=2", None)]
    chance = random.Random(3)
    with server.connect() as connection:
        for i in range(150):
            method, target, body = chance.choice(asks)
            reply = connection.ask(method, target, body, {"X-Request-Id": f"n{i}"})
            assert reply.header("X-Request-Id") == f"n{i}"


def test_byte_by_byte(server):
    with server.connect() as connection:
        for data in (QUICK, request("POST", "/regions", {"seed": 1, "width": 9})):
            for byte in data:
                connection.send(bytes([byte]))
            assert connection.reply().status == 200


def test_half_closed_clients(server):
    """`nc -N` and others close their side once they have asked, and wait for the answer."""
    targets = ["/healthz", "/regions?seed=1", "/nowhere"]
    assert [server.get(target).status for target in targets] == [200, 200, 404]
    for target in targets * 10:
        with server.connect(timeout=10) as connection:
            connection.send(request("GET", target))
            connection.socket.shutdown(socket.SHUT_WR)
            assert connection.reply().status in (200, 404)
            connection.at_end()


# ---- broken requests ---------------------------------------------------------------------------

def test_requests_behind_a_broken_one(server):
    """Earlier requests are answered, then the broken one is refused, and later ones are ignored."""
    slow = request("GET", "/regions?width=300&height=300&seed=before")
    for broken in (b"GET / HTTP/7.0\r\n\r\n", POST + b"Content-Length: x\r\n\r\n",
                   request("GET", "/" + "x" * 30000), CHUNKED + b"zz\r\n"):
        with server.connect() as connection:
            connection.send(slow * 2 + broken + QUICK * 3)
            statuses = all_answers(connection)
        assert statuses[:2] == [200, 200] and len(statuses) == 3 and statuses[2] >= 400, statuses


def test_a_refused_client_that_goes_on_sending_is_cut(server):
    with server.connect(timeout=5) as connection:
        with pytest.raises(OSError):
            for _ in range(100000):
                connection.send(b"GET /" + b"x" * 100000)
        await_all_gone(server)


def all_answers(connection):
    """The statuses of all answers until the server closes the connection."""
    statuses = []
    try:
        while True:
            statuses.append(connection.reply().status)
    except Gone:
        assert connection.buffer == b"", "half an answer"
        return statuses


def test_hostile_headers_are_not_echoed_raw(server):
    for identity in ("x" * 5000, "a\x01b", "\u00e9\u00ff", '"><script>', "a b", "{}", "", " "):
        reply = server.get("/nowhere", X_Request_Id=identity)
        told = reply.header("X-Request-Id")
        assert told and len(told) <= 1000 and told.isprintable()


# ---- large answers -----------------------------------------------------------------------------

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
        except OSError:
            return True
        if watch.select(pause):
            try:
                connection.at_end()
            except OSError:
                pass
            return True
    return False


def test_dripping_clients_are_cut(strict):
    starts = [(b"", b"GET / HTTP/1.1\r\nX-A: " + b"a" * 2000), (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-A: b\r\n" * 200),
              (POST + b"Content-Length: 100000\r\n\r\n", b" " * 2000), (CHUNKED, b"1\r\n \r\n" * 400)]

    def is_cut(start, more):
        with strict.connect() as connection:
            connection.send(start)
            return drip(connection, more)

    with ThreadPoolExecutor(len(starts)) as pool:
        assert all(pool.map(is_cut, *zip(*starts))), "one holds its connection for ever"


def test_silent_clients_are_cut(strict):
    connections = [strict.connect() for _ in range(5)]
    for connection, start in zip(connections, (
            b"", b"GET ", b"GET / HTTP/1.1\r\nHost: x\r\n", QUICK, POST + b"Content-Length: 5\r\n\r\n{")):
        connection.send(start)
    for connection in connections:
        connection.at_end()
        connection.close()


def test_clients_that_do_not_read_are_cut(strict):
    """Many answers, none read: the server closes, and counts it."""
    before = strict.metric("mapwright_connections_overdue_total")
    with strict.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.send(request("GET", "/regions?width=150&height=150&seed=unread") * 150)
        strict.await_metric("mapwright_connections_overdue_total", before + 1)


def test_clients_that_wait_for_slow_maps_are_not_cut(work):
    """Though they wait longer than any limit on clients."""
    with Server("--workers=1", *LIMITS, *NO_HURRY) as server, ThreadPoolExecutor(7) as pool:
        maps = pool.map(lambda seed: server.post("/regions", work | {"seed": seed}), range(7))
        assert [reply.status for reply in maps] == [200] * 7


def test_silent_clients_do_not_lock_others_out():
    """150 silent clients on a server that holds 64: they are cut, and the next is served."""
    with Server(*LIMITS, "--connections=64") as server:
        slow = []
        for _ in range(150):
            try:
                slow.append(server.connect())
                slow[-1].send(b"GET / HTTP/1.1\r\nX-Slow: ")
            except OSError:
                pass
        served = threading.Event()

        def ask():
            while not served.is_set():
                try:
                    if server.get("/healthz").status == 200:
                        served.set()
                except (Gone, OSError):
                    pass

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        assert served.wait(PATIENCE)
        for connection in slow:
            connection.close()


# ---- clients that leave ------------------------------------------------------------------------

HUGE = {"width": 4096, "height": 4096, "count": 20000}


def leave(connection, hard):
    if hard:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("hard", [False, True])
def test_work_ends_when_its_client_leaves(hard):
    """One worker, a map of seconds, its client gone: the run is stopped, not made."""
    with Server("--workers=1", *NO_HURRY) as server:
        connection = server.connect()
        connection.send(request("POST", "/regions", HUGE | {"seed": 1}))
        server.await_metric("mapwright_workers_busy", 1)
        leave(connection, hard)
        server.await_metric("mapwright_clients_left_total", 1)
        assert server.get("/regions").status == 200
        assert server.metric(STOPPED) == 1 and server.metric(MADE) == 1


def test_work_goes_on_while_another_client_waits():
    """Two clients ask for the same; one leaves; the other gets it."""
    body = {"width": 1000, "height": 1000, "count": 500, "seed": 1}
    with Server("--workers=1", *NO_HURRY) as server:
        gone, stays = server.connect(), server.connect()
        for connection in (gone, stays):
            connection.send(request("POST", "/regions", body))
        server.await_metric('mapwright_cache_claims_total', 2)
        leave(gone, True)
        assert stays.reply("POST").status == 200
        assert server.metric(MADE) == 1


def test_queued_work_of_clients_that_left_is_dropped():
    with Server("--workers=1", *NO_HURRY) as server:
        connections = [server.connect() for _ in range(20)]
        for seed, connection in enumerate(connections):
            connection.send(request("POST", "/regions", HUGE | {"seed": seed}))
        server.await_metric('mapwright_cache_claims_total{result="miss"}', 20)
        for connection in connections:
            leave(connection, True)
        assert server.get("/regions?seed=1").status == 200
        assert server.metric(MADE) == 1


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

@pytest.mark.parametrize("count", [64, 127, 128, 129, 256, 300])
def test_many_connections_at_once(server, count):
    """All open, all asking, all answered, three times; 128 events at a time stall some loops."""
    connections = [server.connect() for _ in range(count)]
    for turn in range(3):
        for i, connection in enumerate(connections):
            connection.send(request("GET", f"/regions?width=8&height=8&seed={(turn * 7 + i) % 40}"))
        for connection in connections:
            assert connection.reply().status == 200
    for connection in connections:
        connection.close()


def test_no_connection_is_left_over(server):
    """After all tests above."""
    await_all_gone(server)


def await_all_gone(server):
    """But the one that asks for the metric."""
    end = time.monotonic() + 15
    while server.metric("mapwright_connections_open") > 1:
        assert time.monotonic() < end, f'{server.metric("mapwright_connections_open")} are left'
        time.sleep(0.05)
