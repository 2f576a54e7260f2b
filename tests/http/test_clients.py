"""Clients: identified by address, by a trusted proxy or by a key; limits for each of them."""
import signal
import time

import pytest

from client import Gone
from server import Server, free_port, run, until


def clients(server):
    """The clients in the log, by request id. Stops the server."""
    server.stop()
    return {line["id"]: line["client"] for line in server.log_lines()}


FORWARDED = {
    "none": None, "one": "192.0.2.1", "spoofed": "203.0.113.9, 192.0.2.1",
    "hops": "192.0.2.1, 10.0.0.7", "fields": ["203.0.113.9", "192.0.2.1", "10.0.0.7"],
    "six": "2001:db8::7", "bad": "192.0.2.1, unknown, 10.0.0.7"}


@pytest.mark.parametrize("flags, expected", [
    ([], dict.fromkeys(FORWARDED, "127.0.0.1")),
    (["--trusted-proxies=10.0.0.0/8"], dict.fromkeys(FORWARDED, "127.0.0.1")),
    (["--trusted-proxies=127.0.0.1,10.0.0.0/8"],
     {"none": "127.0.0.1", "one": "192.0.2.1", "spoofed": "192.0.2.1", "hops": "192.0.2.1",
      "fields": "192.0.2.1", "six": "2001:db8::7", "bad": "10.0.0.7"})])
def test_forwarded_addresses_only_of_trusted_proxies(flags, expected):
    with Server(*flags) as server, server.connect() as connection:
        for name, value in FORWARDED.items():
            connection.ask("GET", "/regions?seed=1", None,
                           {"X-Forwarded-For": value, "X-Request-Id": name})
        found = clients(server)
        assert {name: found[name] for name in FORWARDED} == expected


# ---- limits --------------------------------------------------------------------------------------

AROUND = ["/healthz", "/readyz", "/metrics", "/version", "/problems"]


def test_rate():
    """A burst, then 429; pages about the server and preflights are not limited."""
    with Server("--rate=1", "--burst=20") as server, server.connect() as connection:
        started, replies = time.monotonic(), []
        while not replies or replies[-1].status == 200:
            replies.append(connection.ask("GET", "/" if len(replies) == 9 else f"/regions?seed={len(replies) % 3}"))
            assert replies[-1].header("RateLimit-Policy") == '"default";q=20;w=20'
        assert 20 <= len(replies) - 1 <= 20 + time.monotonic() - started
        assert replies[0].header("RateLimit").startswith('"default";r=19;')
        replies[-1].problem(429, "too-many-requests")
        assert (replies[-1].header("RateLimit"), replies[-1].header("Retry-After")) == ('"default";r=0;t=20', "1")
        for path in AROUND:
            assert connection.ask("GET", path).status == 200
        preflight = connection.ask("OPTIONS", "/regions")
        assert preflight.status == 204 and not preflight.header("RateLimit")
        time.sleep(1.1)
        assert connection.ask("POST", "/islands", {"seed": 1}).status == 200


def test_rate_by_client():
    """Each client behind a proxy has its own; an IPv6 client its /64."""
    with Server("--rate=1", "--trusted-proxies=127.0.0.1") as server:
        def ask(client):
            return server.get("/regions?seed=1", X_Forwarded_For=client).status
        for client in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"):
            assert ask(client) == 200
        assert 429 in (ask("192.0.2.1") for _ in range(100))
        assert 429 in (ask(f"2001:db8::{i}") for i in range(100))


def crowd(server, count):
    """So many connections, all accepted."""
    held = []
    for i in range(count):
        held.append(server.connect())
        assert held[-1].ask("GET", "/regions?seed=1").status == 200, i
    return held


def is_served(server):
    try:
        return server.get("/regions?seed=1").status == 200
    except (Gone, OSError):
        return False


def test_connections_per_client():
    """Further ones are closed at once, the others go on; a closed one makes room. Those of proxies are not limited."""
    with Server("--connections-per-client=2", "--trusted-proxies=127.0.0.1") as server:
        crowd(server, 12)
    with Server("--connections-per-client=4", "--log=off") as server:
        held = crowd(server, 4)
        assert not is_served(server)
        for connection in held:
            assert connection.ask("GET", "/regions?seed=1").status == 200
            connection.close()
        until(lambda: is_served(server), "connections that were closed still count")


# ---- keys ----------------------------------------------------------------------------------------

BEARER = {"Authorization": "Bearer first-key"}


@pytest.fixture
def keys(tmp_path):
    path = tmp_path / "keys"
    path.write_text("# of the tests\nfirst-key  ci\nsecond-key\n")
    return path


def test_maps_need_a_key(keys):
    with Server(f"--keys-file={keys}") as server, server.connect() as connection:
        ask = connection.ask
        for method, target in (("GET", "/regions"), ("POST", "/islands"), ("HEAD", "/areas"),
                               ("GET", "/maps/0b8e9b1c-0000-5000-8000-000000000000"),
                               ("DELETE", "/maps/0b8e9b1c-0000-5000-8000-000000000000")):
            reply = ask(method, target, b"" if method == "POST" else None)
            assert reply.status == 401
            assert reply.header("WWW-Authenticate") == 'Bearer realm="mapwright"'
        assert ask("GET", "/regions").json()["type"] == "/problems/unauthorized"
        wrong = ask("GET", "/regions", None, {"Authorization": "Bearer first-kez"})
        assert wrong.status == 401 and "invalid_token" in wrong.header("WWW-Authenticate")
        for key in ("first-key", "second-key"):
            reply = ask("GET", "/regions?seed=1", None, {"Authorization": f"Bearer {key}"})
            assert reply.status == 200
        known = ask("GET", reply.json()["self"], None, BEARER)
        assert known.status == 200 and known.body == reply.body
        assert ask("GET", f"/maps/{reply.json()['id']}", None, BEARER).status == 200
        assert ask("GET", "/regions?seed=1").status == 401, "a cached map needs a key as well"
        # shared caches may not keep what needs a key
        for _ in range(2):
            assert ask("GET", "/regions?seed=1", None, BEARER).header("Cache-Control") == "private, max-age=604800"
            wrong = ask("GET", "/regions?seed=1&width=0", None, BEARER)
            assert wrong.status == 400 and wrong.header("Cache-Control") == "no-store"
        # pages and preflights need no key
        for path in ["/", "/openapi.yaml", "/openapi.json", "/web/app.js", *AROUND]:
            assert ask("GET", path).status == 200
        preflight = ask("OPTIONS", "/regions", None, {
            "Origin": "https://game.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization"})
        assert preflight.status == 204
        assert "authorization" in preflight.tokens("Access-Control-Allow-Headers")


def test_the_key_is_the_client(keys):
    """The log has the name of the key, limits count by key; requests without one count by address."""
    with Server(f"--keys-file={keys}", "--rate=1", "--burst=3") as server:
        def ask(key, name):
            return server.get("/regions?seed=1", X_Request_Id=name,
                              **({"Authorization": f"Bearer {key}"} if key else {})).status
        assert [ask("first-key", f"ci-{i}") for i in range(3)] == [200] * 3
        assert 429 in (ask("first-key", f"more-{i}") for i in range(100))
        assert ask("second-key", "unnamed") == 200
        assert 429 in (ask("guess-%05d" % i, f"guess-{i}") for i in range(100))
        found = clients(server)
        assert found["ci-0"] == "ci" and found["unnamed"] == found["guess-0"] == "127.0.0.1"


def test_keys_are_read_again_on_hangup(keys):
    with Server(f"--keys-file={keys}") as server, server.connect() as connection:
        def status(key):
            return connection.ask("GET", "/regions?seed=1", None,
                                  {"Authorization": f"Bearer {key}"}).status
        assert (status("first-key"), status("third-key")) == (200, 401)
        keys.write_text("third-key\n")
        server.process.send_signal(signal.SIGHUP)
        server.await_said(server.errors, b"there are 1\n")
        assert (status("first-key"), status("third-key")) == (401, 200)
        for bad in ("bad\n", "", None):
            server.errors.truncate(0)
            keys.unlink() if bad is None else keys.write_text(bad)
            server.process.send_signal(signal.SIGHUP)
            server.await_said(server.errors, b"the keys stay as they were: ")
            said = server.said(server.errors)
            assert said.count(b"\n") == 1 and str(keys).encode() in said
            assert (status("first-key"), status("third-key")) == (401, 200)


def test_a_malformed_file_of_keys_ends_the_start(tmp_path):
    (tmp_path / "keys").write_text("first-key\nnot a key!\n")
    result = run(f"--port={free_port()}", f"--keys-file={tmp_path / 'keys'}")
    assert result.returncode == 1 and "keys, line 2: " in result.stderr
