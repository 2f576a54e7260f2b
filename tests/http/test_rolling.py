"""Three copies behind nginx, killed or started anew under load: nothing is lost, and each gives the same."""
import os
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Connection
from nginx import Nginx
from server import NO_HURRY, PATIENCE, Server, free_port

REQUESTS = int(os.environ.get("ROLLING_REQUESTS", 2000))
CLIENTS = 8


class Copy:
    """A copy of the service that always has the same port."""

    def __init__(self):
        self.port = free_port()
        self.start()

    def start(self):
        self.server = Server("--drain-delay-ms=200", "--trusted-proxies=127.0.0.1", "--log=off",
                             "--queue=2000", "--wait-ms=60000", "--deadline-ms=60000",
                             port=self.port)

    def restart(self):
        assert self.server.stop() == 0
        self.start()

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self.start()


class Load:
    """Clients that ask by GET and POST, for maps kept and new, until all is asked and `enough`."""

    def __init__(self, nginx):
        self.nginx, self.enough = nginx, threading.Event()
        self.answered, self.lost = [0] * CLIENTS, []
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def ask(self, connection, client, i):
        if i % 4 == 0:
            return connection.ask("POST", "/regions", {"seed": f"{client} {i}"})
        if i % 4 == 1:
            return connection.ask("GET", f"/areas?seed={client}-{i}")
        return connection.ask("GET", f"/regions?seed={i % 16}")

    def run(self, client):
        connection, i = self.nginx.connect(), 0
        while i * CLIENTS < REQUESTS or not self.enough.is_set():
            i += 1
            try:
                reply = self.ask(connection, client, i)
                good, close = reply.status == 200, "close" in reply.tokens("Connection")
            except Exception as error:  # a page of nginx's own, a connection that is gone
                reply, good, close = error, False, True
            self.answered[client] += good
            if not good:
                self.lost.append(reply)
            if close:
                connection.close()
                connection = self.nginx.connect()
        connection.close()

    def finish(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(PATIENCE)


@pytest.mark.parametrize("how", [Copy.restart, Copy.kill])
def test_copies_come_and_go_and_nothing_is_lost(how):
    copies = [Copy() for _ in range(3)]
    with Nginx([copy.port for copy in copies]) as nginx:
        load = Load(nginx)
        rounds, end = 0, time.monotonic() + PATIENCE
        while rounds < 1 or sum(load.answered) < REQUESTS:
            for copy in copies:
                how(copy)
                time.sleep(0.2)
            rounds += 1
            assert time.monotonic() < end
        load.finish()
    for copy in copies:
        copy.server.stop()
    print(f"{sum(load.answered)} answered, {len(load.lost)} lost, {rounds} rounds")
    assert not load.lost, load.lost[:5]
    assert sum(load.answered) >= REQUESTS


# ---- three copies that stay --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copies():
    with Server(*NO_HURRY) as one, Server(*NO_HURRY) as two, Server(*NO_HURRY) as three:
        yield [one, two, three]


@pytest.fixture(scope="module")
def nginx(copies):
    with Nginx([copy.port for copy in copies]) as nginx:
        yield nginx


def made(copies):
    return [copy.metric('mapwright_cache_claims_total{result="miss"}') for copy in copies]


def test_addresses_are_spread_and_each_has_its_copy(copies, nginx):
    before = made(copies)
    for _ in range(3):
        for seed in range(60):
            assert nginx.get(f"/areas?seed=spread{seed}").status == 200
    counts = [after - earlier for earlier, after in zip(before, made(copies))]
    assert sum(counts) == 60 and min(counts) >= 5, counts


def test_large_masks_never_answer_for_each_other(copies, nginx):
    """Bodies past nginx's buffer, which differ in their last row alone."""
    rows = ["#" * 700] * 700
    asked = [{"seed": 1, "count": 2, "mask": rows + [last]} for last in ("#" * 700, "#." * 350)]
    own = [copies[0].post("/regions", body).body for body in asked]
    assert own[0] != own[1]
    for _ in range(4):
        assert [nginx.post("/regions", body).body for body in asked] == own


def test_a_herd_makes_one_map(copies, nginx):
    before = sum(made(copies))
    target = "/islands?width=300&height=300&seed=herd"
    barrier = threading.Barrier(50)

    def ask(client):
        with nginx.connect() as connection:
            barrier.wait(PATIENCE)
            return [connection.ask("GET", target).body for _ in range(10)]

    with ThreadPoolExecutor(50) as clients:
        bodies = {body for bodies in clients.map(ask, range(50)) for body in bodies}
    assert len(bodies) == 1
    assert sum(made(copies)) - before == 1


def test_async_work_is_found_through_nginx(nginx):
    for seed in range(6):
        reply = nginx.ask("POST", "/islands", {"width": 900, "height": 900, "seed": seed},
                          {"Prefer": "respond-async"})
        assert reply.status in (200, 202)
        if reply.status == 202:
            assert nginx.get(reply.header("Location")).status in (200, 202)
    assert nginx.get("/maps/00000000-0000-0000-0000-000000000000").status == 404


# ---- what nginx says itself ------------------------------------------------------------------------------


def assert_problem(reply, status, type):
    assert reply.status == status and reply.media == "application/problem+json"
    problem = reply.json()
    assert problem["status"] == status and problem["type"] == type
    assert problem["instance"] == reply.header("X-Request-Id")
    assert reply.header("Access-Control-Allow-Origin") == "*"


def test_problems_of_nginx(nginx):
    assert_problem(nginx.post("/regions", {"mask": ["#" * 2000] * 1000}), 413, "/problems/body-too-large")
    assert_problem(nginx.get("/metrics"), 404, "/problems/not-found")
    for hostile in ('a"b', "a\\b", '","status":200,"x":"'):
        assert_problem(nginx.get("/metrics", X_Request_Id=hostile), 404, "/problems/not-found")
    assert nginx.get("/metrics", X_Request_Id="a-b.c_1").json()["instance"] == "a-b.c_1"


def test_nobody_there():
    with Nginx([free_port(), free_port()]) as nginx:
        reply = nginx.get("/regions")
        assert_problem(reply, 502, "/problems/unavailable")
        assert reply.header("Retry-After") == "1"


def test_limits_of_nginx(copies):
    """They hold for each client, and not for those who watch."""
    with Nginx([copies[0].port], rate=1) as nginx:
        replies = [nginx.get("/regions?seed=1") for _ in range(230)]
        late = [reply for reply in replies if reply.status != 200]
        assert late and len(late) < 40
        for reply in late:
            assert_problem(reply, 429, "/problems/too-many-requests")
            assert reply.header("Retry-After") == "1"
        assert {nginx.get("/readyz").status for _ in range(50)} == {200}


def test_a_busy_copy_is_not_asked_twice(copies):
    """Nor is its load put on the others: what it says is given on."""
    with Server("--workers=1", "--queue=1", "--rate=1", "--burst=1", "--trusted-proxies=127.0.0.1") as busy:
        with Nginx([busy.port, copies[0].port]) as nginx:
            replies = [nginx.post("/regions", {"seed": seed}) for seed in range(40)]
        refused = [reply for reply in replies if reply.status != 200]
        assert refused and {reply.status for reply in refused} == {429}


# ---- as the comments of its file say ---------------------------------------------------------------------


def test_tls(copies):
    """With a certificate, and all else that there is through it."""
    with Nginx([copy.port for copy in copies], tls=True) as nginx:
        context = ssl.create_default_context(cafile=nginx.certificate)
        for target in ("/regions?seed=tls", "/islands.png?seed=tls", "/healthz"):
            plain = copies[0].get(target)
            with socket.create_connection(("localhost", nginx.tls_port)) as raw, \
                    context.wrap_socket(raw, server_hostname="localhost") as secure:
                assert secure.version() in ("TLSv1.2", "TLSv1.3")
                reply = Connection.over(secure).ask("GET", target, None, {"Host": f"localhost:{nginx.tls_port}"})
            assert (reply.status, reply.body) == (200, plain.body)
        by_curl = subprocess.run(
            ["curl", "-sS", "--http2", "--cacert", nginx.certificate, "-w", "\n%{http_version} %{http_code}",
             f"https://localhost:{nginx.tls_port}/regions?seed=tls"], capture_output=True, check=True, timeout=PATIENCE)
        body, _, said = by_curl.stdout.rpartition(b"\n")
        assert (body, said) == (copies[0].get("/regions?seed=tls").body, b"2 200")
        assert nginx.get("/regions?seed=tls").status == 200, "the other port stays"
