#!/usr/bin/env python3
"""Ten times as many requests as the workers can serve: what becomes of those that are served.

    overload.py [SECONDS [TIMES]]        MAPWRIGHTD names the binary

First the peak: as many connections as keep all workers busy ask for new maps, one after the other. Then TIMES that rate
is offered, whatever becomes of it (an open loop: clients that wait for answers slow down with the server). It prints
the maps served in a second, against the peak, and how long refusals and /healthz took meanwhile.
"""
import asyncio
import collections
import os
import re
import statistics
import sys
import time

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../http")
from server import Server  # noqa: E402

# No seed: always new maps, of some fifty milliseconds. Of faster ones this client could not ask for ten times as many
# without taking the time of the service, which runs on the same cores.
TARGET = "/islands.png?width=700&height=700"


class Client:
    """Asks for one target, on connections that it keeps; `took` has seconds by status, 0: there was no answer."""

    def __init__(self, port, target):
        self.port, self.request = port, f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self.idle, self.took = [], collections.defaultdict(list)

    async def ask(self):
        began, status = time.monotonic(), 0
        try:
            reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(self.request)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(re.search(rb"(?i)\r\ncontent-length: (\d+)", head)[1]))
            status = int(head.split()[1])
            self.idle.append((reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        self.took[status].append(time.monotonic() - began)

    async def go_on(self, until):
        while time.monotonic() < until:
            await self.ask()

    async def offer(self, rate, seconds):
        """So many requests a second."""
        asked, start = [], time.monotonic()
        while (spent := time.monotonic() - start) < seconds:
            asked += [asyncio.create_task(self.ask()) for _ in range(int(rate * spent) - len(asked))]
            await asyncio.sleep(0.001)
        await asyncio.wait_for(asyncio.gather(*asked), 60)


async def measure(port, workers, seconds, times, target=TARGET):
    """Peak in maps a second; seconds of answers by status, of what was offered and of /healthz meanwhile."""
    steady, offered, health = Client(port, target), Client(port, target), Client(port, "/healthz")
    until = time.monotonic() + seconds
    await asyncio.gather(*(steady.go_on(until) for _ in range(8 * workers)))
    peak = len(steady.took[200]) / seconds
    await asyncio.gather(offered.offer(peak * times, seconds), health.offer(100, seconds))
    return peak, offered.took, health.took


def main():
    seconds, times = (float(a) for a in (sys.argv[1:] + ["10", "10"][len(sys.argv) - 1:]))
    with Server("--workers=2", "--log=off") as server:
        peak, offered, health = asyncio.run(measure(server.port, 2, seconds, times))
    served = len(offered[200]) / seconds
    print(f"{TARGET}: peak {peak:.1f} maps/s; offered {times:g} times that: served {served:.1f}/s; "
          f"answers: { {status: len(took) for status, took in offered.items()} }")
    for name, took in (("refusals", offered[503]), ("health", health[200])):
        parts = statistics.quantiles(took, n=100)
        print(f"{name}: {len(took)}, " + ", ".join(f"p{n} {1000 * parts[n - 1]:.1f} ms" for n in (50, 95, 99)))
    return 0 if served > 0.85 * peak and offered.keys() <= {200, 503} else 1


if __name__ == "__main__":
    sys.exit(main())
