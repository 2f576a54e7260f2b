#!/usr/bin/env python3
"""Ten times as many requests as the workers can serve: what becomes of those that are served.

    overload.py [SECONDS [TIMES]]        MAPWRIGHTD names the binary; `offer` lies beside it

First the peak: as many connections as keep all workers busy ask for new maps, one after the other.
Then TIMES that rate is offered, whatever becomes of it. Told are the maps served in a second,
against the peak; how long refusals took; and how long /healthz took meanwhile.
"""
import os
import subprocess
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../http")
from server import BINARY, Server  # noqa: E402

OFFER = f"{os.path.dirname(BINARY)}/offer"
# No seed: always new maps. Refusals cost the same whatever was asked for, and there are nine times
# as many of them as maps: so the dearer the maps, the less the refusals take from them.
TARGET = "/islands.png?width=300&height=300"  # some ten milliseconds
DEARER = "/islands.png?width=700&height=700"  # some fifty


def offer(port, target, seconds, connections, *rate):
    """Under way: what `outcomes` waits for."""
    words = [OFFER, port, target, seconds, connections, *rate]
    return subprocess.Popen(map(str, words), stdout=subprocess.PIPE, text=True)


def outcomes(process):
    """By status: {"rate", "count", "p50", "p95", "p99"}; seconds."""
    told, _ = process.communicate()
    assert process.returncode == 0
    rows = (map(float, line.split()) for line in told.splitlines())
    return {int(status): {"rate": rate, "count": int(count),
                          "p50": p50 / 1e3, "p95": p95 / 1e3, "p99": p99 / 1e3}
            for status, rate, count, p50, p95, p99 in rows}


def measure(port, workers, seconds, times, target=TARGET):
    """(peak in maps a second, outcomes of what was offered, outcomes of /healthz meanwhile)"""
    outcomes(offer(port, target, 1, 8 * workers))  # it learns what they take
    peak = outcomes(offer(port, target, seconds, 8 * workers))[200]["rate"]
    health = offer(port, "/healthz", seconds, 1, 100)
    offered = outcomes(offer(port, target, seconds, 64, peak * times))
    return peak, offered, outcomes(health)


def tell(target, seconds, times):
    with Server("--workers=2", "--log=off") as server:
        peak, offered, health = measure(server.port, 2, seconds, times, target)
    served = offered[200]["rate"]
    print(f"{target}: peak {peak:.1f} maps/s; offered {times:g} times that: served {served:.1f}/s, "
          f"{served / peak:.2f} of the peak; answers: {sorted(offered)}")
    for name, row in (("refusals", offered[503]), ("health", health[200])):
        print(f"{name}: {row['count']}, " +
              ", ".join(f"{part} {1000 * row[part]:.1f} ms" for part in ("p50", "p95", "p99")))
    return served > 0.85 * peak and offered.keys() <= {200, 503}


def main():
    seconds, times = (float(a) for a in (sys.argv[1:] + ["10", "10"][len(sys.argv) - 1:]))
    return 0 if all([tell(target, seconds, times) for target in (TARGET, DEARER)]) else 1


if __name__ == "__main__":
    sys.exit(main())
