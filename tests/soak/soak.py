#!/usr/bin/env python3
"""soak.py: all that clients do to a service, good and bad, at once and for long.

    soak.py MAPWRIGHTD [MINUTES [SEED]]

Two copies run: one is left alone, and its memory must stay flat; the other is stopped by SIGTERM
and started again and again. Clients of a dozen kinds ask both. A wrong answer (a status that is not
due, other bytes for a known address, a connection closed under a request) is a finding. The last
line tells the sums; the exit code is 1 where there was a finding or memory grew.
"""
import collections
import hashlib
import json
import os
import random
import sys
import threading
import time

if len(sys.argv) > 1:
    os.environ["MAPWRIGHTD"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../http")
sys.dont_write_bytecode = True

from client import Connection, Gone, request  # noqa: E402
from server import Server, free_port  # noqa: E402

COPY = ["--cache-bytes=48M", "--log=off", "--header-ms=15000", "--body-ms=8000", "--drain-ms=20000"]
LONG_ENOUGH = 600  # seconds before memory says anything
KNOWN = 300  # addresses asked for again and again
HANG = 120  # seconds

SMALL = {
    "regions": ["", "width=60&height=40&count=20", "grid=square&roughness=1", "wrap=xy&variation=1"],
    "areas": ["", "count=4&area=90", "algorithm=dfs&area=300", "holes=false"],
    "islands": ["", "width=40&height=30", "bridges=false", "layers=5"],
    "starlanes": ["", "stars=300", "graphs=true&stars=50", "density=1"],
    "puzzle/generate": ["", "width=9&height=9", "unique=false"],
}
LARGE = ["/regions?width=1000&height=1000&count=100", "/islands?width=1500&height=1500",
         "/regions.png?width=700&height=700&count=40", "/starlanes?stars=20000",
         "/areas?width=1500&height=1500"]
SUFFIXES = ["", ".json", ".txt", ".svg", ".png"]
OTHER = [
    *(("GET", page, None, 200) for page in ("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/version")),
    *(("POST", path, {"seed": 7, "width": width}, 200) for path in ("/regions", "/areas") for width in range(20, 60)),
    *(("POST", "/regions", {"mask": ["#." * 100, "." * 200] * 100, "count": count}, 422) for count in range(1, 9)),
    ("GET", "/regions?width=0", None, 400), ("GET", "/regions?nonsense=1", None, 400),
    ("GET", "/nowhere", None, 404), ("DELETE", "/regions", None, 405),
    ("GET", "/regions.vox", None, 406), ("POST", "/regions", "{", 400),
    ("POST", "/areas", '{"count": "many"}', 400), ("GET", "/regions?v=999", None, 410),
    ("GET", "/islands?width=4&height=4&islands=9,9&seed=1", None, 422),
    ("POST", "/puzzle/solve", "{}", 400), ("GET", "/maps/" + "0" * 36, None, 404),
]
ASYNC = {"Prefer": "respond-async"}

lock = threading.Lock()
answers, kinds, digests, findings = collections.Counter(), collections.Counter(), {}, []


def count(kind, status=0):
    with lock:
        answers[status] += 1
        kinds[kind] += 1


def found(kind, what):
    with lock:
        findings.append(f"{kind}: {what}")
    print("FOUND", findings[-1], flush=True)


def compare(kind, address, body):
    digest = hashlib.sha256(body).digest()
    with lock:
        same = digests.setdefault(address, digest) == digest
    if not same:
        found(kind, f"other bytes for {address}")


class Copy:
    def __init__(self, restarts):
        self.restarts, self.port = restarts, free_port()
        self.start()

    def start(self):
        self.server = Server(*COPY, port=self.port)

    def memory(self):
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def connect(self):
        while True:
            try:
                return Connection(self.port, HANG)
            except OSError:
                if not self.restarts:
                    raise
                time.sleep(0.05)


# ---- what clients ask on a connection ----------------------------------------------------------


def judge(kind, connection, due, method, target, body=None, headers=None):
    """503 is due at any time; `client.judge` sees that it says when to come again."""
    reply = connection.ask(method, target, body, headers)
    count(kind, reply.status)
    if reply.status not in due and reply.status != 503:
        found(kind, f"{method} {target} {body!r}: {reply}")
    return reply


def known(chance):
    name = chance.choice(sorted(SMALL))
    kind = chance.choice(SMALL[name])
    return f"/{name}{chance.choice(SUFFIXES)}?{kind}{'&' if kind else ''}seed={chance.randrange(KNOWN)}"


def hit(connection, chance):
    address = known(chance)
    reply = judge("hit", connection, {200, 422}, "GET", address)
    if reply.status == 200:
        compare("hit", address, reply.body)
        if chance.random() < 0.2:
            judge("conditional", connection, {304}, "GET", address, None, {"If-None-Match": reply.header("ETag")})


def miss(connection, chance):
    name = chance.choice(sorted(SMALL))
    judge("miss", connection, {200, 422}, "GET", f"/{name}?{chance.choice(SMALL[name])}".rstrip("?"))


def begin_later(connection, chance):
    target = f"{chance.choice(LARGE[:2])}&seed={chance.randrange(10**9)}"
    reply = judge("later", connection, {200, 202, 429}, "GET", target, None, ASYNC)
    return reply.header("Location") if reply.status == 202 else None


def later(connection, chance):
    place = begin_later(connection, chance)
    for _ in range(chance.randrange(1, 20) if place else 0):
        time.sleep(0.1)
        if judge("later", connection, {200, 202, 404, 422, 504}, "GET", place).status != 202:
            return
    if place:
        judge("later", connection, {204, 404, 405, 409}, "DELETE", place)


def other(connection, chance):
    method, target, body, due = chance.choice(OTHER)
    judge("other", connection, {due}, method, target, body)


USUAL = {hit: 60, miss: 15, other: 22, later: 0.2}

# ---- clients -----------------------------------------------------------------------------------


def regular(connection, chance):
    """Some hundred requests of all kinds."""
    for _ in range(chance.randrange(1, 200)):
        chance.choices(list(USUAL), list(USUAL.values()))[0](connection, chance)
        time.sleep(chance.choice([0] * 9 + [0.2 * chance.random()]))


def heavy(connection, chance):
    target = chance.choice(LARGE)
    judge("large", connection, {200, 422, 504}, "GET", f"{target}&seed={chance.randrange(99)}")
    time.sleep(chance.random() * 4)


def watcher(connection, chance):
    """Reads the events of a large map to their end."""
    place = begin_later(connection, chance)
    if place:
        connection.send(request("GET", place, None, {"Accept": "text/event-stream", "Connection": "close"}))
        connection.at_end()
        count("watcher")


def leaver(connection, chance):
    """Asks for something large and is gone before it comes."""
    connection.send(request("GET", f"{LARGE[chance.randrange(2)]}&seed={chance.randrange(10**6)}"))
    time.sleep(chance.random())
    count("leaver")


def dripping(connection, chance):
    """A head, or a body, that never ends: the server must end it."""
    drips = chance.choice([request("POST", "/regions", " " * 100000), b"GET /" + b"a" * 4000])
    end = time.monotonic() + HANG
    try:
        for at in range(0, len(drips), 7):
            connection.send(drips[at:at + 7])
            time.sleep(0.5)
            if time.monotonic() > end:
                found("dripping", "it was let go on for ever")
                return
    except OSError:
        count("dripping")


def slow_reader(connection, chance):
    """Takes next to nothing of a large answer: it is closed, or done, but not held for ever."""
    connection.send(request("GET", f"{LARGE[0]}&seed={chance.randrange(5)}"))
    end = time.monotonic() + 60
    while time.monotonic() < end and connection.socket.recv(512):
        time.sleep(0.5)
    count("slow reader")


def idle(_, chance):
    time.sleep(chance.random() * 20)
    count("idle")


CROWD = {regular: 12, heavy: 2, leaver: 1, dripping: 3, slow_reader: 3, idle: 20, watcher: 1}


def again(kind, copy, seed, end):
    """One client after another. One that is cut off is a finding, but for a restart."""
    chance = random.Random(seed)
    while time.monotonic() < end:
        try:
            with copy.connect() as connection:
                kind(connection, chance)
        except TimeoutError:
            found(kind.__name__, "a hang")
        except (Gone, OSError) as error:
            if not copy.restarts and kind is not slow_reader:
                found(kind.__name__, repr(error))
        except AssertionError as error:
            found(kind.__name__, error)


# ---- the copies --------------------------------------------------------------------------------


def restart(copy, end, chance):
    while time.monotonic() < end:
        time.sleep(5 + chance.random() * 25)
        copy.server.stop()
        copy.start()
        count("restart")


def watch(copy, end):
    samples = []
    while time.monotonic() < end:
        time.sleep(1)
        samples.append(copy.memory())
        if len(samples) % 60 == 0:
            print(f"{len(samples) // 60:3} min  {samples[-1]:7.1f} MiB  {dict(answers)}", flush=True)
    return samples


def judge_memory(samples):
    """After the first third: the last part may hold a tenth more than the middle one, and 8 MiB."""
    third = len(samples) // 3
    middle, last = (sum(part) / third for part in (samples[third:2 * third], samples[-third:]))
    print(f"memory of the copy left alone: {middle:.1f} MiB in the second third, {last:.1f} in the "
          f"last, {max(samples):.1f} at most")
    if len(samples) >= LONG_ENOUGH and last > middle * 1.1 + 8:
        found("memory", "it grew")


def main():
    minutes, seed = (float(word) for word in (sys.argv[2:] + ["60", "1"][len(sys.argv) - 2:]))
    calm, restarted = Copy(False), Copy(True)
    end, chance = time.monotonic() + minutes * 60, random.Random(int(seed))
    threads = [threading.Thread(target=restart, args=(restarted, end, chance))]
    threads += [threading.Thread(target=again, args=(kind, copy, chance.random(), end))
                for copy in (calm, restarted) for kind, number in CROWD.items() for _ in range(number)]
    for thread in threads:
        thread.start()
    samples = watch(calm, end)
    for thread in threads:
        thread.join()
    judge_memory(samples)
    for copy in (calm, restarted):
        copy.server.stop()
    print(f"{sum(answers.values())} answers by status {json.dumps(answers)}, by client {json.dumps(kinds)}; "
          f"{len(findings)} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
