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
WITHOUT_HURRY = [*NO_HURRY, KEY, "--store-wait-ms=20000", "--store-least-us=0"]


def url(redis, database=0):
    secret = f":{redis.password}@" if getattr(redis, "password", None) else ""
    return f"--store=redis://{secret}127.0.0.1:{redis.port}/{database}"


def copies_of(store, *flags):
    one, two = (Server(url(store), *flags) for _ in range(2))
    for copy in (one, two):
        copy.await_metric("mapwright_store_open", 1)
    return one, two


@pytest.fixture(scope="module")
def redis():
    with Redis() as redis:
        yield redis


@pytest.fixture(scope="module")
def pair(redis):
    one, two = copies_of(redis, *WITHOUT_HURRY, "--async-ms=3000000")
    with one, two:
        yield one, two


def asked(copy, result):
    return copy.metric(f'mapwright_store_questions_total{{result="{result}"}}')


def made(copies):
    return sum(copy.metric('mapwright_maps_total{outcome="made"}') for copy in copies)


def await_kept(copy, writes):
    copy.await_metric('mapwright_store_writes_total{outcome="kept"}', writes)


# ---- what one made, the other has ----------------------------------------------------------------------


@pytest.mark.parametrize("format, coding", [
    ("json", None), ("json", "gzip"), ("svg", "zstd"), ("png", "zstd"), ("txt", "gzip"), ("cbor", None)])
def test_another_copy_finds_the_map(pair, server, format, coding):
    target = f"/regions.{format}?seed=found-{coding}"
    headers = {"Accept-Encoding": coding} if coding else {}
    kept = pair[0].metric('mapwright_store_writes_total{outcome="kept"}')
    found = asked(pair[1], "found")
    own = server.ask("GET", target, None, headers)
    assert pair[0].ask("GET", target, None, headers).body == own.body
    await_kept(pair[0], kept + 2)
    other = pair[1].ask("GET", target, None, headers)
    assert other.body == own.body and asked(pair[1], "found") == found + 1
    for name in ("ETag", "Content-Encoding", "Content-Type", "Content-Location", "Vary"):
        assert other.header(name) == own.header(name), name
    assert "store;dur=" in other.header("Server-Timing")


def test_looks_are_kept_apart(pair, server):
    for look in ("", "&theme=dark", "&scale=3", "&theme=dark&scale=3"):
        for copy in (*pair, server):
            copy.get(f"/regions.svg?seed=looks{look}")
    bodies = [[copy.get(f"/regions.svg?seed=looks{look}").body for copy in (*pair, server)]
              for look in ("", "&theme=dark", "&scale=3", "&theme=dark&scale=3")]
    assert all(len(set(same)) == 1 for same in bodies) and len({same[0] for same in bodies}) == 4


def test_every_copy_knows_a_map_by_its_id(pair):
    """Whatever its address: short, or too long for one. What was written a moment ago may be on its way."""
    rows = ["#" * 200] * 99 + ["#." * 100]
    for body in ({"seed": "id"}, {}, {"seed": "id", "mask": rows}):
        reply = pair[0].post("/regions", body)
        place = f"/maps/{reply.json()['id']}"
        end = time.monotonic() + PATIENCE
        while (other := pair[1].get(place)).status in (202, 404):
            assert time.monotonic() < end
        assert other.body == reply.body
        assert pair[1].get(f"{place}.png").body == pair[0].get(f"{place}.png").body
    assert pair[1].get("/maps/00000000-0000-5000-8000-000000000000").status == 404


def test_fast_maps_are_not_looked_for(redis):
    with Server(url(redis), *NO_HURRY, "--store-wait-ms=20000", "--store-least-us=1000000000") as copy:
        copy.await_metric("mapwright_store_open", 1)
        reply = copy.get("/regions?seed=cheap")
        await_kept(copy, 1)
        assert "store" not in reply.header("Server-Timing")
    key = f"mapwright:a:{reply.json()['id']}"
    assert key in redis.keys("a") and not [name for name in redis.keys("m") if reply.json()["id"] in name]


# ---- a map is made once by each copy ---------------------------------------------------------------------


def test_a_herd_on_all_copies_makes_one_map_a_copy(pair):
    before, barrier = made(pair), threading.Barrier(40)

    def ask(client):
        with pair[client % 2].connect() as connection:
            barrier.wait(PATIENCE)
            return connection.ask("GET", "/islands?width=300&height=300&seed=herd").body

    with ThreadPoolExecutor(40) as clients:
        assert len(set(clients.map(ask, range(40)))) == 1
    assert 1 <= made(pair) - before <= 2


# ---- long work -------------------------------------------------------------------------------------------


def want_long(copy, seed, side):
    return copy.ask("POST", "/islands", {"width": side, "height": side, "seed": seed},
                    {"Prefer": "respond-async"})


def begin_long(copy, seed, side=1500):
    reply = want_long(copy, seed, side)
    assert reply.status == 202
    return reply.header("Location")


def await_state(redis, place):
    """Until the copy that does the work has written so."""
    until(lambda: redis.keys(f"j:{place[6:]}"))


def await_no_state(redis, place):
    until(lambda: not redis.keys(f"j:{place[6:]}"))


def test_long_work_is_known_to_every_copy(pair, redis):
    before = made(pair)
    place, told = begin_long(pair[0], "long", 3000), []
    end = time.monotonic() + PATIENCE
    await_state(redis, place)
    while (reply := pair[1].get(place)).status == 202:
        told.append(reply.json())
        assert time.monotonic() < end
        time.sleep(0.05)
    assert reply.status == 200 and reply.body == pair[0].get(place).body
    assert told and {one["state"] for one in told} <= {"waiting", "running"}
    assert all(one["self"].startswith("/islands?") and f"/maps/{one['id']}" == place for one in told)
    shares = [one["progress"] for one in told]
    assert shares == sorted(shares) and shares[-1] < 1
    assert made(pair) - before == 1


def test_events_of_work_elsewhere(pair, redis):
    """The other copy makes the map as well, to tell how far it is."""
    place = begin_long(pair[0], "events")
    await_state(redis, place)
    names = [name for name, _ in Events(pair[1], place)]
    assert names[-1] == "done" and set(names) <= {"progress", "done"}


# ---- 202 and DELETE on any copy --------------------------------------------------------------------------

# A client that waits for a map has it at once, or not at all.
BRISK = [KEY, "--deadline-ms=150", "--wait-ms=3000000", "--async-ms=3000000", "--store-wait-ms=20000",
         "--store-least-us=0"]


def await_end(copy, what="mapwright_operations"):
    until(lambda: not copy.metric(what), f"{what} is not none")


def begin_slow(copy, seed, headers=None):
    """Work of some seconds, which the test cancels."""
    body = {"width": 4096, "height": 4096, "count": 60000, "seed": seed}
    reply = copy.ask("POST", "/regions", body, {"Prefer": "respond-async"} | (headers or {}))
    assert reply.status == 202
    return reply.header("Location")


def occupy(copy):
    """Of one worker, for a while; where what it does is."""
    return [begin_slow(copy, f"before {n}") for n in range(3)]


@pytest.mark.parametrize("leave", ["terminate", "kill"])
def test_a_promise_outlives_its_copy(redis, leave):
    """202 was said: another copy goes on saying so, and makes the map, though it would be too long to wait for."""
    one, two = copies_of(redis, *BRISK, "--workers=1")
    with two:
        place = begin_long(one, leave, 2000)
        await_state(redis, place)
        getattr(one if leave == "terminate" else one.process, leave)()
        one.ended()
        before = occupy(two)
        reply, end = two.get(place), time.monotonic() + PATIENCE
        assert reply.status == 202 and reply.header("Preference-Applied") is None
        assert all(two.ask("DELETE", other).status in (204, 409) for other in before)
        while (reply := two.get(place)).status == 202:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert reply.status == 200 and f"/maps/{reply.json()['id']}" == place, reply


def test_a_draining_copy_sends_to_another(redis):
    """What it has let go of is not begun anew by itself; and the other can be told to end it."""
    one, two = copies_of(redis, *BRISK, "--workers=1", "--drain-ms=3600000")
    with two, one.connect() as poller:
        place = begin_slow(one, "sent")
        await_state(redis, place)
        assert poller.ask("GET", place).status == 202
        one.terminate()
        try:
            reply = poller.ask("GET", place)
            assert reply.status in (202, 503)
            assert reply.status == 202 or reply.json()["type"] == "/problems/draining"
        except (Gone, OSError):
            pass
        assert one.ended() == 0
        before = occupy(two)
        assert two.get(place).status == 202
        assert two.ask("DELETE", place).status == 204
        assert all(two.ask("DELETE", other).status in (204, 409) for other in before)


def follow(copy, seed):
    """Slow work, and its events."""
    place = begin_slow(copy, seed)
    return place, Events(copy, place)


def test_delete_ends_work_wherever_it_runs(pair, redis):
    place, events = follow(pair[0], "ended elsewhere")
    await_state(redis, place)
    reply = pair[1].ask("DELETE", place)
    assert reply.status == 204 and reply.body == b""
    name, problem = list(events)[-1]
    assert name == "failed" and problem["status"] == 404
    await_end(pair[0], "mapwright_workers_busy")
    await_no_state(redis, place)


def test_delete_ends_it_on_every_copy(pair, redis):
    """The one waits for what the other makes."""
    place, events = follow(pair[0], "ended on both")
    await_state(redis, place)
    assert follow(pair[1], "ended on both")[0] == place
    assert pair[1].ask("DELETE", place).status == 204
    assert list(events)[-1][0] == "failed"
    for copy in pair:
        await_end(copy)
        await_end(copy, "mapwright_workers_busy")


def test_cancelled_work_can_be_requested_again(pair, redis):
    """It may be ready before it is waived; not each time."""
    for n in range(20):
        place = begin_long(pair[0], f"wanted again {n}", 600)
        assert pair[0].ask("DELETE", place).status in (204, 409)
        again = want_long(pair[0], f"wanted again {n}", 600)
        if again.status == 202:
            break
    assert again.status == 202 and again.header("Location") == place
    until(lambda: pair[0].get(place).status != 202)
    assert pair[0].get(place).status == 200


def test_only_the_same_client_can_delete_on_another_copy(redis):
    one, two = copies_of(redis, *WITHOUT_HURRY, "--async-ms=3000000", "--workers=1", "--trusted-proxies=127.0.0.1")
    own, other = ({"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2))
    with one, two:
        place = begin_slow(one, "of one", own)
        await_state(redis, place)
        assert two.ask("DELETE", place, None, other).status == 409
        assert len(redis.keys(f"j:{place[6:]}")) == 1 and not redis.keys(f"c:{place[6:]}")
        assert two.ask("DELETE", place, None, own).status == 204
        await_end(one)


def test_named_clients_are_the_same_on_every_copy(redis, tmp_path):
    """By any of its keys."""
    (tmp_path / "keys").write_text("first-key ci\nsecond-key ci\nthird-key other\n")
    one, two, three = ({"Authorization": f"Bearer {word}-key"} for word in ("first", "second", "third"))
    flags = [*WITHOUT_HURRY, "--async-ms=3000000", "--workers=1", f"--keys-file={tmp_path / 'keys'}"]
    here, there = copies_of(redis, *flags)
    with here, there:
        place = begin_slow(here, "of a name", one)
        await_state(redis, place)
        assert there.ask("DELETE", place, None, three).status == 409
        assert there.ask("DELETE", place, None, two).status == 204
        await_end(here)


def test_delete_of_what_is_there_or_nowhere(pair):
    place = f"/maps/{pair[0].get('/regions?seed=stays').json()['id']}"
    until(lambda: pair[1].get(place).status == 200)
    assert pair[1].ask("DELETE", place).status == 409
    assert pair[1].get(place).status == 200
    assert pair[1].ask("DELETE", "/maps/00000000-0000-5000-8000-000000000000").status == 404


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
        wanted, end = self.answered + requests, time.monotonic() + PATIENCE
        while self.answered < wanted:
            assert time.monotonic() < end, "answers stay out"
            time.sleep(0.01)

    def finish(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(PATIENCE)
        assert not self.wrong, self.wrong[:3]


# Nothing is kept by the copies themselves, so that each request asks the store.
FORGETFUL = [*NO_HURRY, "--cache-bytes=0", "--store-least-us=0"]


def test_a_store_that_goes_and_comes(server):
    redis = Redis()
    one, two = copies_of(redis, *FORGETFUL, "--store-wait-ms=20000")
    with one, two:
        load = Load((one, two), server, "gone")
        load.go_on(100)
        for _ in range(2):
            redis.kill()
            load.go_on(100)
            one.await_metric("mapwright_store_breaks_total", 1)
            redis = Redis(port=redis.port)
            for copy in (one, two):
                copy.await_metric("mapwright_store_open", 1)
            found = asked(one, "found")
            one.await_metric('mapwright_store_questions_total{result="found"}', found + 1)
            load.go_on(100)
        load.finish()
        lines = one.log_lines("store")
        assert [line["open"] for line in lines] == [True, False, True, False, True]
        assert all(line["why"] for line in lines if not line["open"])
    redis.stop()


def test_a_store_that_is_full(server):
    with Redis("--maxmemory", "1mb", "--maxmemory-policy", "noeviction") as redis:
        one, two = copies_of(redis, *FORGETFUL, "--store-wait-ms=20000")
        with one, two:
            load = Load((one, two), server, "full")
            one.await_metric('mapwright_store_writes_total{outcome="refused"}', 50)
            load.finish()
            assert one.metric("mapwright_store_open") == 1


@pytest.mark.parametrize("change", [silent, slow])
def test_a_store_that_is_slow(redis, server, change):
    """What it holds back is not waited for."""
    with Way(redis.port) as way:
        one, two = copies_of(way, *FORGETFUL, "--store-wait-ms=50")
        with one, two:
            load = Load((one, two), server, change.__name__)
            load.go_on(50)
            way.change = change
            one.await_metric("mapwright_store_breaks_total", 1)
            load.go_on(300)
            assert one.metric("mapwright_store_open") == 0
            waits = asked(one, "unanswered")
            load.go_on(100)
            assert asked(one, "unanswered") == waits, "it is asked again and again"
            way.change = lambda piece: piece
            one.await_metric("mapwright_store_open", 1)
            load.go_on(50)
            load.finish()


def test_a_store_that_returns_garbage(server):
    chance = random.Random(7)
    with Redis() as redis, Way(redis.port) as way:
        one, two = copies_of(way, *FORGETFUL, "--store-wait-ms=200")
        with one, two:
            load = Load((one, two), server, "lies")
            load.go_on(100)
            way.change = garbled(chance)
            one.await_metric('mapwright_store_questions_total{result="wrong"}', 3)
            two.await_metric("mapwright_store_breaks_total", 2)
            load.finish()


def await_map(redis, reply):
    """The name under which it is kept."""
    end = time.monotonic() + PATIENCE
    while not (names := [name for name in redis.keys("m") if name.endswith(f"{reply.json()['id']}.json")]):
        assert time.monotonic() < end
    return names[0]


@pytest.mark.parametrize("value", ["no key", "another key"])
def test_a_forged_value_is_not_believed(redis, pair, server, value):
    """Sealed as whoever may write to the store would do it, though without the key of the copies."""
    target = f"/areas?seed=forged-{value.replace(' ', '-')}"
    flags = [flag for flag in WITHOUT_HURRY if flag != KEY]
    keys = [] if value == "no key" else ["--store-key=the key of somebody else"]
    with Redis() as own, Server(url(own), *flags, *keys) as forger:
        forger.await_metric("mapwright_store_open", 1)
        name = await_map(own, forger.get(target))
        forged = own.dump(name)
    redis.restore(name, forged)
    wrong, truth = asked(pair[1], "wrong"), server.get(target).body
    assert pair[1].get(target).body == truth and asked(pair[1], "wrong") == wrong + 1
    while redis.dump(name) == forged:  # it is written anew
        time.sleep(0.05)
    assert pair[0].get(target).body == truth


def frame(content):
    """Of zstd, as RFC 8878, 3.1.1, has it: one block, not compressed."""
    size = len(content)
    return b"\x28\xb5\x2f\xfd\xa0" + size.to_bytes(4, "little") + (size << 3 | 1).to_bytes(3, "little") + content


def test_an_address_of_another_map_is_not_believed(redis, server):
    """Though its seal is good: the id follows from the address."""
    address = server.get("/areas?seed=sealed").json()["self"].encode()
    right, other = server.get("/areas?seed=sealed").json()["id"], "00000000-0000-5000-8000-000000000007"
    for id in (right, other):
        name, rest = f"mapwright:a:{id}", frame(address)
        redis.restore(name, hmac.digest(b"", name.encode() + b"\0" + rest, "sha256") + rest)
    with Server(url(redis), *NO_HURRY, "--store-wait-ms=20000") as copy:
        copy.await_metric("mapwright_store_open", 1)
        assert copy.get(f"/maps/{right}").status == 200 and copy.get(f"/maps/{other}").status == 404


def test_an_oversized_value_counts_as_absent(redis, pair, server):
    target = "/areas?seed=oversized"
    reply = pair[0].get(target)
    name = await_map(redis, reply)
    wrong, breaks = asked(pair[1], "wrong"), pair[1].metric("mapwright_store_breaks_total")
    redis.said_to("setrange", name, str(100 << 20), "x")
    assert pair[1].get(target).body == reply.body == server.get(target).body
    assert asked(pair[1], "wrong") == wrong + 1
    assert pair[1].metric("mapwright_store_breaks_total") == breaks and pair[1].metric("mapwright_store_open") == 1


def test_a_value_of_another_type_counts_as_absent(redis, pair, server):
    target = "/areas?seed=list"
    name = await_map(redis, reply := pair[0].get(target))
    redis.said_to("del", name)
    redis.said_to("lpush", name, "x")
    assert pair[1].get(target).body == reply.body == server.get(target).body
    assert pair[1].metric("mapwright_store_open") == 1


def test_a_store_without_a_key_is_warned_of(redis):
    for flags, warned in (([], True), ([KEY], False)):
        with Server(url(redis), *NO_HURRY, *flags) as copy:
            copy.await_metric("mapwright_store_open", 1)
            assert (b"--store-key" in copy.said(copy.errors)) == warned
            assert b"a key of the copies" not in copy.said(copy.errors) + copy.said(copy.log)


def test_a_store_with_the_maps_of_others(redis, pair, server):
    """One map in the place of another, as if names were mixed up: whole, and not what was asked for."""
    replies = [pair[0].get(f"/areas?seed=mixed-{i}") for i in range(2)]
    names = [await_map(redis, reply) for reply in replies]
    redis.said_to("rename", names[0], names[1])
    wrong = asked(pair[1], "wrong")
    assert pair[1].get("/areas?seed=mixed-1").body == replies[1].body
    assert asked(pair[1], "wrong") == wrong + 1


def test_a_store_with_a_password():
    with Redis(password="s3cret%/@:") as redis:
        redis.password, plain = "s3cret%25%2F%40%3A", redis.password
        with Server(url(redis, 5), *WITHOUT_HURRY) as copy:
            copy.await_metric("mapwright_store_open", 1)
            copy.get("/regions?seed=secret")
            await_kept(copy, 2)
            assert b"s3cret" not in copy.said(copy.log) + copy.said(copy.errors)
        redis.password = "wrong"
        with Server(url(redis, 5), *WITHOUT_HURRY) as copy:
            copy.await_said(copy.log, b'"open":false')
            assert copy.get("/regions?seed=secret").status == 200
            assert "WRONGPASS" in copy.log_lines("store")[0]["why"]
            assert copy.metric("mapwright_store_open") == 0
        redis.password = plain
        assert len(redis.keys("a", database=5)) == 1 and not redis.keys("a")


# ---- TLS -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    certify(folder, "ca", "ca of the studio")
    certify(folder, "other", "ca of others")
    certify(folder, "address", "127.0.0.1", "ca")
    certify(folder, "name", "localhost", "ca")
    certify(folder, "elsewhere", "192.0.2.1", "ca")
    return folder


@pytest.mark.parametrize("host, name", [("127.0.0.1", "address"), ("localhost", "name")])
def test_a_store_by_tls(certificates, server, host, name):
    with Redis(tls=certificates / name) as redis:
        flags = [f"--store=rediss://{host}:{redis.port}", f"--store-ca={certificates}/ca.crt", *WITHOUT_HURRY]
        with Server(*flags) as one, Server(*flags) as two:
            for copy in (one, two):
                copy.await_metric("mapwright_store_open", 1)
            for i in range(20):
                target = f"/regions.svg?width=60&height=60&seed=tls-{i}"
                body = server.get(target).body
                assert one.get(target).body == body
                await_kept(one, 2 * i + 2)
                assert two.get(target).body == body
            assert asked(two, "found") == 20 and two.metric("mapwright_store_breaks_total") == 0


@pytest.mark.parametrize("case, certificate, flags, why", [
    ("another CA", "address", ["--store-ca=other.crt"], "NOT trusted"),
    ("no CA of the system", "address", [], "NOT trusted"),
    ("another host", "elsewhere", ["--store-ca=ca.crt"], "name"),
    ("no TLS", None, ["--store-ca=ca.crt"], ""),
])
def test_a_store_with_a_wrong_certificate(certificates, monkeypatch, case, certificate, flags, why):
    """It counts as down, and all goes on."""
    monkeypatch.chdir(certificates)
    with Redis(tls=certificate and certificates / certificate) as redis:
        with Server(f"--store=rediss://127.0.0.1:{redis.port}", *flags, KEY, "--store-wait-ms=500",
                    "--store-least-us=0", *NO_HURRY) as copy:
            copy.await_said(copy.log, b'"open":false')
            assert why in copy.log_lines("store")[0]["why"], case
            assert copy.get("/regions?seed=unsure").status == 200
            assert copy.metric("mapwright_store_open") == 0 and asked(copy, "found") == 0


def test_a_store_that_wants_tls(certificates):
    with Redis(tls=certificates / "address") as redis:
        with Server(url(redis), *WITHOUT_HURRY) as copy:
            copy.await_said(copy.log, b'"open":false')
            assert copy.get("/regions?seed=plain").status == 200


def test_no_certificate_in_the_file(certificates):
    with pytest.raises(AssertionError, match="--store-ca"):
        Server("--store=rediss://127.0.0.1:1", f"--store-ca={certificates}/ca.key")


def test_no_server_at_the_address_of_the_store():
    with Server("--store=redis://127.0.0.1:1/", *WITHOUT_HURRY) as copy:
        copy.await_said(copy.log, b'"open":false')
        reply = copy.get("/regions?seed=alone")
        assert reply.status == 200 and "store" not in reply.header("Server-Timing")
        assert copy.get("/maps/00000000-0000-5000-8000-000000000000").status == 404
