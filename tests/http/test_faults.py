"""What the machine does not give: memory, descriptors, a disk for the log, clocks that go on.

MAPWRIGHT_FAULTS=1 lets every request for memory fail in turn, else some of them do (`make faults`).
"""
import errno
import json
import mmap
import os
import resource
import struct
import subprocess
import tempfile
import time

import pytest

from client import Connection, Gone, request
from server import NO_HURRY, PATIENCE, ROOT, Server, free_port, until

STRIDE = 1 if os.environ.get("MAPWRIGHT_FAULTS") else 13
HOURS = 5 * 3600


class Shim:
    """Loaded into servers begun with its `environment`; steers them."""

    FIELDS = ["fail", "accepting", "accepts", "realtime", "monotonic", "endless", "hung"]

    def __init__(self, folder):
        library = f"{folder}/shim.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, f"{ROOT}/tests/http/shim.c"],
                       check=True)
        with open(f"{folder}/control", "w+b") as file:
            file.write(bytes(4096))
            file.flush()
            self.memory = mmap.mmap(file.fileno(), 4096)
        self.environment = {
            "LD_PRELOAD": library, "MAPWRIGHT_SHIM": f"{folder}/control",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")
            + ":verify_asan_link_order=0:allocator_may_return_null=1"}

    def __getattr__(self, name):
        return struct.unpack_from("q", self.memory, 8 * self.FIELDS.index(name))[0]

    def set(self, **values):
        for name, value in values.items():
            struct.pack_into("q", self.memory, 8 * self.FIELDS.index(name), value)


@pytest.fixture
def shim():
    with tempfile.TemporaryDirectory() as folder:
        yield Shim(folder)


# ---- memory ------------------------------------------------------------------------------------

def mix(seed):
    """Requests of all kinds: (bytes, method, the status that is due)."""
    body = {"seed": seed, "width": 30, "mask": ["#" * 30] * 30}
    mask = json.dumps({"seed": seed, "mask": ["#." * 60] * 120})
    chunked = (b"POST /regions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
               b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
    get = f"/regions?width=20&height=20&seed={seed}"
    coded = {"Accept-Encoding": "gzip"}
    twice = {"Accept": ["text/plain;q=0.1", "application/json"], "If-None-Match": ['"a"', '"b"']}
    return [
        (request("GET", get), "GET", 200), (request("GET", get), "GET", 200),
        (request("GET", get, None, coded), "GET", 200), (request("GET", get, None, twice), "GET", 200),
        (request("HEAD", get), "HEAD", 200), (request("POST", "/areas", body), "POST", 200),
        (request("GET", f"/islands.png?seed={seed}"), "GET", 200),
        (request("GET", "/regions?width=9"), "GET", 200), (chunked, "POST", 200),
        (request("POST", "/regions", mask), "POST", 422),
        (request("POST", "/regions", '{"width": 0, "height": "x", "n": [1, 2]}', {}), "POST", 400),
        (request("POST", "/regions", "{" + " " * 70000), "POST", 400),
        (request("POST", "/regions", None, {"Content-Length": "99999999"}), "POST", 413),
        (request("GET", f"/nowhere/{seed}"), "GET", 404), (request("DELETE", "/regions"), "DELETE", 405),
        (request("OPTIONS", "/regions"), "OPTIONS", 204), (request("GET", "/metrics"), "GET", 200),
        (request("GET", "/", None, {"Accept": "text/html"}), "GET", 200),
        (request("GET", "/problems"), "GET", 200), (request("GET", "/version"), "GET", 200),
        (b"GET / HTTP/7.0\r\n\r\n", "GET", 505), (b"GET /" + b"x" * 9000, "GET", 414),
    ]


def attempt(server, data, method, due):
    """It is answered as it should be, or told that the server cannot, or closed. The body if good."""
    try:
        with server.connect() as connection:
            connection.send(data)
            reply = connection.reply(method)
            assert reply.status in (due, 503), f"{data[:200]}: {reply} instead of {due}"
            return reply.body if reply.status == due else None
    except (Gone, ConnectionError, BrokenPipeError):
        return None


def warm(server):
    """All its threads have begun: what a sanitizer asks for at their beginning must not fail."""
    assert server.get("/healthz").status == 200 and server.get("/regions?seed=warm").status == 200


def test_memory_fails_in_turn(shim):
    """Each request for memory fails once: nobody gets a wrong answer, and the server goes on."""
    with Server("--workers=1", "--threads=1", *NO_HURRY, environment=shim.environment) as server:
        warm(server)
        n, step = 1, 0
        while True:
            step += 1
            shim.set(fail=n)
            got = [attempt(server, *each) for each in mix(step)]
            failed = not shim.fail
            shim.set(fail=0)
            again = attempt(server, *mix(step)[0])
            assert again and server.get("/healthz").status == 200, f"after request {n} for memory"
            assert got[0] in (None, again) and got[1] in (None, again)
            if not failed:
                break
            n += STRIDE
        assert n > 100, "memory was asked for"


# ---- descriptors -------------------------------------------------------------------------------

def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def test_descriptors_run_out():
    """200 clients for 64 descriptors: the admin port answers, and it recovers."""
    admin = free_port()
    with Server(f"--admin-port={admin}", preexec_fn=few_descriptors) as server:
        server.await_port(admin)
        clients = [server.connect() for _ in range(200)]
        with Connection(admin, PATIENCE) as connection:
            assert connection.ask("GET", "/healthz").status == 200
        for client in clients:
            client.close()
        assert server.get("/healthz").status == 200


def test_no_connection_can_be_accepted(shim):
    """The whole machine is out of descriptors: asked now and then, not without pause."""
    with Server("--threads=1", environment=shim.environment) as server:
        for reason in (errno.ENFILE, errno.ENOMEM):
            shim.set(accepting=reason)
            with server.connect() as connection:
                connection.send(request("GET", "/healthz"))
                began, before = time.monotonic(), shim.accepts
                time.sleep(0.7)
                tried = shim.accepts - before + 1
                assert 0 < tried < 33 * (time.monotonic() - began) + 1, tried
                shim.set(accepting=0)
                assert connection.reply().status == 200


# ---- the log -----------------------------------------------------------------------------------

@pytest.mark.parametrize("pipe", [True, False], ids=["nobody reads it", "its disk is full"])
def test_a_log_that_takes_no_more(pipe):
    """Lines are lost, and counted: more than a buffer and a pipe hold."""
    reading, writing = os.pipe() if pipe else (None, os.open("/dev/full", os.O_WRONLY))
    with Server(stdout=writing) as server, server.connect() as connection:
        for i in range(600):
            assert connection.ask("GET", f"/nowhere/{'x' * 300}?{i}").status == 404
        server.await_metric("mapwright_log_lines_lost_total", 1 if pipe else 600)
        os.close(writing)
        if pipe:
            os.close(reading)


def test_streams_that_are_closed():
    """Nothing that the server opens takes their places, where the log would be written into it."""
    with Server(preexec_fn=lambda: os.closerange(0, 3)) as server:
        assert server.get("/version").status == 200
        for fd in range(3):
            assert os.readlink(f"/proc/{server.process.pid}/fd/{fd}") == "/dev/null"


# ---- clocks ------------------------------------------------------------------------------------

def test_the_time_of_day_jumps(shim):
    """Dates follow it; no limit of time does."""
    work = request("POST", "/regions", {"width": 1000, "height": 1000, "count": 300, "seed": 1})
    with Server("--header-ms=60000", environment=shim.environment) as server:
        for seconds in (HOURS, -HOURS, 0, 40 * 365 * 86400):
            with server.connect() as connection, server.connect() as slow:
                slow.send(b"GET /healthz HTTP/1.1\r\nHost:")
                connection.send(work)
                shim.set(realtime=seconds)
                assert connection.reply("POST").status == 200
                slow.send(b" x\r\n\r\n")
                reply = slow.reply()
                assert reply.status == 200
        assert int(reply.header("Date").split()[3]) >= 2060


def test_the_clock_jumps_ahead(shim):
    """What was under way is late all at once; each is told or closed, and the next is served."""
    huge = {"width": 4096, "height": 4096, "count": 20000}
    limits = ["--wait-ms=60000", "--header-ms=3000", "--body-ms=3000"]
    with Server("--workers=1", *limits, environment=shim.environment) as server:
        for turn in range(1, 4):
            late = [server.connect() for _ in range(6)]
            for i, connection in enumerate(late[:3]):
                connection.send(request("POST", "/regions", huge | {"seed": 10 * turn + i}))
            late[3].send(b"GET / HTTP/1.1\r\nHost:")
            late[4].send(b"POST /regions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
            server.await_metric("mapwright_workers_busy", 1)
            shim.set(monotonic=turn * HOURS)
            statuses = {connection.reply("POST").status for connection in late[:3]}
            assert statuses & {503, 504} and statuses <= {200, 503, 504}
            for connection in late[3:]:
                connection.at_end()
            assert server.get(f"/regions?seed={turn}").status == 200


# ---- a worker that does not end ----------------------------------------------------------------

@pytest.mark.parametrize("stays", [True, False])
def test_a_thread_that_hangs_does_not_hold_up_the_end(shim, stays):
    """Whether its client is there or not. The log and the exit status say that something was left."""
    server = Server("--workers=2", "--drain-ms=500", *NO_HURRY, environment=shim.environment)
    shim.set(endless=1)
    with server.connect() as connection:
        connection.send(request("GET", "/regions?width=60&height=40&seed=hung", None, {"Accept-Encoding": "gzip"}))
        until(lambda: shim.hung, "a worker is at it")
        if not stays:
            connection.close()
        server.terminate()
        assert server.ended(due=3) == 3
    assert b"a worker has not ended" in server.said(server.errors)
    [stop] = server.log_lines("stop")
    assert (stop["runs"], stop["requests"]) == (1, int(stays))
