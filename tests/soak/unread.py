#!/usr/bin/env python3
"""Clients that ask for large maps and read nothing, while others ask for small ones.

    MAPWRIGHTD=build/release/mapwrightd tests/soak/unread.py [clients]

Memory of a server with its limits of memory as they come and two workers, while 100 clients read nothing
of their 17 MB each; how long small requests of others take meanwhile; how much is left when the
clients are gone.
"""
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))
sys.dont_write_bytecode = True

from client import Gone, request  # noqa: E402
from server import NO_HURRY, Server  # noqa: E402

SIDE = 2900  # 17 MB as text of JSON
CLIENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
SECONDS = 40
HELD = 'mapwright_held_bytes{by="output"}'


def memory(server, key):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith(key + ":")).split()[1]) / 1024


def ask(server, seed):
    connection = server.connect()
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.send(request("GET", f"/regions?width={SIDE}&height={SIDE}&count=50&seed={seed}"))
    return connection


class Others(threading.Thread):
    """Asks for small maps, known and new in turn; keeps how long each took, and what it was told."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.took, self.statuses, self.over = server, [], [], False
        self.start()

    def run(self):
        while not self.over:
            seed = len(self.took) // 2 if len(self.took) % 2 else "known"
            start = time.monotonic()
            self.statuses.append(self.server.get(f"/regions?seed=o{seed}").status)
            self.took.append(time.monotonic() - start)
            time.sleep(0.01)

    def __str__(self):
        took = sorted(self.took)
        told = {status: self.statuses.count(status) for status in sorted(set(self.statuses))}
        return (f"{len(took)} small requests {told}: median {took[len(took) // 2] * 1e3:.1f} ms, "
                f"most {took[-1] * 1e3:.0f} ms")


def begins_with(connection):
    """The status it was told; 0: closed, None: nothing yet."""
    connection.socket.settimeout(0.001)
    try:
        return int(connection.socket.recv(12, socket.MSG_PEEK)[9:12] or 0)
    except TimeoutError:
        return None
    except (ConnectionError, Gone):
        return 0


def main():
    with Server("--workers=2", "--log=off", *NO_HURRY) as server:
        idle = memory(server, "VmRSS")
        others = Others(server)
        held = [ask(server, seed) for seed in range(CLIENTS)]
        most = start = 0
        for second in range(SECONDS):
            time.sleep(1)
            most = max(most, memory(server, "VmRSS"))
            if second % 8 == 7:
                print(f"{second + 1:3} s: {memory(server, 'VmRSS'):.0f} MiB, ", end="")
                print(f"{server.metric(HELD) / 2**20:.0f} MiB held")
        others.over = True
        others.join()
        told = [begins_with(connection) for connection in held]
        print("clients were told", {status: told.count(status) for status in set(told)})
        for connection in held:
            connection.close()
        time.sleep(2)
        left = memory(server, "VmRSS")
        peak = memory(server, "VmHWM")
    print(f"{others}\nidle {idle:.0f} MiB, most {most:.0f} (peak {peak:.0f}), gone {left:.0f}")
    good = peak < 1024 and max(others.took) < 1 and set(others.statuses) == {200}
    print("good" if good else "not as it should be")
    return not good


if __name__ == "__main__":
    sys.exit(main())
