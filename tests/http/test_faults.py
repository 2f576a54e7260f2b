"""What the machine does not give: memory, descriptors, a disk for the log, clocks that go on.

MAPWRIGHT_FAULTS=1 lets every request for memory fail in turn, else some of them do (`make faults`).
"""
import json
import mmap
import os
import resource
import signal
import struct
import subprocess
import tempfile
import threading
import time

import pytest

from client import Connection, Gone, request
from server import BINARY, NO_HURRY, PATIENCE, ROOT, SANITIZER, Server, free_port, until

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


def test_memory_fails_while_it_drains(shim):
    for n in range(1, 40, max(1, STRIDE // 2)):
        with Server("--workers=1", "--threads=1", environment=shim.environment) as server:
            warm(server)
            with server.connect() as connection:
                connection.send(request("GET", f"/regions?width=300&height=300&seed={n}"))
                shim.set(fail=n)
                server.terminate()
                try:
                    assert connection.reply().status in (200, 503)
                except Gone:
                    pass
                assert server.ended() == 0
                shim.set(fail=0)


def test_memory_fails_at_the_start(shim):
    """It serves, or it says why not and ends."""
    n, served = 1, False
    while not served:
        shim.set(fail=n)
        port = free_port()
        with tempfile.TemporaryFile("a+b") as errors:
            process = subprocess.Popen([BINARY, f"--port={port}", "--workers=1", "--threads=1"],
                                       env=os.environ | shim.environment, stderr=errors,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            served = until_served(process, port) and shim.fail > 0
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)
            errors.seek(0)
            said = errors.read()
        assert code in (0, 1) and said and not SANITIZER.search(said), f"request {n}: {said!r}"
        assert code == 0 or b"mapwrightd: " in said
        n += STRIDE * 3
    shim.set(fail=0)
    assert n > 100


def until_served(process, port):
    while process.poll() is None:
        try:
            Connection(port).close()
            return True
        except OSError:
            time.sleep(0.002)
    return False


# ---- descriptors -------------------------------------------------------------------------------

def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def cpu(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask_admin(port):
    with Connection(port, PATIENCE) as connection:
        return connection.ask("GET", "/healthz").status


def test_descriptors_run_out():
    """200 clients for 64 descriptors: the admin port answers, nothing spins, and it recovers."""
    admin = free_port()
    with Server(f"--admin-port={admin}", preexec_fn=few_descriptors) as server:
        server.await_port(admin)
        clients = [server.connect() for _ in range(200)]
        time.sleep(0.5)
        before, start = cpu(server), time.monotonic()
        for _ in range(10):
            assert ask_admin(admin) == 200
            time.sleep(0.1)
        spent = (cpu(server) - before) / (time.monotonic() - start)
        assert spent < 0.5, f"it is busy with nothing: {spent:.2f} of a core"
        for client in clients:
            client.close()
        assert server.get("/healthz").status == 200


def test_no_connection_can_be_accepted(shim):
    """The whole machine is out of descriptors: asked now and then, not without pause."""
    with Server("--threads=1", environment=shim.environment) as server:
        for reason in (23, 24, 12, 105):  # ENFILE, EMFILE, ENOMEM, ENOBUFS
            shim.set(accepting=reason)
            with server.connect() as connection:
                connection.send(request("GET", "/healthz"))
                began, before = time.monotonic(), shim.accepts
                time.sleep(1.5)
                tried = shim.accepts - before + 1
                assert 0 < tried < 33 * (time.monotonic() - began), tried
                shim.set(accepting=0)
                assert connection.reply().status == 200


# ---- the log -----------------------------------------------------------------------------------

def ask_often(server, count=600):
    """More lines than a buffer and a pipe hold, asked for in time."""
    with server.connect() as connection:
        for i in range(count):
            assert connection.ask("GET", f"/nowhere/{'x' * 300}?{i}").status == 404


def test_the_disk_under_the_log_is_full():
    with open("/dev/full", "wb") as full, Server(stdout=full) as server:
        ask_often(server)
        server.await_metric("mapwright_log_lines_lost_total", 600)


def test_nobody_reads_the_log():
    reading, writing = os.pipe()
    with Server(stdout=writing) as server:
        ask_often(server)
        server.await_metric("mapwright_log_lines_lost_total", 1)
        os.close(writing)
        threading.Thread(target=lambda: os.read(reading, 1 << 20), daemon=True).start()
    os.close(reading)


def test_the_reader_of_the_log_is_gone():
    reading, writing = os.pipe()
    os.close(reading)
    with Server(stdout=writing) as server:
        os.close(writing)
        ask_often(server)
        server.await_metric("mapwright_log_lines_lost_total", 600)


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

END = 60  # seconds; a worker that holds up the end does so for ever
PACKED = request("GET", "/regions?width=60&height=40&count=9&seed=hung", None, {"Accept-Encoding": "gzip"})


def hang(server, shim):
    """A connection whose request keeps a worker for ever."""
    shim.set(endless=1)
    connection = server.connect()
    connection.send(PACKED)
    until(lambda: shim.hung, "a worker is at it")
    return connection


def judge_end(server, requests):
    """The log and the exit status say that something was left."""
    server.process.wait(END)
    assert server.ended(due=3) == 3
    assert b"a worker has not ended" in server.said(server.errors)
    [stop] = server.log_lines("stop")
    assert (stop["runs"], stop["requests"]) == (1, requests)


def test_a_thread_that_hangs_does_not_hold_up_the_end(shim):
    server = Server("--workers=2", "--drain-ms=500", *NO_HURRY, environment=shim.environment)
    connection = hang(server, shim)
    server.terminate()
    judge_end(server, 1)
    with pytest.raises((Gone, ConnectionError)):
        connection.reply()


def test_a_run_without_a_client_does_not_hold_up_the_end(shim):
    server = Server("--workers=2", "--drain-ms=500", *NO_HURRY, environment=shim.environment)
    hang(server, shim).close()
    server.terminate()
    judge_end(server, 0)
