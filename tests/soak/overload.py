#!/usr/bin/env python3
"""Ten times as many requests as the workers can serve: what becomes of those that are served.

    overload.py [SECONDS [TIMES]]        MAPWRIGHTD names the binary

First the peak: as many connections as keep all workers busy ask for new maps, one after the other.
Then TIMES that rate is offered, whatever becomes of it (an open loop: a client that waits for
answers would slow down with the server). Told are the maps served in a second, against the peak; how
long refusals took; and how long /healthz took meanwhile.

We are busy ourselves, on the same cores. So that this does not count as the server's, the end of an
answer's time is when the kernel had it, not when we came to look (SO_TIMESTAMPNS), and /healthz is
asked for by a process of its own.
"""
import heapq
import multiprocessing
import re
import selectors
import socket
import struct
import sys
import time

TARGET = "/islands.png?width=140&height=140"  # no seed: always a new map; large to make, small to send
REQUEST = f"GET {TARGET} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


SO_TIMESTAMPNS = 35


class Asker:
    """A connection that asks again and again; it is told when to, and tells what came of it."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.buffer, self.asked, self.came = b"", 0.0, 0.0

    def ask(self, request=REQUEST):
        self.buffer, self.asked = b"", time.time()
        self.socket.sendall(request)

    def take(self):
        """The status, once the whole answer is there; None before."""
        data, notes, _, _ = self.socket.recvmsg(1 << 18, 64)
        self.buffer += data
        seconds, nanoseconds = struct.unpack("ll", notes[0][2])
        self.came = seconds + nanoseconds / 1e9
        head, end, body = self.buffer.partition(b"\r\n\r\n")
        if not end:
            return None
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        return int(head[9:12]) if len(body) >= length else None


class Load:
    """`rate` requests a second for so long, or, without a rate, one after the other."""

    def __init__(self, port, connections, rate=None):
        self.port, self.rate = port, rate
        self.selector = selectors.DefaultSelector()
        self.idle = [Asker(port) for _ in range(connections)]
        for asker in self.idle:
            self.selector.register(asker.socket, selectors.EVENT_READ, asker)
        self.outcomes = []  # (when, status, seconds)

    def ask(self):
        if not self.idle:
            self.idle.append(Asker(self.port))
            self.selector.register(self.idle[0].socket, selectors.EVENT_READ, self.idle[0])
        self.idle.pop().ask()

    def collect(self, patience):
        for key, _ in self.selector.select(patience):
            status = key.data.take()
            if status:
                self.outcomes.append((time.monotonic(), status, key.data.came - key.data.asked))
                self.idle.append(key.data)

    def run(self, seconds):
        start = now = time.monotonic()
        asked = 0
        while now < start + seconds:
            due = len(self.idle) if self.rate is None else int((now - start) * self.rate) - asked
            for _ in range(due):
                self.ask()
            asked += due
            self.collect(0.0005 if self.rate else 0.01)
            now = time.monotonic()
        while len(self.selector.get_map()) > len(self.idle):
            self.collect(1)

    def served(self, since, until):
        """Maps a second."""
        return sum(status == 200 and since <= at < until for at, status, _ in self.outcomes) / (until - since)


def at(share, values):
    return heapq.nsmallest(int(share * (len(values) - 1)) + 1, values)[-1] if values else 0.0


def watch_health(port, stop, durations):
    probe, took = Asker(port), []
    while not stop.is_set() or not took:
        probe.ask(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not probe.take():
            pass
        took.append(probe.came - probe.asked)
        time.sleep(0.01)
    durations.put(took)


def measure(port, workers, seconds, times):
    """(peak, served, refusals' seconds, health's seconds, statuses)"""
    Load(port, 8 * workers).run(1)  # it learns what they take
    peak = Load(port, 8 * workers)
    start = time.monotonic()
    peak.run(seconds)
    best = peak.served(start, start + seconds)
    stop, durations = multiprocessing.Event(), multiprocessing.SimpleQueue()
    watcher = multiprocessing.Process(target=watch_health, args=(port, stop, durations))
    watcher.start()
    load = Load(port, 64, best * times)
    start = time.monotonic()
    load.run(seconds)
    stop.set()
    health = durations.get()
    watcher.join()
    refusals = [took for _, status, took in load.outcomes if status == 503]
    return best, load.served(start, start + seconds), refusals, health, {s for _, s, _ in load.outcomes}


def main():
    sys.path.insert(0, f"{sys.path[0]}/../http")
    from server import Server
    seconds, times = (float(a) for a in (sys.argv[1:] + ["10", "10"][len(sys.argv) - 1:]))
    with Server("--workers=2", "--log=off") as server:
        peak, served, refusals, health, statuses = measure(server.port, 2, seconds, times)
    print(f"peak {peak:.1f} maps/s; offered {times:g} times that: served {served:.1f}/s, "
          f"{served / peak:.2f} of the peak; answers: {sorted(statuses)}")
    for name, values in (("refusals", refusals), ("health", health)):
        print(f"{name}: {len(values)}, " +
              ", ".join(f"p{round(100 * share)} {1000 * at(share, values):.1f} ms" for share in (0.5, 0.95, 0.99)))
    return 0 if served > 0.9 * peak and statuses <= {200, 503} else 1


if __name__ == "__main__":
    sys.exit(main())
