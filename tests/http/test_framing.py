"""Where one request ends and the next begins (RFC 9112), judged by the answers.

A marker request follows whatever is sent: it is answered exactly once if the stream is in step, and
not at all if the connection was closed with a refusal. Nothing else may happen. All rules of heads and
bodies have rows in tests/unit/srv/parse, and tests/fuzz/stream.c compares with another reader.
"""
import itertools
import os
import time

import pytest

from client import Gone, request
from server import PATIENCE, Server

GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
HEAD = b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /regions HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
numbers = itertools.count()


def answers(server, data, methods=("GET",) * 9, pause=None):
    """The replies to `data` and a marker, until the server hangs up; the marker's id.

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
            for method in methods:
                replies.append(connection.reply(method))
        except (Gone, OSError):
            pass
        assert connection.buffer == b"", "half an answer, or one too many"
    return replies, marker


def is_marker(reply, marker):
    return reply.header("X-Request-Id") == marker and reply.status == 200


def in_step(server, data, *statuses, methods=()):
    """Expects these statuses, then the answer to the marker."""
    replies, marker = answers(server, data, (*methods, *["GET"] * 9))
    assert [reply.status for reply in replies[:-1]] == list(statuses), replies
    assert is_marker(replies[-1], marker), replies


def refused(server, data, *statuses, methods=()):
    """Expects these statuses, the last one of a refusal, and nothing after it."""
    replies, marker = answers(server, data, (*methods, *["GET"] * 9))
    assert [reply.status for reply in replies] == list(statuses), replies
    assert not any(is_marker(reply, marker) for reply in replies)
    assert "close" in replies[-1].tokens("Connection"), "it is said that this was the last answer"


# ---- what libmicrohttpd and the service once read differently --------------------------------------------

HEALTH, REFUSED = (f"mapwright_requests_total{{{label}}}"
                   for label in ('route="/healthz"', 'status="400"'))


def test_nul_at_the_start_of_a_trailer():
    with Server() as server:
        refused(server, CHUNKED + b"!\r\n", 400)
        server.get("/healthz")
        server.await_count(HEALTH, 1)
        refused(server, CHUNKED + b"2\r\n{}\r\n0\r\n\0\r\n" + GET + b"X-Request-Id: smuggled\r\n\r\n", 400)
        server.await_count(REFUSED, 2)
        assert server.metric(HEALTH) == 1, "what is counted is answered"


@pytest.mark.parametrize("field, body", [
    (b"Transfer-Encoding: \t chunked\t ", b"2\r\n{}\r\n0\r\n\r\n"), (b"Transfer-Encoding:, ChunKed", b"2\r\n{}\r\n0\r\n\r\n"),
    (b"Content-Length:\t2\t", b"{}"), (b"Content-Length: 000000000000000000000000000002", b"{}")])
def test_spellings_of_the_framing(server, field, body):
    in_step(server, (POST + field + b"\r\n\r\n" + body) * 2, 200, 200)


def test_expect_without_a_body(server):
    replies, marker = answers(server, (GET + b"Expect: 100-continue\r\n\r\n") * 2)
    assert [reply.status for reply in replies] == [200] * 3 and is_marker(replies[-1], marker)
    assert not any(reply.interim for reply in replies), "there is nothing to go on with"


@pytest.mark.parametrize("chunks, good", [
    (b"2 \r\n{}\r\n0\r\n\r\n", False), (b"2 ;a=\"b;\\\"c\"\r\n{}\r\n0;x\r\n\r\n", True), (b"2;a\nb\r\n{}\r\n0\r\n\r\n", False),
    (b"2\n{}\n0\n\n", False), (b"2\r\n{}0\r\n\r\n", False), (b"10000000000000000\r\n{}\r\n0\r\n\r\n", False),
    (b"-1\r\n{}\r\n0\r\n\r\n", False), (b"0\r\nA : x\r\n\r\n", False), (b"0\r\nA: x\n\r\n", False),
    (b"0\r\nContent-Length: 5\r\nHost: y\r\nTransfer-Encoding: gzip\r\n\r\n", True),
    (b"0\r\n" + b"A: x\r\n" * 9000 + b"\r\n", False), (b"1;aaaaaaaaaa\r\n \r\n" * 900 + b"2\r\n{}\r\n0\r\n\r\n", False),
    (b"1;" + b"x" * 200 + b"\r\n \r\n" + b"1;a\r\n \r\n" * 900 + b"2\r\n{}\r\n0\r\n\r\n", True)])
def test_chunks(server, chunks, good):
    if good:
        in_step(server, CHUNKED + chunks, 200)
    else:
        refused(server, CHUNKED + chunks, 400)


@pytest.mark.parametrize("lines, good", [
    (b"\r\n" * 4, True), (b"\r\n" * 5, False), (b"\r\n" * 20000, False), (b"\n" * 20000, False), (b" \r\n", False)])
def test_empty_lines_before_a_request(server, lines, good):
    """A few are ignored before each request."""
    if good:
        in_step(server, (lines + GET + b"\r\n") * 5 + lines, *[200] * 5)
    else:
        refused(server, GET + b"\r\n" + lines, 200, 400)


# ---- heads -------------------------------------------------------------------------------------

@pytest.mark.parametrize("code", [*range(0x20), 0x7f])
def test_control_characters(server, code):
    """Allowed is a tab in a value."""
    c = bytes([code])
    if c == b"\t":
        in_step(server, GET + b"A: a\tb\r\n\r\n", 200)
    else:
        refused(server, GET + b"A: a" + c + b"b\r\n\r\n", 400)
    refused(server, b"GET /health" + c + b"z HTTP/1.1\r\nHost: x\r\n\r\n", 400)
    refused(server, b"GE" + c + b"T /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400)
    refused(server, GET + b"A" + c + b"B: x\r\n\r\n", 400)


@pytest.mark.parametrize("field, status", [
    (b"Content-Length: 2, 2", 400), (b"Content-Length: +2", 400), (b"Content-Length: 2 2", 400),
    (b"Content-Length: 2\r\nContent-Length: 2", 400), (b"Content-Length: 2\r\ncontent-length: 3", 400),
    (b"Content-Length: 18446744073709551618", 413),
    (b"Content-Length: 2\r\nTransfer-Encoding: chunked", 400),
    (b"Transfer-Encoding: chunked\r\nContent-Length: 2", 400),
    (b"Transfer-Encoding: x", 400), (b"Transfer-Encoding: chunked, gzip", 400), (b"Transfer-Encoding: chunked, chunked", 400),
    (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400), (b'Transfer-Encoding: "chunked"', 400),
    (b"Transfer-Encoding: gzip, chunked", 501), (b"Transfer-Encoding: x\r\nTransfer-Encoding: chunked", 501)])
def test_ways_to_announce_a_body(server, field, status):
    """One way, or none: whatever others would make of it, nothing after it is taken for a request."""
    refused(server, POST + field + b"\r\n\r\n2\r\n{}\r\n0\r\n\r\n", status)


@pytest.mark.parametrize("line, status, closes", [
    (b"GET HTTPS://x:1/healthz?a", 200, False), (b"GET http://x?a", 200, False), (b"OPTIONS *", 204, False),
    (b"OPTIONS http://x", 204, False), (b"get /regions", 405, False), (b"A" * 40 + b" /regions", 405, False),
    (b"GET ftp://x/healthz", 400, True), (b"GET http://:80/healthz", 400, True), (b"GET http://u@x/healthz", 400, True),
    (b"GET healthz", 400, True), (b"POST *", 400, True), (b"CONNECT x", 400, True), (b"CONNECT x:80", 405, True),
    (b"HEAD /nowhere#x", 400, True), (b"GET http://x#y", 400, True), (b"GET  /", 400, True), (b"GET / ", 400, True)])
def test_targets(server, line, status, closes):
    method = line.split()[0].decode()
    (refused if closes else in_step)(server, line + b" HTTP/1.1\r\nHost: y\r\n\r\n", status, methods=(method,))


def test_a_fragment_is_refused_with_advice(server):
    refusal = server.get("/regions?count=1&mask=.#")
    assert refusal.status == 400 and "# in a value is written %23" in refusal.json()["detail"]
    assert server.get("/regions?count=1&mask=.%23").status == 200


def test_the_authority_of_the_address_replaces_host(server):
    """RFC 9112, 3.2.2. The help has the host of the request."""
    replies, _ = answers(server, b"GET http://right:1 HTTP/1.1\r\nHost: other:2\r\n\r\n")
    assert b"right:1/" in replies[0].body and b"other:2" not in replies[0].body
    refused(server, b"GET http://x/healthz HTTP/1.1\r\n\r\n", 400)


@pytest.mark.parametrize("method", ["DELETE", "FROB", "PUT", "TRACE", "OPTIONS", "GET", "HEAD"])
def test_bodies_of_other_methods_are_skipped(server, method):
    """Also if they look like a request."""
    head = f"{method} /healthz HTTP/1.1\r\nHost: x\r\n".encode()
    inner = GET + b"X-Request-Id: inner\r\n\r\n"
    length, size = b"%d" % len(inner), b"%x" % len(inner)
    status = {"OPTIONS": 204, "GET": 200, "HEAD": 200}.get(method, 405)
    in_step(server, head + b"Content-Length: " + length + b"\r\n\r\n" + inner + head +
            b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + inner + b"\r\n0\r\n\r\n",
            status, status, methods=(method, method))


# ---- answers -----------------------------------------------------------------------------------

@pytest.mark.parametrize("data, status", [
    (HEAD + b": x\r\n\r\n", 400), (HEAD + b"Host: y\r\n\r\n", 400), (b"\r\n\r\n" + HEAD + b"A\r\n", 400),
    (b"HEAD /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
    (HEAD + b"A: " + b"x" * 20000 + b"\r\n\r\n", 431), (b"HEAD /nowhere HTTP/9.9\r\n\r\n", 505),
    (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
    (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400), (HEAD + b"A: b\n\r\n", 400)])
def test_refusals_of_head_have_no_body(server, data, status):
    refused(server, GET + b"\r\n" + data, 200, status, methods=("GET", "HEAD"))


@pytest.mark.parametrize("data, status", [
    (GET + b"Connection: close\r\n\r\n", 200), (GET + b"Connection: x, Close ,y\r\n\r\n", 200),
    (GET + b"Connection: x\r\nConnection: close\r\n\r\n", 200),
    (b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
    (b"GET /healthz HTTP/1.0\r\n\r\n", 200), (b"GET /healthz HTTP/1.0\r\nConnection: x\r\n\r\n", 200),
    (POST + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}", 200),
    (POST + b"Content-Length: 99999999\r\n\r\n", 413),
    (POST + b"Expect: 100-continue\r\nContent-Length: 9999999\r\n\r\n", 413)])
@pytest.mark.parametrize("pause", [False, True])
def test_nothing_is_answered_after_close(server, data, status, pause):
    """Whether client or server closes, and whether the next request has arrived or not."""
    replies, _ = answers(server, data + GET + b"\r\n", pause=len(data) if pause else None)
    assert [reply.status for reply in replies] == [status]
    assert "close" in replies[0].tokens("Connection")


@pytest.mark.parametrize("data", [
    POST + b"Connection: close\r\nContent-Length: 12\r\n\r\n" + b'{"count": 3}',
    POST.replace(b"1.1", b"1.0") + b"Content-Length: 12\r\n\r\n" + b'{"count": 3}',
    POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n"
    + b'{"count": 3}' + b"\r\n0\r\n\r\n"])
def test_a_body_may_come_long_after_its_head(server, data):
    """In three pieces with pauses, also if the connection ends with this request."""
    cuts = [0, data.index(b"\r\n\r\n") + 4, len(data) - 3, len(data)]
    with server.connect() as connection:
        for start, end in zip(cuts, cuts[1:]):
            connection.send(data[start:end])
            time.sleep(0.05)
        reply = connection.reply("POST")
        assert reply.status == 200 and len(reply.json()["result"]["regions"]) == 3


def test_http_1_0_may_keep_the_connection(server):
    head = b"GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"
    replies, marker = answers(server, head * 2)
    assert [reply.status for reply in replies] == [200] * 3 and is_marker(replies[2], marker)


def test_100_continue_comes_in_order(server):
    """After earlier answers, once for each body that has not arrived, and only for HTTP/1.1."""
    wants = b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    with server.connect() as connection:
        connection.send(request("GET", "/regions?width=200&height=200&seed=turn") + POST + wants)
        assert connection.reply().interim == []
        assert connection._until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue"
        connection.send(b"{}" + GET + b"\r\n")
        replies = [connection.reply("POST"), connection.reply()]
        assert [reply.status for reply in replies] == [200, 200]
        assert not any(reply.interim for reply in replies)
        connection.send(POST.replace(b"1.1", b"1.0") + wants + b"{}")
        assert connection.reply("POST").interim == []


def test_many_in_one_piece(server):
    """Thousands, small and large, sent without waiting for one answer."""
    large = request("POST", "/regions", {"seed": 1, "width": 9, "x": "y"}) + request(
        "POST", "/regions", b'{"seed":1,"width":9}' + b" " * 100000, {"Content-Type": "a/json"})
    with server.connect() as connection:
        data = b"".join(request("GET", "/healthz", None, {"X-Request-Id": f"m{i}"}) +
                        (large if i % 100 == 0 else b"") for i in range(2000))
        connection.socket.setblocking(False)
        sent, got = 0, 0
        end = time.monotonic() + PATIENCE
        while sent < len(data):
            assert time.monotonic() < end
            try:
                sent += connection.socket.send(data[sent:sent + 100000])
            except BlockingIOError:
                time.sleep(0.001)
            try:
                connection.more()
            except BlockingIOError:
                pass
        connection.socket.settimeout(PATIENCE)
        for i in range(2000):
            assert connection.reply().header("X-Request-Id") == f"m{i}"
            if i % 100 == 0:
                assert connection.reply("POST").status == 400 and connection.reply("POST").status == 415


def test_a_refused_client_gets_its_answer(server):
    """Though it goes on sending for a while: no reset discards the answer."""
    for start in (GET + b"A\r\n", POST + b"Content-Length: 99999999\r\n\r\n", CHUNKED + b"zz\r\n"):
        with server.connect() as connection:
            connection.send(start)
            for _ in range(50):
                connection.send(b"x" * 20000)
                time.sleep(0.002)
            assert connection.reply("POST").status in (400, 413)


def test_refused_connections_are_closed_in_the_end(server):
    def sockets():
        folder, found = f"/proc/{server.process.pid}/fd", 0
        for fd in os.listdir(folder):
            try:
                found += os.readlink(f"{folder}/{fd}").startswith("socket:")
            except FileNotFoundError:  # closed since it was listed
                pass
        return found

    server.get("/healthz")
    before, clients = sockets(), [server.connect() for _ in range(40)]
    for client in clients:
        client.send(b"no http\r\n" + b"x" * 1000)
        assert client.reply().status == 400
    end = time.monotonic() + PATIENCE
    while sockets() > before + 3:
        assert time.monotonic() < end, "they stay for ever"
        time.sleep(0.1)
