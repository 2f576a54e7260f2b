"""One memory for many copies: a real Redis that is there, goes, fills, is slow or lies."""
import hmac
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Gone
from redis import Redis, Way, certify, garbled, silent, slow
from server import NO_HURRY, PATIENCE, Server, until
from test_async import Events

KEY = "--store-key=a key of the copies in this test"
ASKED = ["--store-wait-ms=20000", "--store-least-us=0"]  # for every map, and waited for
WITHOUT_HURRY = [*NO_HURRY, KEY, *ASKED, "--async-ms=3000000"]
NOBODY = "/maps/00000000-0000-5000-8000-000000000000"


def url(redis, database=0):
    secret = f":{redis.password}@" if getattr(redis, "password", None) else ""
    return f"--store=redis://{secret}127.0.0.1:{redis.port}/{database}"


class Copy(Server):
    """One that has reached its store."""

    def __init__(self, store, *flags):
        super().__init__(store if isinstance(store, str) else url(store), *flags)
        self.await_metric("mapwright_store_open", 1)

    def asked(self, result):
        return self.metric(f'mapwright_store_questions_total{{result="{result}"}}')

    def await_kept(self, writes):
        self.await_metric('mapwright_store_writes_total{outcome="kept"}', writes)


@pytest.fixture(scope="module")
def redis():
    with Redis() as redis:
        yield redis


@pytest.fixture(scope="module")
def pair(redis):
    with Copy(redis, *WITHOUT_HURRY) as one, Copy(redis, *WITHOUT_HURRY) as two:
        yield one, two


def made(copies):
    return sum(copy.metric('mapwright_maps_total{outcome="made"}') for copy in copies)


# ---- what one made, the other has ----------------------------------------------------------------------


@pytest.mark.parametrize("target, coding", [
    ("/regions?seed=f0", None), ("/regions?seed=f1", "gzip"), ("/regions.svg?seed=f2", "zstd"),
    ("/regions.cbor?seed=f3", None),
    ("/regions.svg?seed=f4&theme=dark", None), ("/regions.svg?seed=f4&theme=dark&scale=3", None)])
def test_another_copy_finds_the_map(pair, server, target, coding):
    kept, found = pair[0].metric('mapwright_store_writes_total{outcome="kept"}'), pair[1].asked("found")
    own, first = (copy.get(target, Accept_Encoding=coding) for copy in (server, pair[0]))
    pair[0].await_kept(kept + 2)
    other = pair[1].get(target, Accept_Encoding=coding)
    assert other.body == own.body == first.body and pair[1].asked("found") == found + 1
    for name in ("ETag", "Content-Encoding", "Content-Type", "Content-Location", "Vary"):
        assert other.header(name) == own.header(name), name
    assert "store;dur=" in other.header("Server-Timing")


def test_every_copy_knows_a_map_by_its_id(pair):
    """Whatever its address: short, or too long for one. What was written a moment ago may be on its way."""
    rows = ["#" * 200] * 99 + ["#." * 100]
    for body in ({"seed": "id"}, {}, {"seed": "id", "mask": rows}):
        reply = pair[0].post("/regions", body)
        place = f"/maps/{reply.json()['id']}"
        until(lambda: pair[1].get(place).status == 200)
        assert pair[1].get(place).body == reply.body
        assert pair[1].get(f"{place}.png").body == pair[0].get(f"{place}.png").body
    assert pair[1].get(NOBODY).status == 404 == pair[1].ask("DELETE", NOBODY).status
    assert pair[1].ask("DELETE", place).status == 409 and pair[1].get(place).status == 200


def test_fast_maps_are_not_looked_for(redis):
    with Copy(redis, *NO_HURRY, "--store-wait-ms=20000", "--store-least-us=1000000000") as copy:
        reply = copy.get("/regions?seed=cheap")
        copy.await_kept(1)
        assert "store" not in reply.header("Server-Timing")
        assert b"--store-key" in copy.said(copy.errors), "a store without a key is warned of"
    key = f"mapwright:a:{reply.json()['id']}"
    assert key in redis.keys("a") and not [name for name in redis.keys("m") if reply.json()["id"] in name]


def test_a_herd_on_all_copies_makes_one_map_a_copy(pair):
    before, barrier = made(pair), threading.Barrier(40)

    def ask(client):
        with pair[client % 2].connect() as connection:
            barrier.wait(PATIENCE)
            return connection.ask("GET", "/islands?width=300&height=300&seed=herd").body

    with ThreadPoolExecutor(40) as clients:
        assert len(set(clients.map(ask, range(40)))) == 1
    assert 1 <= made(pair) - before <= 2


# ---- long work: 202 and DELETE on any copy ---------------------------------------------------------------

# A client that waits for a map has it at once, or not at all.
BRISK = [KEY, *ASKED, "--deadline-ms=150", "--wait-ms=3000000", "--async-ms=3000000", "--workers=1"]


def begin(copy, path, body, headers=None):
    reply = copy.ask("POST", path, body, {"Prefer": "respond-async"} | (headers or {}))
    assert reply.status == 202
    return reply.header("Location")


def begin_slow(copy, seed, headers=None):
    """Work of some seconds, which the test cancels."""
    return begin(copy, "/regions", {"width": 4096, "height": 4096, "count": 60000, "seed": seed}, headers)


def await_state(redis, place, written=True):
    """Until the copy that does the work has written so."""
    until(lambda: bool(redis.keys(f"j:{place[6:]}")) == written)


def await_map(copy, place):
    """The map, and what was told of its state before."""
    told, end = [], time.monotonic() + PATIENCE
    while (reply := copy.get(place)).status == 202:
        assert time.monotonic() < end
        told.append(reply.json())
        time.sleep(0.05)
    return reply, told


def await_end(copy):
    for what in ("mapwright_operations", "mapwright_workers_busy"):
        until(lambda: not copy.metric(what), f"{what} is not none")


def test_long_work_is_known_to_every_copy(pair, redis):
    before = made(pair)
    place = begin(pair[0], "/islands", {"width": 3000, "height": 3000, "seed": "long"})
    await_state(redis, place)
    reply, told = await_map(pair[1], place)
    assert reply.status == 200 and reply.body == pair[0].get(place).body
    assert told and {one["state"] for one in told} <= {"waiting", "running"}
    assert all(one["self"].startswith("/islands?") and f"/maps/{one['id']}" == place for one in told)
    shares = [one["progress"] for one in told]
    assert shares == sorted(shares) and shares[-1] < 1 and made(pair) - before == 1


@pytest.mark.parametrize("leave", ["terminate", "kill"])
def test_a_promise_outlives_its_copy(redis, leave):
    """202 was said: another copy goes on saying so, and makes the map, though it would be too long to wait for."""
    with Copy(redis, *BRISK) as two:
        one = Copy(redis, *BRISK)
        place = begin(one, "/islands", {"width": 2000, "height": 2000, "seed": leave})
        await_state(redis, place)
        getattr(one if leave == "terminate" else one.process, leave)()
        one.ended()
        reply = two.get(place)
        assert reply.status == 202 and reply.header("Preference-Applied") is None
        reply, _ = await_map(two, place)
        assert reply.status == 200 and f"/maps/{reply.json()['id']}" == place, reply


def test_a_draining_copy_sends_to_another(redis):
    """What it has let go of is not begun anew by itself; and the other can be told to end it."""
    with Copy(redis, *BRISK) as two:
        one = Copy(redis, *BRISK, "--drain-ms=3600000")
        place = begin_slow(one, "sent")
        await_state(redis, place)
        with one.connect() as poller:
            assert poller.ask("GET", place).status == 202
            one.terminate()
            try:
                reply = poller.ask("GET", place)
                assert reply.status == 202 or reply.problem(503, "draining")
            except (Gone, OSError):
                pass
        assert one.ended() == 0
        assert two.get(place).status == 202
        assert two.ask("DELETE", place).status == 204


def test_delete_ends_work_wherever_it_runs(pair, redis):
    place = begin_slow(pair[0], "ended elsewhere")
    await_state(redis, place)
    events = Events(pair[0], place)
    assert begin_slow(pair[1], "ended elsewhere") == place, "one waits for what the other makes"
    reply = pair[1].ask("DELETE", place)
    assert reply.status == 204 and reply.body == b""
    name, problem = list(events)[-1]
    assert name == "failed" and problem["status"] == 404
    for copy in pair:
        await_end(copy)
    await_state(redis, place, False)
    assert begin_slow(pair[0], "ended elsewhere") == place, "it can be requested again"
    assert pair[0].ask("DELETE", place).status == 204


def test_only_the_same_client_can_delete_on_another_copy(redis, tmp_path):
    """By its address, or by the name of any of its keys."""
    (tmp_path / "keys").write_text("first-key ci\nsecond-key ci\nthird-key other\n")
    addresses = [{"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2, 1)]
    keys = [{"Authorization": f"Bearer {word}-key"} for word in ("first", "third", "second")]
    for flag, (one, other, same) in (("--trusted-proxies=127.0.0.1", addresses),
                                     (f"--keys-file={tmp_path / 'keys'}", keys)):
        flags = [*WITHOUT_HURRY, "--workers=1", flag]
        with Copy(redis, *flags) as here, Copy(redis, *flags) as there:
            place = begin_slow(here, f"of one by {flag[:9]}", one)
            await_state(redis, place)
            assert there.ask("DELETE", place, None, other).status == 409
            assert len(redis.keys(f"j:{place[6:]}")) == 1 and not redis.keys(f"c:{place[6:]}")
            assert there.ask("DELETE", place, None, same).status == 204
            await_end(here)
            await_state(redis, place, False)


# ---- whatever becomes of the store ---------------------------------------------------------------------


class Load:
    """Clients that ask two copies for maps, the same ones and others, and know what they should get."""

    def __init__(self, copies, truth, name):
        self.copies, self.name, self.enough = copies, name, threading.Event()
        self.truth = [truth.get(self.target(i)).body for i in range(24)]
        self.answered, self.wrong = 0, []
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(4)]
        for thread in self.threads:
            thread.start()

    def target(self, i):
        return f"/regions.{('json', 'svg')[i % 2]}?width=60&height=60&seed={self.name}-{i}"

    def run(self, client):
        with self.copies[client % 2].connect() as connection:
            i = client
            while not self.enough.is_set():
                i += 1
                reply = connection.ask("GET", self.target(i % 24))
                if reply.status != 200 or reply.body != self.truth[i % 24]:
                    self.wrong.append(reply)
                self.answered += 1
                time.sleep(0.01)

    def go_on(self, requests):
        """Until so many more are answered."""
        wanted = self.answered + requests
        until(lambda: self.answered >= wanted, "answers stay out")

    def finish(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(PATIENCE)
        assert not self.wrong, self.wrong[:3]


# Nothing is kept by the copies themselves, so that each request asks the store.
FORGETFUL = [*NO_HURRY, "--cache-bytes=0", "--store-least-us=0"]


def test_a_store_that_goes_and_comes(server):
    redis = Redis()
    with Copy(redis, *FORGETFUL, "--store-wait-ms=20000") as one, Copy(redis, *FORGETFUL,
                                                                       "--store-wait-ms=20000") as two:
        load = Load((one, two), server, "gone")
        load.go_on(100)
        for _ in range(2):
            redis.kill()
            load.go_on(100)
            one.await_metric("mapwright_store_breaks_total", 1)
            redis = Redis(port=redis.port)
            for copy in (one, two):
                copy.await_metric("mapwright_store_open", 1)
            one.await_metric('mapwright_store_questions_total{result="found"}', one.asked("found") + 1)
            load.go_on(100)
        load.finish()
        lines = one.log_lines("store")
        assert [line["open"] for line in lines] == [True, False, True, False, True]
        assert all(line["why"] for line in lines if not line["open"])
    redis.stop()


@pytest.mark.parametrize("change", [silent, slow])
def test_a_store_that_is_slow(redis, server, change):
    """What it holds back is not waited for."""
    with Way(redis.port) as way:
        with Copy(way, *FORGETFUL, "--store-wait-ms=50") as one, Copy(way, *FORGETFUL, "--store-wait-ms=50") as two:
            load = Load((one, two), server, change.__name__)
            load.go_on(50)
            way.change = change
            one.await_metric("mapwright_store_breaks_total", 1)
            load.go_on(300)
            assert one.metric("mapwright_store_open") == 0
            waits = one.asked("unanswered")
            load.go_on(100)
            assert one.asked("unanswered") == waits, "it is asked again and again"
            way.change = lambda piece: piece
            one.await_metric("mapwright_store_open", 1)
            load.go_on(50)
            load.finish()


def test_a_store_that_returns_garbage(server):
    with Redis() as redis, Way(redis.port) as way:
        with Copy(way, *FORGETFUL, "--store-wait-ms=200") as one, Copy(way, *FORGETFUL, "--store-wait-ms=200") as two:
            load = Load((one, two), server, "lies")
            load.go_on(100)
            way.change = garbled(random.Random(7))
            one.await_metric('mapwright_store_questions_total{result="wrong"}', 3)
            two.await_metric("mapwright_store_breaks_total", 2)
            load.finish()


def await_map_in(redis, reply):
    """The name under which it is kept."""
    def names():
        return [name for name in redis.keys("m") if name.endswith(f"{reply.json()['id']}.json")]
    until(names)
    return names()[0]


@pytest.mark.parametrize("keys", [[], ["--store-key=the key of somebody else"]])
def test_a_forged_value_is_not_believed(redis, pair, server, keys):
    """Sealed as whoever may write to the store would do it, though without the key of the copies."""
    target = f"/areas?seed=forged-{len(keys)}"
    with Redis() as own, Copy(own, *NO_HURRY, *ASKED, *keys) as forger:
        name = await_map_in(own, forger.get(target))
        forged = own.dump(name)
    redis.restore(name, forged)
    wrong, truth = pair[1].asked("wrong"), server.get(target).body
    assert pair[1].get(target).body == truth and pair[1].asked("wrong") == wrong + 1
    until(lambda: redis.dump(name) != forged, "it is not written anew")
    assert pair[0].get(target).body == truth


def frame(content):
    """Of zstd, as RFC 8878, 3.1.1, has it: one block, not compressed."""
    size = len(content)
    return b"\x28\xb5\x2f\xfd\xa0" + size.to_bytes(4, "little") + (size << 3 | 1).to_bytes(3, "little") + content


def test_an_address_of_another_map_is_not_believed(redis, server):
    """Though its seal is good: the id follows from the address."""
    known = server.get("/areas?seed=sealed").json()
    address = known["self"].encode()
    for place in (f"/maps/{known['id']}", NOBODY):
        name, rest = f"mapwright:a:{place[6:]}", frame(address)
        redis.restore(name, hmac.digest(b"", name.encode() + b"\0" + rest, "sha256") + rest)
    with Copy(redis, *NO_HURRY, "--store-wait-ms=20000") as copy:
        assert copy.get(f"/maps/{known['id']}").status == 200 and copy.get(NOBODY).status == 404


def test_a_store_with_the_maps_of_others(redis, pair):
    """One map in the place of another, as if names were mixed up: whole, and not what was asked for. Then one that is
    too large."""
    replies = [pair[0].get(f"/areas?seed=mixed-{i}") for i in range(2)]
    names, wrong, breaks = [await_map_in(redis, reply) for reply in replies], pair[1].asked("wrong"), \
        pair[1].metric("mapwright_store_breaks_total")
    redis.said_to("setrange", names[0], str(100 << 20), "x")
    assert pair[1].get("/areas?seed=mixed-0").body == replies[0].body
    until(lambda: len(redis.dump(names[0])) < 1 << 20, "it is not written anew")
    redis.said_to("rename", names[0], names[1])
    assert pair[1].get("/areas?seed=mixed-1").body == replies[1].body
    assert pair[1].asked("wrong") == wrong + 2
    assert pair[1].metric("mapwright_store_breaks_total") == breaks and pair[1].metric("mapwright_store_open") == 1


def judge_without(copy, why=""):
    """It has no store, says why, and all goes on."""
    copy.await_said(copy.log, b'"open":false')
    assert why in copy.log_lines("store")[0]["why"]
    reply = copy.get("/regions?seed=alone")
    assert reply.status == 200 and "store" not in reply.header("Server-Timing") and copy.get(NOBODY).status == 404
    assert copy.metric("mapwright_store_open") == 0


def test_a_store_with_a_password():
    with Redis(password="s3cret%/@:") as redis:
        redis.password, plain = "s3cret%25%2F%40%3A", redis.password
        with Copy(url(redis, 5), *WITHOUT_HURRY) as copy:
            copy.get("/regions?seed=secret")
            copy.await_kept(2)
            said = copy.said(copy.log) + copy.said(copy.errors)
            assert b"s3cret" not in said and KEY.split("=")[1].encode() not in said
        redis.password = "wrong"
        with Server(url(redis, 5), *WITHOUT_HURRY) as copy:
            judge_without(copy, "WRONGPASS")
        redis.password = plain
        assert len(redis.keys("a", database=5)) == 1 and not redis.keys("a")


# ---- TLS -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    for name, host, ca in (("ca", "ca of the studio", None), ("other", "ca of others", None),
                           ("address", "127.0.0.1", "ca"),
                           ("name", "localhost", "ca"), ("elsewhere", "192.0.2.1", "ca")):
        certify(folder, name, host, ca)
    return folder


@pytest.mark.parametrize("host, name", [("127.0.0.1", "address"), ("localhost", "name")])
def test_a_store_by_tls(certificates, server, host, name):
    with Redis(tls=certificates / name) as redis:
        flags = [f"--store=rediss://{host}:{redis.port}", f"--store-ca={certificates}/ca.crt", *WITHOUT_HURRY]
        with Copy(*flags) as one, Copy(*flags) as two:
            for i in range(20):
                target = f"/regions.svg?width=60&height=60&seed=tls-{i}"
                body = server.get(target).body
                assert one.get(target).body == body
                one.await_kept(2 * i + 2)
                assert two.get(target).body == body
            assert two.asked("found") == 20 and two.metric("mapwright_store_breaks_total") == 0


@pytest.mark.parametrize("certificate, scheme, flags, why", [
    ("address", "rediss", ["--store-ca=other.crt"], "NOT trusted"), ("address", "rediss", [], "NOT trusted"),
    ("elsewhere", "rediss", ["--store-ca=ca.crt"], "name"), (None, "rediss", ["--store-ca=ca.crt"], ""),
    ("address", "redis", [], "")], ids=["another CA", "the system's CAs", "another host", "no TLS",
                                        "TLS that was not asked for"])
def test_a_store_that_cannot_be_trusted(certificates, monkeypatch, certificate, scheme, flags, why):
    """It counts as down, and all goes on."""
    monkeypatch.chdir(certificates)
    with Redis(tls=certificate and certificates / certificate) as redis:
        with Server(f"--store={scheme}://127.0.0.1:{redis.port}", *flags, *NO_HURRY, KEY,
                    "--store-wait-ms=500") as copy:
            judge_without(copy, why)


def test_no_store_at_that_address(certificates):
    with Server("--store=redis://127.0.0.1:1/", *WITHOUT_HURRY) as copy:
        judge_without(copy)
    with pytest.raises(AssertionError, match="--store-ca"):
        Server("--store=rediss://127.0.0.1:1", f"--store-ca={certificates}/ca.key")
