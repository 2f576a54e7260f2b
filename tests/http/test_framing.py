"""Where one request ends and the next begins (RFC 9112), judged by the answers.

A marker request follows whatever is sent: it is answered exactly once if the stream is in step, and not at all if the
connection was closed with a refusal. Nothing else may happen. All rules of heads and bodies have rows in
tests/unit/srv/parse, and tests/fuzz/stream.c compares with another reader: here are a few of each kind.
"""
import itertools
import os
import time

import pytest

from client import Gone, request
from server import PATIENCE, Server, until

GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
HEAD = b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /regions HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GOOD = CHUNKED + b"2\r\n{}\r\n0\r\n\r\n"
numbers = itertools.count()


def answers(server, data, methods=(), pause=None):
    """The replies to `data` and a marker, until the server hangs up; whether the last is the marker's.

    `pause` sends the bytes up to there first, and waits a while.
    """
    marker = f"marker-{next(numbers)}"
    data += request("GET", "/healthz", None, {"X-Request-Id": marker, "Connection": "close"})
    replies = []
    with server.connect() as connection:
        if pause is not None:
            connection.send(data[:pause])
            time.sleep(0.02)
        try:
            connection.send(data[pause or 0:])
            for method in (*methods, *["GET"] * 9):
                replies.append(connection.reply(method))
        except (Gone, OSError):
            pass
        assert connection.buffer == b"", "half an answer, or one too many"
    found = [reply.header("X-Request-Id") == marker and reply.status == 200 for reply in replies]
    assert not any(found[:-1])
    return replies, found[-1]


def in_step(server, data, *statuses, methods=()):
    """Expects these statuses, then the answer to the marker."""
    replies, marked = answers(server, data, methods)
    assert marked and [reply.status for reply in replies[:-1]] == list(statuses), replies
    return replies


def refused(server, data, *statuses, methods=(), pause=None):
    """Expects these statuses, the last one of a refusal or a last request, and nothing after it."""
    replies, marked = answers(server, data, methods, pause)
    assert not marked and [reply.status for reply in replies] == list(statuses), replies
    assert "close" in replies[-1].tokens("Connection"), "it is said that this was the last answer"


@pytest.mark.parametrize("data, statuses", [
    (GOOD * 2, [200, 200]), (POST + b"Transfer-Encoding:, ChunKed\r\n\r\n2\r\n{}\r\n0\r\n\r\n", [200]),
    (POST + b"Content-Length: 000000000000000000000000000002\r\n\r\n{}", [200]),
    (CHUNKED + b"2 ;a=\"b;\\\"c\"\r\n{}\r\n0;x\r\n\r\n", [200]),
    (CHUNKED + b"0\r\nContent-Length: 5\r\nHost: y\r\nTransfer-Encoding: gzip\r\n\r\n", [200]),
    (CHUNKED + b"1;" + b"x" * 200 + b"\r\n \r\n" + b"1;a\r\n \r\n" * 900 + b"2\r\n{}\r\n0\r\n\r\n", [200]),
    ((b"\r\n" * 4 + GET + b"\r\n") * 5 + b"\r\n" * 4, [200] * 5), (GET + b"A: a\tb\r\n\r\n", [200]),
    (b"GET HTTPS://x:1/healthz?a HTTP/1.1\r\nHost: y\r\n\r\n", [200]),
    (b"get /regions HTTP/1.1\r\nHost: y\r\n\r\n", [405]),
    (b"GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n" * 2, [200, 200])])
def test_streams_in_step(server, data, statuses):
    in_step(server, data, *statuses)


@pytest.mark.parametrize("data, status", [
    *((GOOD.replace(b"Transfer-Encoding: chunked", field), status) for field, status in (
        (b"Content-Length: 2, 2", 400), (b"Content-Length: +2", 400), (b"Content-Length: 2\r\nContent-Length: 2", 400),
        (b"Content-Length: 18446744073709551618", 413), (b"Content-Length: 2\r\nTransfer-Encoding: chunked", 400),
        (b"Transfer-Encoding: chunked\r\nContent-Length: 2", 400), (b"Transfer-Encoding: chunked, gzip", 400),
        (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400), (b'Transfer-Encoding: "chunked"', 400),
        (b"Transfer-Encoding: gzip, chunked", 501), (b"Transfer-Encoding: x\r\nTransfer-Encoding: chunked", 501))),
    *((CHUNKED + chunks, 400) for chunks in (
        b"2\n{}\n0\n\n", b"2\r\n{}0\r\n\r\n", b"10000000000000000\r\n{}\r\n0\r\n\r\n", b"-1\r\n{}\r\n0\r\n\r\n",
        b"0\r\nA : x\r\n\r\n", b"2\r\n{}\r\n0\r\n\0\r\n", b"0\r\n" + b"A: x\r\n" * 9000 + b"\r\n",
        b"1;aaaaaaaaaa\r\n \r\n" * 900 + b"2\r\n{}\r\n0\r\n\r\n")),
    *((line + b" HTTP/1.1\r\nHost: y\r\n\r\n", status) for line, status in (
        (b"GET ftp://x/healthz", 400), (b"GET http://u@x/healthz", 400), (b"POST *", 400), (b"CONNECT x:80", 405),
        (b"GET  /", 400), (b"GET /nowhere#x", 400), (b"GET /a\x00b", 400), (b"GE\x01T /", 400))),
    *((GET + b"A: a" + bytes([code]) + b"b\r\n\r\n", 400) for code in (0, 1, 10, 11, 13, 31, 127)),
    (b"\r\n" * 5, 400), (b"\n" * 20000, 400), (b"GET http://x/healthz HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/7.0\r\n\r\n", 505)])
def test_smuggling_is_refused(server, data, status):
    """Whatever others would make of it: earlier requests are answered, and nothing after it is taken for a request."""
    slow = request("GET", "/regions?width=300&height=300&seed=before")
    refused(server, slow * 2 + data, 200, 200, status)


def test_a_fragment_is_refused_with_advice(server):
    assert "# in a value is written %23" in server.get("/regions?count=1&mask=.#").problem(400, "invalid-request")


def test_the_authority_of_the_address_replaces_host(server):
    """RFC 9112, 3.2.2. The help has the host of the request."""
    replies = in_step(server, b"GET http://right:1 HTTP/1.1\r\nHost: other:2\r\n\r\n", 200)
    assert b"right:1/" in replies[0].body and b"other:2" not in replies[0].body


@pytest.mark.parametrize("method", ["DELETE", "FROB", "OPTIONS", "GET", "HEAD"])
def test_bodies_of_other_methods_are_skipped(server, method):
    """Also if they look like a request."""
    head = f"{method} /healthz HTTP/1.1\r\nHost: x\r\n".encode()
    inner = GET + b"X-Request-Id: inner\r\n\r\n"
    length, size = b"%d" % len(inner), b"%x" % len(inner)
    status = {"OPTIONS": 204, "GET": 200, "HEAD": 200}.get(method, 405)
    in_step(server, head + b"Content-Length: " + length + b"\r\n\r\n" + inner + head +
            b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + inner + b"\r\n0\r\n\r\n",
            status, status, methods=(method, method))


@pytest.mark.parametrize("data, status", [
    (HEAD + b": x\r\n\r\n", 400), (b"\r\n\r\n" + HEAD + b"A\r\n", 400),
    (b"HEAD /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
    (HEAD + b"A: " + b"x" * 20000 + b"\r\n\r\n", 431), (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400)])
def test_refusals_of_head_have_no_body(server, data, status):
    refused(server, GET + b"\r\n" + data, 200, status, methods=("GET", "HEAD"))


@pytest.mark.parametrize("data, status", [
    (GET + b"Connection: x, Close ,y\r\n\r\n", 200),
    (b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
    (b"GET /healthz HTTP/1.0\r\n\r\n", 200), (POST + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}", 200),
    (POST + b"Content-Length: 99999999\r\n\r\n", 413),
    (POST + b"Expect: 100-continue\r\nContent-Length: 9999999\r\n\r\n", 413)])
@pytest.mark.parametrize("pause", [False, True])
def test_nothing_is_answered_after_close(server, data, status, pause):
    """Whether client or server closes, and whether the next request has arrived or not."""
    refused(server, data + GET + b"\r\n", status, pause=len(data) if pause else None)


def test_what_is_counted_is_answered():
    with Server() as server:
        refused(server, CHUNKED + b"2\r\n{}\r\n0\r\n\0\r\n" + GET + b"X-Request-Id: smuggled\r\n\r\n", 400)
        server.get("/healthz")
        server.await_count('mapwright_requests_total{status="400"}', 1)
        server.await_count('mapwright_requests_total{route="/healthz"}', 1)


@pytest.mark.parametrize("data", [
    POST.replace(b"1.1", b"1.0") + b"Content-Length: 12\r\n\r\n" + b'{"count": 3}',
    POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n" + b'{"count": 3}' + b"\r\n0\r\n\r\n"])
def test_a_body_may_come_long_after_its_head(server, data):
    """Byte by byte, also if the connection ends with this request."""
    with server.connect() as connection:
        for byte in data[:-3]:
            connection.send(bytes([byte]))
        time.sleep(0.05)
        connection.send(data[-3:])
        assert len(connection.reply("POST").json()["result"]["regions"]) == 3


def test_100_continue_comes_in_order(server):
    """After earlier answers, once for each body that has not arrived, and only for HTTP/1.1."""
    wants = b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    with server.connect() as connection:
        connection.send(request("GET", "/regions?width=200&height=200&seed=turn") + POST + wants)
        assert connection.reply().interim == []
        assert connection._until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue"
        connection.send(b"{}" + GET + b"Expect: 100-continue\r\n\r\n" + POST.replace(b"1.1", b"1.0") + wants + b"{}")
        replies = [connection.reply("POST"), connection.reply(), connection.reply("POST")]
        assert [(reply.status, reply.interim) for reply in replies] == [(200, [])] * 3


def test_many_in_one_piece(server):
    """Thousands, small and large, sent without waiting for one answer."""
    large = request("POST", "/regions", b'{"seed":1,"width":9}' + b" " * 100000, {"Content-Type": "a/json"})
    data = b"".join(request("GET", "/healthz", None, {"X-Request-Id": f"m{i}"}) + large * (i % 100 == 0)
                    for i in range(2000))
    with server.connect() as connection:
        connection.socket.setblocking(False)
        sent, end = 0, time.monotonic() + PATIENCE
        while sent < len(data):
            assert time.monotonic() < end
            for step in (lambda: connection.socket.send(data[sent:sent + 100000]), connection.more):
                try:
                    sent += step() or 0
                except BlockingIOError:
                    time.sleep(0.001)
        connection.socket.settimeout(PATIENCE)
        for i in range(2000):
            assert connection.reply().header("X-Request-Id") == f"m{i}"
            assert i % 100 or connection.reply("POST").status == 415


def test_a_refused_client_gets_its_answer(server):
    """Though it goes on sending for a while: no reset discards the answer. In the end it is cut."""
    def sockets():
        folder, found = f"/proc/{server.process.pid}/fd", 0
        for fd in os.listdir(folder):
            try:
                found += os.readlink(f"{folder}/{fd}").startswith("socket:")
            except FileNotFoundError:  # closed since it was listed
                pass
        return found

    server.get("/healthz")
    before = sockets()
    clients = [server.connect() for _ in range(12)]
    for client, start in zip(clients, [GET + b"A\r\n", POST + b"Content-Length: 99999999\r\n\r\n",
                                       CHUNKED + b"zz\r\n"] * 4):
        client.send(start)
        for _ in range(30):
            client.send(b"x" * 20000)
        assert client.reply("POST").status in (400, 413)
    with pytest.raises(OSError):
        for _ in range(100000):
            clients[0].send(b"x" * 100000)
    until(lambda: sockets() <= before + 3, "they stay for ever")
