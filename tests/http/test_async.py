"""Long work: `Prefer: respond-async`, what /maps/{id} says until the map is there, events, DELETE.

The states of work have their tests in tests/unit/srv/cache/check_operation.c.
"""
import json
import re
import threading
import time
import uuid

import pytest

from client import Gone, request
from server import NO_HURRY, PATIENCE, Server, until

ASYNC = {"Prefer": "respond-async"}
EVENTS = {"Accept": "text/event-stream"}
HOPELESS = {"width": 30, "height": 30, "colors": 4}  # which it takes a good part of a second to see
PATIENT = ["--workers=1", "--async-ms=3000000", *NO_HURRY]
MISSES = 'mapwright_cache_claims_total{result="miss"}'


@pytest.fixture(scope="module")
def slow(server):
    """A request that takes a second or two on this machine and build: 4096 cells a side at most."""
    def seconds(seed):
        start = time.monotonic()
        assert server.post("/islands", {"width": 700, "height": 700, "seed": f"how long {seed}"}).status == 200
        return time.monotonic() - start
    side = min(int(700 * (1.5 / min(map(seconds, range(3)))) ** 0.5), 4096)  # others are busy, too
    return {"width": side, "height": side}


@pytest.fixture(scope="module")
def alone():
    """A server with one worker, and its client's limits wide."""
    with Server(*PATIENT, "--async-per-client=64") as server:
        yield server


def ask(server, body, path="/islands", **headers):
    return server.ask("POST", path, body, ASYNC | {k.replace("_", "-"): v for k, v in headers.items()})


def begin(server, body, path="/islands", **headers):
    reply = ask(server, body, path, **headers)
    assert reply.status == 202, reply
    return reply.header("Location")


def begin_running(server, body):
    """The place of work that a worker has begun, and its further events."""
    place = begin(server, body)
    stream = iter(Events(server, place))
    while next(stream)[1]["state"] == "waiting":
        pass
    return place, stream


def await_map(server, place):
    """Asks until it says something else than 202; that, and all progress it told before."""
    told, end = [], time.monotonic() + PATIENCE
    with server.connect() as connection:
        while (reply := connection.ask("GET", place)).status == 202:
            assert time.monotonic() < end, "it is never there"
            told.append(reply.json())
            time.sleep(0.02)
    return reply, told


class Events:
    """A stream of events, read as it comes."""

    def __init__(self, server, target, body=None):
        self.connection = server.connect()
        self.connection.send(request("POST" if body else "GET", target, body, EVENTS))
        _, self.status, headers = self.connection._head()
        self.headers = {name.lower(): value for name, value in headers}

    def __iter__(self):
        """Pairs of name and data until the server ends it; comments come when a map is slow."""
        text = b""
        while True:
            while b"\n\n" not in text:
                if not (piece := self.piece()):
                    assert not text
                    return
                text += piece
            event, text = text.split(b"\n\n", 1)
            if event != b":":
                name, data = re.fullmatch(r"event: (\w+)\ndata: (.*)", event.decode()).groups()
                yield name, json.loads(data)

    def piece(self):
        """The next of the body: all of it where its length is known, else a chunk."""
        if "transfer-encoding" not in self.headers:
            return self.connection._exactly(int(self.headers.pop("content-length", 0)))
        chunk = self.connection._exactly(int(self.connection._until(b"\r\n"), 16))
        assert self.connection._until(b"\r\n") == b""
        return chunk


# ---- 202 and what follows ------------------------------------------------------------------------

@pytest.mark.parametrize("seed", [{}, {"seed": 1}])
def test_202_says_where_the_map_will_be(server, slow, seed):
    """A seed is drawn so that the id is known. Progress begins near nothing, passes the middle, never goes back."""
    first = ask(server, slow | seed)
    state = first.json()
    assert first.status == 202 and first.media == "application/json" and first.header("Cache-Control") == "no-store"
    assert state["id"] == str(uuid.uuid5(uuid.NAMESPACE_URL, state["self"])) and "&seed=" in state["self"]
    assert first.header("Location") == "/maps/" + state["id"] and int(first.header("Retry-After")) > 0
    assert first.header("Preference-Applied") == "respond-async"
    done, told = await_map(server, first.header("Location"))
    for one in [state, *told]:
        assert list(one) == ["id", "self", "state", "progress"] and one["state"] in ("waiting", "running")
    progress = [one["progress"] for one in told]
    assert progress == sorted(progress) and progress[0] < 0.3 and progress[-1] < 1
    assert sum(0.2 < p < 0.8 for p in progress) >= 3, progress
    assert done.status == 200 and done.json()["self"] == state["self"] and "make;dur=" in done.header("Server-Timing")
    assert server.get(state["self"]).body == done.body


def test_other_formats_have_a_place_of_their_own(server, slow):
    target = f"/islands.svg?width={slow['width'] // 3}&height={slow['width'] // 3}&seed=3&scale=2"
    reply = server.ask("GET", target, None, ASYNC)
    assert reply.status == 202 and re.fullmatch(r"/maps/[0-9a-f-]{36}\.svg\?scale=2", reply.header("Location"))
    done, _ = await_map(server, reply.header("Location"))
    assert done.media == "image/svg+xml" and done.body == server.get(target).body


@pytest.mark.parametrize("target, status", [
    ("/islands?width=0", 400), ("/islands.nothing", 406), ("/islands?v=99", 410), ("/nowhere", 404),
    ("/islands?seed=there", 200)])
def test_what_takes_no_time_is_answered_at_once(server, target, status):
    assert server.get("/islands?seed=there").status == 200
    reply = server.ask("GET", target, None, ASYNC)
    assert reply.status == status and reply.header("Preference-Applied") is None


def test_wait_ends_with_202(alone, slow):
    """Too slow for a second: then it is told where the map will be, and goes on being made."""
    blocked = [begin(alone, slow | {"seed": f"before {n}"}) for n in range(3)]
    reply = ask(alone, slow | {"seed": "waits"}, Prefer="respond-async, wait=1")
    assert reply.status == 202 and reply.header("Preference-Applied") == "respond-async"
    assert all(alone.ask("DELETE", place).status in (204, 409) for place in blocked)
    assert await_map(alone, reply.header("Location"))[0].status == 200


def test_identical_requests_are_made_once(alone, slow):
    """Also for who asked and left, and for who waits."""
    body, misses = slow | {"seed": "once"}, alone.metric(MISSES)
    place = begin(alone, body)
    assert begin(alone, body) == place
    assert alone.post("/islands", body).status == 200 == alone.get(place).status
    assert alone.metric(MISSES) == misses + 1


# ---- what does not come about --------------------------------------------------------------------

def test_a_map_that_cannot_be_made_says_why(server):
    reply, _ = await_map(server, begin(server, HOPELESS | {"seed": 1}, "/puzzle/generate"))
    assert reply.status == 422 and reply.json()["type"] == "/problems/no-result"
    [error] = reply.json()["errors"]
    assert error["detail"].startswith("found no board of 30 x 30 cells with colors=4"), "not that none can be covered"
    name, problem = list(Events(server, "/puzzle/generate", HOPELESS | {"seed": 2}))[-1]
    assert name == "failed" and problem["type"] == "/problems/no-result" and problem["errors"]


def test_a_map_that_takes_too_long_says_so_for_a_while():
    """A map that lost most of its time before a worker began is late as well, but not remembered so, as the next one
    may be in time. A busy machine may do that to some."""
    with Server("--workers=1", "--async-ms=100", "--deadline-ms=100") as server:
        for seed in range(20):
            place = begin(server, HOPELESS | {"seed": seed}, "/puzzle/generate")
            reply, _ = await_map(server, place)
            if reply.pointers():
                break
        assert int(re.search(r"(\d+) ms", reply.problem(504, "late", ""))[1]) >= 100, reply
        assert server.get(place).status == 504 and server.ask("DELETE", place).status == 409
        assert list(Events(server, place))[-1][1]["status"] == 504


# ---- events --------------------------------------------------------------------------------------

def judge_events(events, place):
    """All but the last are progress, which grows; the last says where the map is."""
    progress = [data["progress"] for _, data in events]
    assert [name for name, _ in events] == ["progress"] * (len(events) - 1) + ["done"]
    assert len(events) > 1 and progress == sorted(progress) and 0 <= progress[0] and progress[-2] < progress[-1] == 1
    for _, data in events:
        assert list(data) == ["id", "state", "progress", "location"]
        assert data["location"] == place == "/maps/" + data["id"]
    assert events[-1][1]["state"] == "done"


def test_events_tell_progress(server, slow):
    place, start = begin(server, slow | {"seed": "events"}), time.monotonic()
    stream = Events(server, place)
    assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
    assert stream.headers["cache-control"] == "no-store"
    events = list(stream)
    judge_events(events, place)
    assert len(events) <= 4 * (time.monotonic() - start) + 3, "some events a second, and not more"
    assert [name for name, _ in Events(server, place)] == ["done"], "what is there is done at once"
    assert server.ask("HEAD", place, None, EVENTS).status == 200


def test_events_come_as_they_happen(slow):
    """By a map's own path as well. The first one is here while the work is waiting for a worker, far longer than a
    client may take to read."""
    with Server(*PATIENT, "--send-ms=300", "--send-rate=1M") as server:
        first = begin(server, slow | {"seed": "ahead"})
        events = iter(Events(server, "/islands", slow | {"seed": "live"}))
        name, data = next(events)
        assert (name, data["state"], data["progress"]) == ("progress", "waiting", 0)
        assert server.get(data["location"]).status == 202
        judge_events([(name, data), *events], data["location"])
        assert server.get(first).status == 200


def test_a_client_that_leaves_its_events_frees_them(alone, slow):
    """While the work goes on."""
    first, place = (begin(alone, slow | {"seed": seed}) for seed in ("left first", "left"))
    streams = [Events(alone, place) for _ in range(20)]
    before = alone.metric("mapwright_connections_open")
    assert before >= 20
    for stream in streams:
        stream.connection.close()
    until(lambda: alone.metric("mapwright_connections_open") <= before - 20, "they are still there")
    assert alone.get(place).status == 202, "they were not freed before its end"
    assert await_map(alone, place)[0].status == 200 == alone.get(first).status


# ---- DELETE --------------------------------------------------------------------------------------

def test_delete_ends_the_work(alone, slow):
    """What runs is stopped, and what waits leaves the queue."""
    place, stream = begin_running(alone, slow | {"seed": "ended"})
    queued = begin(alone, slow | {"seed": "queued"})
    assert alone.metric("mapwright_queue_length") == 1 and alone.ask("DELETE", queued).status == 204
    assert alone.metric("mapwright_queue_length") == 0
    reply = alone.ask("DELETE", place)
    assert reply.status == 204 and reply.body == b""
    name, problem = list(stream)[-1]
    assert name == "failed" and problem["status"] == 404
    assert "was cancelled" in alone.get(place).problem(404, "not-found")
    assert alone.ask("DELETE", place).status == 404
    until(lambda: not alone.metric("mapwright_workers_busy"), "it is still being made")
    assert alone.metric('mapwright_maps_total{outcome="stopped"}') >= 1


def test_delete_keeps_the_work_for_waiting_clients(alone, slow):
    place = begin(alone, slow | {"seed": "both"})
    waits = alone.metric('mapwright_cache_claims_total{result="wait"}', absent=0)
    with alone.connect() as connection:
        connection.send(request("POST", "/islands", slow | {"seed": "both"}))
        alone.await_metric('mapwright_cache_claims_total{result="wait"}', waits + 1)
        assert alone.ask("DELETE", place).status == 204
        assert connection.reply("POST").status == 200


def test_delete_of_a_map_that_is_there(server):
    place = f"/maps/{server.get('/regions?seed=stays').json()['id']}"
    server.ask("DELETE", place).problem(409, "nothing-to-end")
    assert server.get(place).status == 200
    assert server.ask("DELETE", "/maps/00000000-0000-5000-8000-000000000000").status == 404


def test_delete_is_for_the_same_client_alone(slow):
    with Server(*PATIENT, "--trusted-proxies=127.0.0.1") as server:
        one, two = ({"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2))
        place = begin(server, slow | {"seed": "shared"}, **one)
        assert server.ask("DELETE", place, None, two).status == 409
        assert begin(server, slow | {"seed": "shared"}, **two) == place
        assert [server.ask("DELETE", place, None, one).status for _ in range(2)] == [204, 409]
        assert server.ask("GET", place, None, one).status == 202, "it goes on for the other"
        assert await_map(server, place)[0].status == 200


# ---- how much --------------------------------------------------------------------------------------

def test_a_client_may_have_only_so_much_under_way(slow):
    with Server(*PATIENT, "--async-per-client=3", "--async=5", "--trusted-proxies=127.0.0.1") as server:
        def one(client, seed):
            return ask(server, slow | {"seed": seed}, X_Forwarded_For=f"192.0.2.{client}")
        assert one(1, 0).status == 202
        server.await_metric("mapwright_workers_busy", 1)
        assert [one(1, n).status for n in range(1, 5)] == [202, 202, 429, 429]
        many = one(1, 9)
        assert "3" in many.problem(429, "too-many-requests") and int(many.header("Retry-After")) > 0
        assert [one(2, n).status for n in range(10, 12)] == [202, 202]
        one(3, 20).problem(503, "busy")
        assert one(1, 0).status == 202, "what is under way already is no more"
        assert server.metric("mapwright_operations") == 5
        assert server.metric("mapwright_queue_length") == 4, "what was refused is not made"


def test_async_work_has_more_time_to_be_made():
    """Also what was too long for a client that waits, and is remembered so."""
    with Server("--workers=1", "--deadline-ms=100", "--wait-ms=3000000", "--async-ms=3000000") as server:
        body = HOPELESS | {"seed": 0}
        assert server.post("/puzzle/generate", body).status == 504
        assert await_map(server, begin(server, body, "/puzzle/generate"))[0].status == 422


def test_async_work_has_more_time_to_wait():
    with Server("--workers=1", "--deadline-ms=3000000", "--wait-ms=1", "--async-ms=3000000") as server:
        places = [begin(server, HOPELESS | {"seed": n}, "/puzzle/generate") for n in range(3)]
        assert server.post("/puzzle/generate", HOPELESS | {"seed": 3}).status == 503
        assert [await_map(server, place)[0].status for place in places] == [422] * 3


# ---- draining --------------------------------------------------------------------------------------

def test_draining_tells_streams_and_ends_the_work():
    """It is not held up by them, and its clients know to ask elsewhere."""
    server = Server(*PATIENT, "--drain-ms=3600000")
    places = [begin(server, {"width": 4096, "height": 4096, "seed": n}) for n in range(2)]
    streams = [iter(Events(server, place)) for place in places]
    assert all(next(stream)[0] == "progress" for stream in streams)
    with server.connect() as poller:
        assert poller.ask("GET", places[0]).status == 202
        server.terminate()
        for stream in streams:
            name, problem = list(stream)[-1]
            assert name == "draining" and problem["type"] == "/problems/draining"
        try:
            poller.ask("GET", places[0]).problem(503, "draining")
        except (Gone, OSError):
            pass
    assert server.ended() == 0


def test_many_at_once_while_it_drains(slow):
    """Whatever the moment: each stream ends as one, and the server as well."""
    server = Server("--workers=2", "--drain-ms=60000", "--async-per-client=64", *NO_HURRY)
    ends = []

    def follow(seed):
        try:
            events = Events(server, "/islands", slow | {"seed": seed})
            ends.append("refused" if events.status == 503 else list(events)[-1][0])
        except (Gone, OSError):
            ends.append("gone")

    threads = [threading.Thread(target=follow, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    server.await_metric("mapwright_operations", 3)
    server.terminate()
    for thread in threads:
        thread.join(PATIENCE)
    assert set(ends) <= {"done", "draining", "failed", "gone", "refused"}, ends
    assert len(ends) == 16 and "draining" in ends, ends
    assert server.ended() == 0
