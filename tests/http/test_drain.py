"""SIGTERM: connections that were taken have a last answer, no new one is taken, exit code 0."""
import signal
import socket
import time

import pytest

from client import Gone, request
from server import NO_HURRY, Server, until

# A good part of a second for each, in which it looks often whether it has to end: on a busy machine, too, that is
# well within the second in which workers are waited for. Many of them take longer than a server drains.
HOPELESS, MANY = {"width": 30, "height": 30, "colors": 4}, 30


def busy_server(*flags):
    return Server("--workers=1", "--drain-ms=60000", *NO_HURRY, *flags)


def begin(server, work, count, path="/regions"):
    """So many connections with a map under way or queued, all known to the server as accepted."""
    connections = [server.connect() for _ in range(count)]
    for seed, connection in enumerate(connections):
        connection.send(request("POST", path, work | {"seed": seed}))
    server.await_metric('mapwright_cache_claims_total{result="miss"}', count)
    return connections


def await_draining(connection):
    """Until readiness is denied. An answer under way as the signal came may still say 200, and close."""
    try:
        until(lambda: connection.ask("GET", "/readyz").status != 200, "readyz never says that it drains")
    except Gone:
        pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_idle_connections_do_not_hold_it_up(number):
    server = Server("--drain-ms=3600000", "--idle-ms=3600000", "--drain-delay-ms=200")
    idle = [server.connect() for _ in range(20)]
    for connection in idle[:10]:
        assert connection.ask("GET", "/healthz").status == 200
    server.process.send_signal(number)
    assert server.ended() == 0


def test_a_last_answer_on_each_connection(work):
    """What was accepted is made, one by one; what a balancer sends on connections that it has is answered, and closed:
    there is nothing to send again."""
    server = busy_server()
    open_before = [server.connect() for _ in range(3)]
    for connection in open_before:
        assert connection.ask("GET", "/readyz").status == 200
    connections = begin(server, work, 6)
    server.terminate()
    await_draining(open_before[0])
    ready = open_before[1].ask("GET", "/readyz")
    assert ready.status == 503 and int(ready.header("Retry-After")) > 0
    fresh = open_before[2].ask("POST", "/regions", {"seed": "new"})
    assert fresh.status == 200
    assert "close" in fresh.tokens("Connection"), "the client should look for another server"
    assert all(connection.reply("POST").status == 200 for connection in connections)
    assert server.ended() == 0


@pytest.mark.parametrize("suspended", [0, 2])
def test_slow_work_is_refused_while_draining(suspended):
    """What was not made in time is told that it drains; also if the server gets no time for longer than it had left."""
    server = Server("--workers=1", "--drain-ms=500", *NO_HURRY)
    watcher = server.connect()
    connections = begin(server, HOPELESS, MANY, "/puzzle/generate")
    server.terminate()
    await_draining(watcher)
    server.hold_up(suspended)
    late = [reply for reply in (connection.reply("POST") for connection in connections) if reply.status != 422]
    assert late
    for reply in late:
        reply.problem(503, "draining")
        assert int(reply.header("Retry-After")) > 0
    assert server.ended() == 0


def test_new_connections_are_not_taken(work):
    """Refused; or it was in the door, and has its one answer."""
    server = busy_server()
    watcher = server.connect()
    connections = begin(server, work, 5)
    server.terminate()
    await_draining(watcher)
    try:
        reply = server.post("/regions", {"seed": "late"})
        assert reply.status == 200 and "close" in reply.tokens("Connection")
    except (Gone, OSError):
        pass
    for connection in connections:
        assert connection.reply("POST").status in (200, 503)
    assert server.ended() == 0


def test_answers_under_way_arrive_whole():
    """A large answer, half taken when the signal comes."""
    server = busy_server()
    target = "/regions?width=1500&height=1500&seed=1"
    whole = server.get(target).body
    with server.connect() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        connection.send(request("GET", target))
        connection.more()
        server.terminate()
        assert connection.reply().body == whole
    assert server.ended() == 0


def test_requests_sent_with_the_signal_are_answered():
    """Sent in the moment of the signal: answered or refused, never reset half way."""
    server = busy_server()
    connections = [server.connect() for _ in range(40)]
    for connection in connections:
        connection.ask("GET", "/healthz")
    for i, connection in enumerate(connections):
        connection.send(request("POST", "/regions", {"seed": i, "width": 20}))
        if i == 20:
            server.terminate()
    answered = []
    for connection in connections:
        try:
            answered.append(connection.reply("POST").status)
        except (Gone, OSError):
            answered.append(None)
    assert None not in answered[:20], answered
    assert set(answered) <= {200, 503, None}
    assert server.ended() == 0


def test_drain_is_bounded():
    """A client that takes nothing, or work that never ends, does not hold the server for ever."""
    server = Server("--workers=1", "--drain-ms=300", "--send-ms=3600000", *NO_HURRY)
    target = "/regions?width=900&height=900&seed=1"
    server.get(target)
    with server.connect() as lazy:
        lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.send(request("GET", target) * 30)
        begun = begin(server, HOPELESS, MANY, "/puzzle/generate")
        server.terminate()
        assert server.ended() == 0
        [stop] = server.log_lines("stop")
        assert (stop["runs"], stop["requests"]) == (0, 1), "only the lazy client has no whole answer"
        assert len(begun) == MANY


def test_readiness_goes_first():
    """For --drain-delay-ms balancers read that it goes, while all is served as ever."""
    server = Server("--drain-delay-ms=3600000")
    with server.connect() as kept:
        assert kept.ask("GET", "/readyz").status == 200
        server.terminate()
        await_draining(kept)
        ready = server.get("/readyz")
        assert ready.json()["type"] == "/problems/draining" and ready.header("Retry-After") == "2"
        assert server.metric("mapwright_draining") == 1
        assert server.get("/healthz").status == 200
        for seed in range(3):
            assert server.post("/regions", {"seed": f"late {seed}"}).status == 200
            fresh = kept.ask("POST", "/islands", {"seed": f"late {seed}"})
            assert fresh.status == 200 and "close" not in fresh.tokens("Connection")
        assert server.process.poll() is None
        server.terminate()
        assert server.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_skips_the_delay(number):
    server = Server("--drain-delay-ms=3600000")
    server.terminate()
    with server.connect() as watcher:
        await_draining(watcher)
        server.process.send_signal(signal.SIGHUP)
        assert server.get("/regions").status == 200
    server.process.send_signal(number)
    assert server.ended() == 0


def test_clients_gone_half_way_do_not_hold_it_up():
    """They left amid header or body; nobody waits for the rest of it."""
    server = Server("--drain-ms=3600000", "--body-ms=3600000", "--header-ms=3600000")
    data = request("POST", "/regions", {"seed": 1})
    for length in list(range(1, len(data))) * 2:
        with server.connect() as connection:
            connection.send(data[:length])
    assert server.stop() == 0
