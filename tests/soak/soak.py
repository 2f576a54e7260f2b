#!/usr/bin/env python3
"""soak.py: all that clients do to a service, good and bad, at once and for long.

    soak.py MAPWRIGHTD [MINUTES [SEED]]

Two copies run: one is left alone, and its memory must stay flat; the other is stopped by SIGTERM
and started again and again. Clients of a dozen kinds ask both. An answer that is not due (a wrong
status, other bytes for a known address, a connection closed under a request) is a finding. The last
line tells the sums; the exit code is 1 where there was a finding or memory grew.
"""
import asyncio
import hashlib
import json
import os
import random
import signal
import socket
import sys
import time

HEADER = 5  # seconds that a head may take
COPY = ["--cache-bytes=48M", "--log=off", f"--header-ms={HEADER}000", "--body-ms=8000",
        "--drain-ms=20000"]
LONG_ENOUGH = 600  # seconds before memory says anything
KNOWN = 300  # addresses asked for again and again
PATIENCE = 120  # seconds after which a wait is a hang

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
WRONG = [
    ("GET", "/regions?width=0", None, 400), ("GET", "/regions?nonsense=1", None, 400),
    ("GET", "/nowhere", None, 404), ("DELETE", "/regions", None, 405),
    ("GET", "/regions.vox", None, 406), ("POST", "/regions", b"{", 400),
    ("POST", "/areas", b'{"count": "many"}', 400), ("GET", "/regions?v=999", None, 410),
    ("GET", "/islands?width=4&height=4&islands=9,9&seed=1", None, 422),
    ("POST", "/puzzle/solve", b"{}", 400), ("GET", "/maps/" + "0" * 36, None, 404),
]
PAGES = ["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/version", "/problems/busy"]


class Gone(Exception):
    """The connection ended before a whole answer."""


class Slow(Gone):
    """And it was our fault."""


class Tally:
    def __init__(self):
        self.answers, self.undue, self.kinds = {}, [], {}
        self.digests = {}
        self.longest = 0.0

    def answer(self, kind, status):
        self.answers[status] = self.answers.get(status, 0) + 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def wrong(self, kind, what):
        self.undue.append(f"{kind}: {what}")
        print("UNDUE", self.undue[-1], flush=True)

    def same(self, kind, address, body):
        digest = hashlib.sha256(body).digest()
        if self.digests.setdefault(address, digest) != digest:
            self.wrong(kind, f"other bytes for {address}")


tally = Tally()


class Copy:
    """A server, and whether connections to it may end early just now."""

    def __init__(self, binary, restarts):
        self.binary, self.restarts = binary, restarts
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.ends = asyncio.Event()

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            self.binary, f"--port={self.port}", *COPY, stdout=asyncio.subprocess.DEVNULL)
        for _ in range(1000):
            try:
                (await asyncio.open_connection("127.0.0.1", self.port))[1].close()
                return
            except OSError:
                await asyncio.sleep(0.02)
        raise SystemExit("a copy does not listen")

    async def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = await asyncio.wait_for(self.process.wait(), PATIENCE)
        if code:
            tally.wrong("restart", f"a copy ended with {code}")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as line:
            fields = line.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """One connection."""

    def __init__(self, copy):
        self.copy, self.slow, self.since = copy, False, 0.0
        self.asked, self.before = b"", "nothing"  # what was asked last; what the answer before said
        self.last = False  # the answer closed it, as 304 does for a map whose length is not known

    async def __aenter__(self):
        while True:
            try:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.copy.port, limit=1 << 20)
                self.since = time.monotonic()
                return self
            except OSError:  # it is being started again
                if not self.copy.restarts:
                    raise
                await asyncio.sleep(0.05)

    async def __aexit__(self, *_):
        self.writer.close()

    async def send(self, data):
        if time.monotonic() - self.since > HEADER - 1:
            self.slow = True  # we are many on a busy machine: this is for the server to end
        try:
            self.asked = data[:80]
            self.writer.write(data)
            await self.writer.drain()
        except OSError as error:
            raise Gone(str(error)) from error

    async def head(self):
        try:
            text = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        except (asyncio.IncompleteReadError, OSError) as error:
            waited = time.monotonic() - self.since
            why = (f"before a head, after {waited:.1f} s: {error!r} to {self.asked!r} "
                   f"behind {self.before}")
            raise (Slow if self.slow else Gone)(why) from error
        lines = text.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(":", 1) for line in lines[1:] if line)
        self.before = f"{lines[0]} {fields.get('connection')}"
        self.last = "close" in fields.get("connection", "")
        return int(lines[0].split()[1]), {k: v.strip() for k, v in fields.items()}

    async def answer(self, method="GET"):
        status, fields = await self.head()
        while status < 200:
            status, fields = await self.head()
        length = 0 if method == "HEAD" or status in (204, 304) else int(fields["content-length"])
        try:
            body = await asyncio.wait_for(self.reader.readexactly(length), PATIENCE)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise Gone("within a body") from error
        return status, fields, body

    async def ask(self, method, target, body=None, fields=()):
        await self.send(spell(method, target, body, fields))
        answer = await self.answer(method)
        self.since = time.monotonic()
        return answer


def spell(method, target, body=None, fields=()):
    lines = [f"{method} {target} HTTP/1.1", "Host: soak", *fields]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


# ---- what clients do -------------------------------------------------------------------------


def known(chance):
    name = chance.choice(sorted(SMALL))
    kind = chance.choice(SMALL[name])
    return f"{name}{chance.choice(SUFFIXES)}?{kind}{'&' if kind else ''}seed={chance.randrange(KNOWN)}"


async def judged(kind, client, due, method, target, body=None, fields=()):
    """Asks; 503 is due at any time if it says when to come again, and so is 504."""
    began = time.monotonic()
    status, said, got = await client.ask(method, target, body, fields)
    tally.longest = max(tally.longest, time.monotonic() - began)
    tally.answer(kind, status)
    busy = status == 503 and "retry-after" in said
    if status not in due and not busy:
        tally.wrong(kind, f"{method} {target} {body!r}: {status} {got[:200]!r}")
    return status, said, got


async def hit(client, chance):
    address = "/" + known(chance)
    status, said, body = await judged("hit", client, {200, 422}, "GET", address)
    if status == 200:
        tally.same("hit", address, body)
        if chance.random() < 0.2:
            await judged("conditional", client, {304}, "GET", address, None,
                         [f"If-None-Match: {said['etag']}"])


async def miss(client, chance):
    name = chance.choice(sorted(SMALL))
    fields = chance.choice(SMALL[name])
    target = f"/{name}?{fields}"
    await judged("miss", client, {200, 422}, "GET", target.rstrip("?"))


async def post(client, chance):
    body = {"seed": chance.randrange(KNOWN), "width": chance.randrange(20, 60)}
    name = chance.choice(["regions", "areas"])
    await judged("post", client, {200}, "POST", f"/{name}", json.dumps(body).encode())


async def wrong(client, chance):
    method, target, body, due = chance.choice(WRONG)
    await judged("wrong", client, {due}, method, target, body)


async def page(client, chance):
    await judged("page", client, {200, 503}, chance.choice(["GET", "HEAD"]), chance.choice(PAGES))


async def big_body(client, chance):
    rows = ["".join(chance.choice("#.") for _ in range(200))] * 200
    numbers = json.dumps({"sizes": [chance.randrange(9) for _ in range(chance.randrange(60000))]})
    body = json.dumps({"mask": rows, "count": 400}) if chance.random() < 0.5 else numbers
    await judged("big body", client, {200, 400, 422}, "POST", "/regions", body.encode())


async def pipelined(client, chance):
    targets = ["/" + known(chance) for _ in range(chance.randrange(2, 20))]
    await client.send(b"".join(spell("GET", target) for target in targets))
    for target in targets:
        status, _, body = await client.answer()
        tally.answer("pipelined", status)
        if status == 200:
            tally.same("pipelined", target, body)


async def query(client, chance):
    body = json.dumps({"seed": chance.randrange(KNOWN), "width": 30}).encode()
    await judged("query", client, {200}, "QUERY", "/areas", body)


async def later(client, chance):
    """Asks for something large, to be had later; looks how far it is, or ends it, or watches."""
    target = f"{chance.choice(LARGE[:2])}&seed={chance.randrange(10**9)}"
    status, said, _ = await judged("later", client, {200, 202, 429}, "GET", target, None,
                                   ["Prefer: respond-async"])
    if status != 202:
        return
    place = said["location"]
    for _ in range(chance.randrange(1, 20)):
        await asyncio.sleep(0.1)
        status, _, _ = await judged("later", client, {200, 202, 404, 422, 504}, "GET", place)
        if status != 202:
            return
    await judged("later", client, {204, 404, 405, 409}, "DELETE", place)


async def watcher(copy, chance):
    """Asks for something large and reads the events of its making to the end."""
    async with Client(copy) as client:
        target = f"{LARGE[1]}&seed={chance.randrange(10**9)}"
        status, said, _ = await judged("watcher", client, {200, 202, 429}, "GET", target, None,
                                       ["Prefer: respond-async"])
        if status != 202:
            return
        await client.send(spell("GET", said["location"], None, ["Accept: text/event-stream"]))
        status, _ = await client.head()
        tally.answer("watcher", status)
        end = time.monotonic() + PATIENCE
        while status == 200 and time.monotonic() < end:
            if not await asyncio.wait_for(client.reader.read(1 << 16), PATIENCE):
                break
    await asyncio.sleep(chance.random() * 5)


async def large(client, chance):
    target = chance.choice(LARGE)
    joint = "&" if "?" in target else "?"
    await judged("large", client, {200, 422, 504}, "GET", f"{target}{joint}seed={chance.randrange(99)}")


USUAL = [(hit, 60), (miss, 15), (post, 8), (wrong, 10), (page, 4), (pipelined, 4), (big_body, 1),
         (query, 4), (later, 0.2)]


async def regular(copy, chance):
    """A connection with some hundred requests of all kinds."""
    async with Client(copy) as client:
        kinds, weights = zip(*USUAL)
        for _ in range(chance.randrange(1, 200)):
            await chance.choices(kinds, weights)[0](client, chance)
            if client.last:
                return
            if chance.random() < 0.1:
                await asyncio.sleep(chance.random() * 0.2)


async def heavy(copy, chance):
    async with Client(copy) as client:
        await large(client, chance)
    await asyncio.sleep(chance.random() * 4)


async def leaver(copy, chance):
    """Asks for something large and is gone before it comes."""
    async with Client(copy) as client:
        target = f"{LARGE[chance.randrange(2)]}&seed={chance.randrange(10**6)}"
        await client.send(spell("GET", target))
        await asyncio.sleep(chance.random())
    tally.answer("leaver", 0)


async def dripping(copy, chance):
    """A head, or a body, that never ends: the server must end it."""
    request = spell("POST", "/regions", b" " * 100000)
    if chance.random() < 0.5:
        request = b"GET /" + b"a" * 4000
    async with Client(copy) as client:
        began = time.monotonic()
        try:
            for at in range(0, len(request), 7):
                await client.send(request[at:at + 7])
                if client.reader.at_eof():
                    break
                await asyncio.sleep(0.5)
                if time.monotonic() - began > PATIENCE:
                    return tally.wrong("dripping", "it was let go on for ever")
        except Gone:
            pass
    tally.answer("dripping", 0)


async def slow_reader(copy, chance):
    """Takes next to nothing of a large answer: it is closed, or done, but not held for ever."""
    async with Client(copy) as client:
        await client.send(spell("GET", f"{LARGE[0]}&seed={chance.randrange(5)}"))
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if not await asyncio.wait_for(client.reader.read(512), PATIENCE):
                break
            await asyncio.sleep(0.5)
    tally.answer("slow reader", 0)


def spoiled(chance):
    request = bytearray(spell("POST", "/" + known(chance), b'{"seed": 5}') * chance.randrange(1, 4))
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(request))
        if chance.random() < 0.5:
            request[at] = chance.randrange(256)
        else:
            request[at:at + chance.randrange(9)] = bytes(chance.choices(b"\r\n\0 :;=,\x7f", k=4))
    return bytes(request)


async def hostile(copy, chance):
    """Spoiled requests: whatever is said, the connection must not stay open and silent."""
    async with Client(copy) as client:
        await client.send(spoiled(chance))
        client.writer.write_eof()
        while await asyncio.wait_for(client.reader.read(1 << 16), PATIENCE):
            pass
    tally.answer("hostile", 0)
    await asyncio.sleep(chance.random() * 0.2)


async def idle(copy, chance):
    async with Client(copy):
        await asyncio.sleep(chance.random() * 20)
    tally.answer("idle", 0)


async def again(kind, copy, seed, end):
    """One client after another of a kind. One that is cut off is a finding, but for a restart."""
    chance = random.Random(seed)
    while time.monotonic() < end:
        try:
            await kind(copy, chance)
        except Slow:
            tally.answer("slow", 0)
        except (Gone, OSError) as error:
            if not copy.restarts and kind is not hostile:
                tally.wrong(kind.__name__, repr(error))
        except asyncio.TimeoutError:
            tally.wrong(kind.__name__, "a hang")
        await asyncio.sleep(0)


CROWD = [(regular, 12), (heavy, 2), (leaver, 1), (dripping, 3), (slow_reader, 3), (hostile, 3),
         (idle, 20), (watcher, 1)]

# ---- the copies --------------------------------------------------------------------------------


async def restarting(copy, end, chance):
    while time.monotonic() < end:
        await asyncio.sleep(5 + chance.random() * 25)
        await copy.stop()
        await copy.start()
        tally.answer("restart", 0)


async def watch(copy, began, end):
    samples = []
    told = began
    while time.monotonic() < end:
        await asyncio.sleep(1)
        samples.append((time.monotonic() - began, copy.memory()))
        if time.monotonic() - told >= 60:
            told = time.monotonic()
            print(f"{(told - began) / 60:5.1f} min  {samples[-1][1] / 1024:7.1f} MiB  "
                  f"{copy.cpu():7.1f} s CPU  {sum(tally.answers.values())} answers "
                  f"{dict(sorted(tally.answers.items()))}  {len(tally.undue)} undue", flush=True)
    return samples


def mean(values):
    return sum(values) / len(values)


def judge_memory(samples):
    """After the first third: the last part may hold a tenth more than the middle one, and 8 MiB."""
    if samples[-1][0] < LONG_ENOUGH:
        return
    third = len(samples) // 3
    middle, last = (mean([kib for _, kib in part]) / 1024
                    for part in (samples[third:2 * third], samples[2 * third:]))
    print(f"memory of the copy left alone: {middle:.1f} MiB in the second third, {last:.1f} in the "
          f"last, {max(kib for _, kib in samples) / 1024:.1f} at most")
    if last > middle * 1.1 + 8:
        tally.wrong("memory", "it grew")


async def soak(binary, minutes, seed):
    calm, restarted = Copy(binary, False), Copy(binary, True)
    await calm.start()
    await restarted.start()
    began = time.monotonic()
    end = began + minutes * 60
    chance = random.Random(seed)
    clients = [again(kind, copy, chance.random(), end)
               for copy in (calm, restarted) for kind, count in CROWD for _ in range(count)]
    results = await asyncio.gather(watch(calm, began, end), restarting(restarted, end, chance),
                                   *clients)
    judge_memory(results[0])
    await calm.stop()
    await restarted.stop()
    print(f"{sum(tally.answers.values())} answers by status {dict(sorted(tally.answers.items()))}, "
          f"by client {tally.kinds}; the longest took {tally.longest:.1f} s; "
          f"{len(tally.undue)} undue")


def main():
    binary = os.path.abspath(sys.argv[1])
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    asyncio.run(soak(binary, minutes, seed))
    sys.exit(bool(tally.undue))


if __name__ == "__main__":
    main()
