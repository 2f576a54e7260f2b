"""One bad map costs one request: worker processes, and a generator that crashes, hangs and calls the system."""
import contextlib
import ctypes
import itertools
import os
import platform
import signal
import struct
import threading
import time

import pytest

import server as served
from server import PATIENCE, Server, until

FAULTYD = os.path.join(os.path.dirname(served.BINARY), "faultyd")
AGAIN, KILLS = "mapwright_runs_again_total", "mapwright_kills_total"
MADE, STOPPED = 'mapwright_maps_total{outcome="made"}', 'mapwright_maps_total{outcome="stopped"}'
TRIES = 20
CRASHES = 1000 if os.environ.get("MAPWRIGHT_LONG") else 40
# A sanitizer would report a crash, and go on to its own end.
PLAIN = {f"{name}_OPTIONS": os.environ.get(f"{name}_OPTIONS", "") +
         ":handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0"
         for name in ("ASAN", "TSAN", "UBSAN")}


class Faulty(Server):
    """With the generator `faulty`."""

    def __init__(self, *flags, **options):
        served.BINARY, usual = FAULTYD, served.BINARY
        try:
            super().__init__("--workers=2", *flags, environment=PLAIN, **options)
        finally:
            served.BINARY = usual

    def fault(self, name, seed=1, **headers):
        return self.get(f"/faulty?fault={name}&seed={seed}", **headers)


def send_fault(connection, name, seed):
    connection.send(f"GET /faulty?fault={name}&seed={seed} HTTP/1.1\r\nHost: a\r\n\r\n".encode())


def children(pid, thread):
    with open(f"/proc/{pid}/task/{thread}/children") as file:
        return [int(word) for word in file.read().split()]


def workers(server):
    """Of all its threads, as each has those that it started."""
    threads = os.listdir(f"/proc/{server.process.pid}/task")
    return {pid for thread in threads for pid in children(server.process.pid, thread)}


def await_workers(server):
    """Both, once what has ended was replaced."""
    def there():
        return {pid for pid in workers(server) if not is_gone(pid)}
    until(lambda: len(there()) == 2, lambda: f"there are {len(there())} workers")
    return there()


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def await_gone(pids):
    until(lambda: all(map(is_gone, pids)), "processes are left behind")


def is_fenced():
    """A sanitizer opens files and maps memory whenever it likes, so there is no filter then."""
    with open(FAULTYD, "rb") as file:
        program = file.read()
    return b"__asan_init" not in program and b"__tsan_init" not in program


FENCED = is_fenced()
DIES = {"trap": "ILL", "abort": "ABRT", "write": "SEGV", "recurse": "SEGV", "exit": "exit"}
CALLS = {name: "SYS" for name in ("open", "socket", "fork", "code", "kill", "malloc")}


@pytest.fixture(scope="module")
def faulty():
    with Faulty("--deadline-ms=600000", "--wait-ms=600000") as server:
        yield server


@pytest.mark.parametrize("name", [*DIES, *(CALLS if FENCED else [])])
def test_a_crash(faulty, name):
    """It costs one request and one worker, and says which map it was. One that is slow to crash may be killed first,
    and begun anew."""
    before, crashes = workers(faulty), faulty.metric('mapwright_crashes_total{generator="faulty"}')
    kills = faulty.metric(KILLS)
    reply = faulty.fault(name)
    assert (reply.status, reply.json()["type"]) == (500, "/problems/crashed")
    assert int(reply.header("Retry-After")) <= 60
    after = await_workers(faulty)
    assert len(after - before) == 1 + faulty.metric(KILLS) - kills
    await_gone(before - after)
    [line] = [line for line in faulty.log_lines("crash") if f"fault={name}&" in line["self"]]
    assert line["cause"] == {**DIES, **CALLS}[name]
    assert faulty.metric('mapwright_crashes_total{generator="faulty"}') == crashes + 1
    assert faulty.get("/islands?seed=3").status == 200


def test_a_crash_is_cached_for_a_minute(faulty):
    assert faulty.fault("trap", 7).status == 500
    before = await_workers(faulty)
    for headers in ({}, {"Prefer": "respond-async"}, {"Accept": "text/event-stream"}):
        assert b"crashed" in faulty.fault("trap", 7, **headers).body
    assert workers(faulty) == before
    assert faulty.fault("none", 7).status == 200


@pytest.mark.parametrize("name, killed", [("loop", True), ("count", False)])
def test_a_deadline_holds(name, killed):
    """A run that counts its steps ends when it is told to; another is killed. A map that was late
    is refused for a while. On a busy machine a run may be told to end before it loops, or that while may be over when
    it is asked for: so several seeds are tried."""
    with Faulty("--deadline-ms=300", "--wait-ms=600000") as server:
        for seed in range(TRIES):
            before, kills, stopped = await_workers(server), server.metric(KILLS), server.metric(STOPPED, absent=0)
            reply, again = (server.fault(name, seed) for _ in range(2))
            assert reply.status == again.status == 504 and "not ready after" in reply.json()["detail"]
            kills, stopped = server.metric(KILLS) - kills, server.metric(STOPPED) - stopped
            if (kills, stopped) == (killed, 1):
                break
        assert (kills, stopped) == (killed, 1)
        assert len(before - await_workers(server)) == killed
        time.sleep(int(reply.header("Retry-After")))
        stopped = server.metric(STOPPED)
        assert server.fault(name, seed, Accept_Encoding="gzip").status == 504
        assert server.metric(STOPPED) == stopped + 1, "it is tried again after Retry-After"
        assert server.metric(KILLS) == len(server.log_lines("kill"))
        seeds = itertools.count()
        until(lambda: server.get(f"/islands?seed={next(seeds)}").status == 200)


def test_a_worker_is_replaced_whose_run_waits_for_another():
    """Of runs that take far longer than expected, one goes on, and the others begin anew after it. They are killed,
    but for those that a busy machine tells to end before they loop."""
    with Faulty("--deadline-ms=3600000", "--wait-ms=3600000") as server, contextlib.ExitStack() as clients:
        for seed in range(TRIES):
            send_fault(clients.enter_context(server.connect()), "loop", seed)
            server.await_metric(AGAIN, seed)
            await_workers(server)
            if server.metric(KILLS):
                break
        assert server.metric(KILLS) == 1


def test_a_map_that_is_late_is_not_made_twice():
    """Beside a slow run another one takes too long, and is told to end. It does not look, but is soon done. On a busy
    machine some are killed first, and wait for the slow one: so several are tried."""
    with Faulty("--deadline-ms=3600000", "--wait-ms=3600000") as server, contextlib.ExitStack() as clients:
        send_fault(clients.enter_context(server.connect()), "loop", 0)
        server.await_metric('mapwright_workers_busy{lane="slow"}', 1)
        for seed in range(TRIES):
            send_fault(clients.enter_context(server.connect()), "late", seed)
            until(lambda: server.metric(MADE, absent=0) + server.metric(AGAIN) > seed)
            if server.metric(MADE, absent=0):
                break
        assert server.metric(MADE, absent=0) == 1


def test_a_client_that_leaves_ends_the_loop_that_it_began():
    """On a busy machine some runs end before they loop: so several are tried."""
    with Faulty("--deadline-ms=3600000") as server:
        for seed in range(TRIES):
            with server.connect() as connection:
                send_fault(connection, "loop", seed)
                server.await_metric("mapwright_workers_busy", 1)
            server.await_metric(STOPPED, seed + 1)
            if server.metric(KILLS):
                break
        assert server.metric(KILLS) == 1


def test_crashes_do_not_disturb_other_requests():
    """Health and hundreds of requests while workers crash and hang; and nothing is left of it."""
    with Faulty("--deadline-ms=600000", "--wait-ms=600000") as server:
        lost = []

        def ask():
            with server.connect() as connection:
                for i in range(400):
                    reply = connection.ask("GET", f"/islands.txt?width=20&height=20&seed={i}", None, None)
                    if reply.status != 200:
                        lost.append(reply)

        server.fault("trap", 0)
        open_before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        memory = resident(server)
        thread = threading.Thread(target=ask)
        thread.start()
        for i in range(CRASHES):
            assert server.fault(["trap", "write", "abort", "exit"][i % 4], 100 + i).status == 500
            assert server.get("/healthz").status == 200
        thread.join()
        assert not lost
        await_workers(server)
        assert len(os.listdir(f"/proc/{server.process.pid}/fd")) <= open_before + 2  # of clients
        assert resident(server) - memory < 16 << 20 or not FENCED
        assert server.metric("mapwright_crashes_total") == CRASHES + 1


def resident(server):
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_draining_answers_a_client_whose_run_hangs():
    """Though the run does not end by itself."""
    with Faulty("--deadline-ms=3600000", "--drain-ms=100") as server, server.connect() as connection:
        send_fault(connection, "loop", 1)
        server.await_metric("mapwright_workers_busy", 1)
        server.terminate()
        reply = connection.reply()
        assert reply.status == 503 and reply.json()["type"] == "/problems/draining"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left(how):
    """Nor where a worker is in the middle of a loop."""
    server = Faulty("--deadline-ms=3600000", "--drain-ms=100")
    left = workers(server)
    with server.connect() as connection:
        send_fault(connection, "loop", 1)
        server.await_metric("mapwright_workers_busy", 1)
        server.process.send_signal(how)
        server.process.wait(PATIENCE)
    server.ended()
    await_gone(left)


# ---- in a container, whose profile forbids more ------------------------------------------------

PRCTL = {"x86_64": 157, "aarch64": 167}.get(platform.machine())


def forbid_filters():
    """For preexec_fn: by a seccomp filter prctl(PR_SET_SECCOMP) fails with EPERM."""
    allow, refuse, load = (6, 0, 0, 0x7FFF0000), (6, 0, 0, 0x00050001), 0x20
    code = [(load, 0, 0, 0), (0x15, 0, 3, PRCTL), (load, 0, 0, 16), (0x15, 0, 1, 22), refuse, allow]
    rows = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in code))
    program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(rows))
    libc = ctypes.CDLL(None)
    assert rows and libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0


@pytest.mark.skipif(not FENCED or not PRCTL, reason="there is no filter")
def test_a_profile_without_filters():
    """It says what to allow. A crash costs one request all the same."""
    with Faulty(preexec_fn=forbid_filters) as within:
        within.await_said(within.errors, b"allow prctl(PR_SET_SECCOMP)")
        assert within.fault("trap").status == 500 and within.fault("open").status == 200
        assert within.get("/islands?seed=3").status == 200


ALIKE = ["/regions.svg?width=70&height=50&seed=4", "/regions?width=900&height=900&seed=4",
         "/regions.txt?mask=/areas%3Farea=300%26seed=4&count=2&seed=4",
         "/regions.txt?mask=/areas%3Farea=300%26seed=4&count=2&seed=5",
         "/regions?mask=/areas%3Farea=300%26seed=4&count=9999&seed=5", "/islands.png?seed=4"]


def test_the_same_bytes_without_processes():
    with Server("--isolate=off") as off, Server() as on:
        assert b"--isolate=off" in off.said(off.errors) and b"isolate" not in on.said(on.errors)
        assert not workers(off)
        for target in ALIKE:
            for coding in ("identity", "gzip", "zstd"):
                replies = [server.get(target, Accept_Encoding=coding) for server in (off, on)]
                assert replies[0].body == replies[1].body and replies[0].status == replies[1].status, target


# ---- sizes that the operator allows ------------------------------------------------------------

LARGEST = {"/regions?width=50&height=40": "/regions?width=50&height=41",
           "/islands?width=40&height=50": "/islands?width=41&height=50",
           "/starlanes?stars=50": "/starlanes?stars=51",
           "/puzzle/generate?width=10&height=10": "/puzzle/generate?width=11&height=10",
           "/regions?mask=/areas%3Fwidth=50%26height=40": "/regions?mask=/areas%3Fwidth=51%26height=40"}


def test_larger_maps_are_refused_before_any_work():
    with Server("--max-cells=2000", "--max-stars=50", "--max-board=100", "--workers=1") as server:
        assert server.get("/version").json()["limits"] == {"cells": 2000, "stars": 50, "board": 100}
        for larger in LARGEST.values():
            reply = server.get(larger)
            assert (reply.status, reply.json()["type"]) == (422, "/problems/too-big"), larger
            assert "at most" in reply.json()["detail"]
        assert server.metric("mapwright_cache_claims_total") == 0
        for largest in LARGEST:
            assert b"too-big" not in server.get(largest).body, largest
