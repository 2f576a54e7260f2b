#!/usr/bin/python3
"""scaling.py: what a request costs in processor time, by kind, and by who answers it. docs/SCALING.md counts on it.

    scaling.py BUILD

Microseconds of a core for each request, of all processes that take part: the service, nginx by deploy/nginx.conf,
Redis; not of the client (wrk, which accepts zstd and gzip as a browser does). What waits costs nothing here, so that
a busy machine disturbs little. All is on the loopback address: networks are not in it.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../http")
BUILD = os.path.abspath(sys.argv[1])
os.environ["MAPWRIGHTD"] = f"{BUILD}/mapwrightd"

from nginx import Nginx  # noqa: E402
from redis import Redis  # noqa: E402
from server import Server  # noqa: E402

SECONDS = 2
KINDS = {
    "small JSON": "/regions?seed=",
    "small PNG": "/regions.png?seed=",
    "islands": "/islands?width=120&height=80&seed=",
    "large JSON": "/regions?width=1000&height=1000&count=100&seed=",
    "large PNG": "/regions.png?width=1000&height=1000&count=100&scale=1&seed=",
}
ALIKE = 16  # addresses that are asked for in turn, where it is no matter of making them
SCRIPT = """
local n, prefix, most = 0, "%s", %d
request = function()
    n = n + 1
    return wrk.format("GET", prefix .. (most > 0 and n %% most or "new" .. n), {["Accept-Encoding"] = "zstd, gzip"})
end
"""
ASKED = {"Accept-Encoding": "zstd, gzip"}


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def ticks(pid):
    with open(f"/proc/{pid}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return int(user) + int(system) + sum(ticks(child) for child in children(pid))


def measure(port, prefix, servers, alike=ALIKE, connections=4):
    """Microseconds of each server for a request, and requests in a second of the clock."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (prefix, alike))
        script.flush()
        before, began = [ticks(server.process.pid) for server in servers], time.monotonic()
        told = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "-s", script.name,
                               f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
        took = time.monotonic() - began
    assert "Non-2xx" not in told, told
    requests = int(re.search(r"(\d+) requests in", told)[1])
    spent = [(ticks(server.process.pid) - earlier) * 1e6 / os.sysconf("SC_CLK_TCK")
             for server, earlier in zip(servers, before)]
    return [one / requests for one in spent], requests / took


def warm(server, prefix, times=1):
    """Its bytes on the wire, as they are asked for here."""
    for _ in range(times):
        sizes = [len(server.ask("GET", f"{prefix}{i}", None, ASKED).body) for i in range(ALIKE)]
    return sum(sizes) / len(sizes)


def made(prefix):
    with Server("--cache-bytes=0", "--log=off", "--workers=2", "--queue=100000") as server:
        return sum(measure(server.port, prefix, [server], alike=0)[0])


def hit(prefix):
    with Server("--log=off") as server:
        size = warm(server, prefix)
        return sum(measure(server.port, prefix, [server])[0]), size


def edge(prefix):
    """From nginx's own disk; and where nginx passes on what a copy has in memory."""
    with Server("--log=off", "--trusted-proxies=127.0.0.1") as server, Nginx([server.port], rate=10000000) as nginx:
        warm(server, prefix)
        warm(nginx, prefix, 3)
        kept = measure(nginx.port, prefix, [server, nginx])[0]
        return sum(kept)


def store(prefix):
    """From the store, by a copy that keeps nothing itself."""
    with Redis() as redis:
        flags = [f"--store=redis://127.0.0.1:{redis.port}/", "--log=off", "--store-least-us=0", "--store-wait-ms=2000"]
        with Server(*flags) as first:
            first.await_metric("mapwright_store_open", 1)
            warm(first, prefix)
            first.await_metric('mapwright_store_writes_total{outcome="kept"}', 2 * ALIKE)
        with Server(*flags, "--cache-bytes=0") as server:
            server.await_metric("mapwright_store_open", 1)
            ours, its = measure(server.port, prefix, [server, redis], connections=2)[0]
            assert not server.metric('mapwright_maps_total{outcome="made"}')
        memory = sum(int(redis.said_to("memory", "usage", name)) for name in redis.keys("m") + redis.keys("a"))
        return ours, its, memory / ALIKE


def main():
    print(f"microseconds of a core for each request; {SECONDS} s each")
    print(f"{'kind':12} {'bytes':>8} {'made':>9} {'hit':>6} {'nginx':>6} {'store: copy':>12} {'Redis':>6} {'kept there':>11}")
    for kind, prefix in KINDS.items():
        new, (kept, size), front, (ours, its, memory) = made(prefix), hit(prefix), edge(prefix), store(prefix)
        print(f"{kind:12} {size:8.0f} {new:9.0f} {kept:6.1f} {front:6.1f} {ours:12.1f} {its:6.1f} {memory:11.0f}", flush=True)


if __name__ == "__main__":
    main()
