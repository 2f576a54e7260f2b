"""Long work: `Prefer: respond-async`, what /maps/{id} says until the map is there, events, DELETE."""
import json
import re
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Gone, request
from server import NO_HURRY, PATIENCE, Server, until

ASYNC = {"Prefer": "respond-async"}
EVENTS = {"Accept": "text/event-stream"}
HOPELESS = {"width": 30, "height": 30, "colors": 4}  # which it takes a good part of a second to see


@pytest.fixture(scope="module")
def slow(server):
    """A request that takes some seconds on this machine and build: 4096 cells a side at most."""
    def seconds(seed):
        start = time.monotonic()
        body = {"width": 700, "height": 700, "seed": f"how long {seed}"}
        assert server.post("/islands", body).status == 200
        return time.monotonic() - start
    side = min(int(700 * (2.5 / min(map(seconds, range(3)))) ** 0.5), 4096)  # others are busy, too
    return {"width": side, "height": side}


@pytest.fixture(scope="module")
def alone():
    """A server with one worker, and its client's limits wide."""
    with Server("--workers=1", "--async-ms=3000000", "--async-per-client=64", *NO_HURRY) as server:
        yield server


def ask(server, body, path="/islands", **headers):
    return server.ask("POST", path, body, ASYNC | {k.replace("_", "-"): v for k, v in headers.items()})


def begin(server, body, path="/islands", **headers):
    reply = ask(server, body, path, **headers)
    assert reply.status == 202, reply
    return reply.header("Location")


def await_map(server, place, **headers):
    """Asks until it says something else than 202; that, and all progress it told before."""
    told, end = [], time.monotonic() + PATIENCE
    with server.connect() as connection:
        while time.monotonic() < end:
            reply = connection.ask("GET", place, None, headers)
            if reply.status != 202:
                return reply, told
            told.append(reply.json())
            time.sleep(0.02)
    raise AssertionError("it is never there")


class Events:
    """A stream of events, read as it comes."""

    def __init__(self, server, target, body=None, headers=None):
        self.connection = server.connect()
        self.connection.send(request("POST" if body else "GET", target, body,
                                     EVENTS | (headers or {})))
        _, self.status, self.headers = self.connection._head()

    def __iter__(self):
        """Pairs of name and data until the server ends it; comments come when a map is slow."""
        header = {name.lower(): value for name, value in self.headers}
        text = b""
        while True:
            while b"\n\n" not in text:
                if "content-length" in header:
                    assert not text
                    text = self.connection._exactly(int(header.pop("content-length")))
                elif not header.get("transfer-encoding") or not (chunk := self.chunk()):
                    assert not text
                    return
                else:
                    text += chunk
            event, text = text.split(b"\n\n", 1)
            if event != b":":
                yield self.read(event.decode())

    def chunk(self):
        size = int(self.connection._until(b"\r\n"), 16)
        chunk = self.connection._exactly(size)
        assert self.connection._until(b"\r\n") == b""
        return chunk

    @staticmethod
    def read(event):
        match = re.fullmatch(r"event: (\w+)\ndata: (.*)", event)
        assert match, event
        return match[1], json.loads(match[2])


# ---- 202 and what follows ------------------------------------------------------------------------

def test_202_says_where_the_map_will_be(server, slow):
    reply = ask(server, slow | {"seed": 1})
    assert reply.status == 202 and reply.media == "application/json"
    state = reply.json()
    assert list(state) == ["id", "self", "state", "progress"]
    assert state["id"] == str(uuid.uuid5(uuid.NAMESPACE_URL, state["self"]))
    assert state["state"] in ("waiting", "running") and 0 <= state["progress"] < 1
    assert reply.header("Location") == "/maps/" + state["id"]
    assert int(reply.header("Retry-After")) > 0
    assert reply.header("Preference-Applied") == "respond-async"
    assert reply.header("Cache-Control") == "no-store"
    done, _ = await_map(server, reply.header("Location"))
    assert done.status == 200 and done.json()["self"] == state["self"]
    assert server.get(state["self"]).body == done.body


def test_progress_of_a_slow_map(server, slow):
    """It begins near nothing, never goes back, passes through the middle, and the map is there."""
    reply, told = await_map(server, begin(server, slow | {"seed": 2}))
    assert reply.status == 200
    assert all(list(state) == ["id", "self", "state", "progress"] for state in told)
    progress = [state["progress"] for state in told]
    assert progress == sorted(progress) and progress[0] < 0.3 and progress[-1] < 1
    assert sum(0.2 < p < 0.8 for p in progress) >= 3, progress
    assert {state["state"] for state in told} <= {"waiting", "running"}
    assert "make;dur=" in reply.header("Server-Timing"), "the times are those of its making"


@pytest.mark.parametrize("seed", [None, "given"])
def test_a_seed_is_drawn_so_that_the_id_is_known(server, slow, seed):
    body = dict(slow) | ({"seed": seed} if seed else {})
    reply = ask(server, body)
    assert reply.status == 202 and re.search(r"&seed=\w+$", reply.json()["self"])
    done, _ = await_map(server, reply.header("Location"))
    assert done.json()["self"] == reply.json()["self"]


def test_other_formats_have_a_place_of_their_own(server, slow):
    smaller = {"width": slow["width"] // 3, "height": slow["height"] // 3, "seed": 3}
    query = "&".join(f"{k}={v}" for k, v in smaller.items())
    reply = server.ask("GET", f"/islands.svg?{query}&scale=2", None, ASYNC)
    assert reply.status == 202
    assert re.fullmatch(r"/maps/[0-9a-f-]{36}\.svg\?scale=2", reply.header("Location"))
    done, _ = await_map(server, reply.header("Location"))
    assert done.status == 200 and done.media == "image/svg+xml"
    assert done.body == server.get(f"/islands.svg?{query}&scale=2").body


def test_a_map_that_is_there_is_answered_at_once(server):
    body = {"seed": "there", "width": 24}
    whole = server.post("/regions", body)
    reply = ask(server, body, "/regions")
    assert reply.status == 200 and reply.body == whole.body
    assert reply.header("Preference-Applied") is None


@pytest.mark.parametrize("target, status", [
    ("/islands?width=0", 400), ("/islands.nothing", 406), ("/islands?v=99", 410), ("/nowhere", 404),
    ("/maps/00000000-0000-5000-8000-000000000000", 404)])
def test_wrong_requests_are_refused_at_once(server, target, status):
    assert server.ask("GET", target, None, ASYNC).status == status
    reply = server.ask("GET", target, None, ASYNC | EVENTS)
    assert reply.status == status or target == "/islands.nothing", reply


@pytest.mark.parametrize("prefer, status", [
    ("respond-async, wait=600", 200), (["handling=lenient", "respond-async"], 202),
    ("respond-async, wait=0", 202), ("wait=1", 200)])
def test_preferences_are_read(server, slow, prefer, status):
    """`wait`: it is answered directly if it is there in time."""
    body = slow | {"seed": f"prefer {prefer}", "width": slow["width"] // 4}
    reply = server.ask("POST", "/islands", body, {"Prefer": prefer})
    assert reply.status == status, reply


def test_wait_ends_with_202(alone, slow):
    """Too slow for a second: then it is told where the map will be, and goes on being made."""
    blocked = [begin(alone, slow | {"seed": f"before {n}"}) for n in range(2)]
    reply = ask(alone, slow | {"seed": "waits"}, Prefer="respond-async, wait=1")
    assert reply.status == 202 and reply.header("Preference-Applied") == "respond-async"
    done, _ = await_map(alone, reply.header("Location"))
    assert done.status == 200
    assert all(await_map(alone, place)[0].status == 200 for place in blocked)


def test_the_work_of_a_client_that_leaves_goes_on(alone, slow):
    with alone.connect() as connection:
        place = connection.ask("POST", "/islands", slow | {"seed": "leaves"}, ASYNC).header("Location")
    misses = alone.metric('mapwright_cache_claims_total{result="miss"}')
    reply, _ = await_map(alone, place)
    assert reply.status == 200
    assert alone.metric('mapwright_cache_claims_total{result="miss"}') == misses


def test_identical_requests_are_made_once(alone, slow):
    body = slow | {"seed": "once"}
    misses = alone.metric('mapwright_cache_claims_total{result="miss"}')
    place = begin(alone, body)
    assert begin(alone, body) == place
    assert alone.post("/islands", body).status == 200, "who waits gets it as well"
    assert alone.get(place).status == 200
    assert alone.metric('mapwright_cache_claims_total{result="miss"}') == misses + 1


# ---- what does not come about --------------------------------------------------------------------

def test_a_map_that_cannot_be_made_says_why(server):
    reply, _ = await_map(server, begin(server, HOPELESS | {"seed": 1}, "/puzzle/generate"))
    assert reply.status == 422 and reply.json()["type"] == "/problems/no-result"
    assert reply.json()["errors"] == server.post("/puzzle/generate", HOPELESS | {"seed": 1}).json()["errors"]
    [error] = reply.json()["errors"]
    assert error["detail"].startswith("found no board of 30 x 30 cells with colors=4"), "not that none can be covered"


def test_a_map_that_takes_too_long_says_so_for_a_while():
    with Server("--workers=1", "--async-ms=100", "--deadline-ms=100") as server:
        place = begin(server, HOPELESS | {"seed": 1}, "/puzzle/generate")
        reply, _ = await_map(server, place)
        assert reply.status == 504, reply
        assert int(re.search(r"(\d+) ms", reply.json()["detail"])[1]) >= 100, reply
        assert server.get(place).status == 504
        assert server.ask("DELETE", place).status == 409
        assert list(Events(server, place))[-1][1]["status"] == 504


# ---- events --------------------------------------------------------------------------------------

def judge_events(events, place):
    """All but the last are progress, which grows; the last says where the map is."""
    told = [data for name, data in events if name == "progress"]
    assert [name for name, _ in events] == ["progress"] * len(told) + ["done"]
    progress = [data["progress"] for data in told]
    assert progress == sorted(progress) and all(0 <= share < 1 for share in progress)
    assert progress  # how many there are depends on how busy the machine is
    for _, data in events:
        assert list(data) == ["id", "state", "progress", "location"]
        assert data["location"] == place == "/maps/" + data["id"]
    assert events[-1][1]["state"] == "done" and events[-1][1]["progress"] == 1


def test_events_tell_progress(server, slow):
    place = begin(server, slow | {"seed": "events"})
    start = time.monotonic()
    stream = Events(server, place)
    headers = {name.lower(): value for name, value in stream.headers}
    assert stream.status == 200 and headers["content-type"] == "text/event-stream"
    assert headers["cache-control"] == "no-store"
    events = list(stream)
    seconds = time.monotonic() - start
    judge_events(events, place)
    assert len(events) <= 4 * seconds + 3, "some events a second, and not more"
    assert server.get(place).status == 200
    again = list(Events(server, place))
    assert [name for name, _ in again] == ["done"], "what is there is done at once"


def test_a_map_endpoint_tells_events_as_well(server, slow):
    events = list(Events(server, "/islands", slow | {"seed": "streamed"}))
    place = events[-1][1]["location"]
    judge_events(events, place)
    assert server.get(place).body == server.post("/islands", slow | {"seed": "streamed"}).body


def test_events_come_as_they_happen(alone, slow):
    """The first one is here while the work is still waiting."""
    first = begin(alone, slow | {"seed": "ahead"})
    stream = Events(alone, "/islands", slow | {"seed": "live"})
    events = iter(stream)
    name, data = next(events)
    assert (name, data["state"], data["progress"]) == ("progress", "waiting", 0)
    assert alone.get(data["location"]).status == 202
    states = [data["state"] for _, data in events]
    assert states[-1] == "done" and states[0] in ("waiting", "running")
    assert await_map(alone, first)[0].status == 200


def test_a_stream_with_nothing_to_tell_is_left_alone(slow):
    """It waits for a worker, far longer than a client may take to read."""
    with Server("--workers=1", "--send-ms=300", "--send-rate=1M", "--async-ms=3000000",
                *NO_HURRY) as server:
        first = begin(server, slow | {"seed": "first"})
        events = [name for name, _ in Events(server, "/islands", slow | {"seed": "second"})]
        assert events[-1] == "done"
        server.ask("DELETE", first)


def test_events_of_a_failure(server):
    name, problem = list(Events(server, "/puzzle/generate", HOPELESS | {"seed": 2}))[-1]
    assert name == "failed" and problem["type"] == "/problems/no-result" and problem["errors"]


def test_a_client_that_leaves_its_events_frees_them(alone, slow):
    """While the work goes on."""
    first = begin(alone, slow | {"seed": "left first"})
    place = begin(alone, slow | {"seed": "left"})
    streams = [Events(alone, place) for _ in range(20)]
    before = alone.metric("mapwright_connections_open")
    assert before >= 20
    for stream in streams:
        stream.connection.close()
    until(lambda: alone.metric("mapwright_connections_open") <= before - 20, "they are still there")
    assert alone.get(place).status == 202, "they were not freed before its end"
    assert await_map(alone, place)[0].status == 200
    assert alone.get(first).status == 200


def test_head_of_events(server, slow):
    place = begin(server, slow | {"seed": "head"})
    assert server.ask("HEAD", place).status == 202
    assert server.ask("HEAD", place, None, EVENTS).status == 200
    server.ask("DELETE", place)


# ---- DELETE --------------------------------------------------------------------------------------

def test_delete_ends_the_work(alone, slow):
    big = slow | {"seed": "ended"}
    place = begin(alone, big)
    stream = iter(Events(alone, place))
    while next(stream)[1]["state"] == "waiting":
        pass
    reply = alone.ask("DELETE", place)
    assert reply.status == 204 and reply.body == b""
    name, problem = list(stream)[-1]
    assert name == "failed" and problem["status"] == 404
    reply = alone.get(place)
    assert reply.status == 404 and "was cancelled" in reply.json()["detail"]
    assert alone.ask("DELETE", place).status == 404
    until(lambda: not alone.metric("mapwright_workers_busy"), "it is still being made")
    assert alone.metric('mapwright_maps_total{outcome="stopped"}') >= 1


def test_delete_of_what_waits_takes_it_out_of_the_queue(alone, slow):
    first = begin(alone, slow | {"seed": "runs"})
    events = iter(Events(alone, first))
    while next(events)[1]["state"] == "waiting":
        pass
    second = begin(alone, slow | {"seed": "queued"})
    assert alone.metric("mapwright_queue_length") == 1
    assert alone.ask("DELETE", second).status == 204
    assert alone.metric("mapwright_queue_length") == 0
    assert alone.ask("DELETE", first).status == 204


def test_delete_keeps_the_work_for_waiting_clients(alone, slow):
    body = slow | {"seed": "both"}
    place = begin(alone, body)
    with alone.connect() as connection:
        connection.send(request("POST", "/islands", body))
        alone.await_metric('mapwright_cache_claims_total{result="wait"}', 1)
        while alone.metric('mapwright_cache_claims_total{result="wait"}') < 1:
            time.sleep(0.01)
        assert alone.ask("DELETE", place).status == 204
        assert connection.reply("POST").status == 200


def test_delete_is_for_the_same_client_alone(slow):
    flags = ["--workers=1", "--trusted-proxies=127.0.0.1", "--async-ms=3000000", *NO_HURRY]
    with Server(*flags) as server:
        one, two = ({"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2))
        body = slow | {"seed": "shared"}
        place = server.ask("POST", "/islands", body, ASYNC | one).header("Location")
        assert server.ask("DELETE", place, None, two).status == 409
        assert server.ask("POST", "/islands", body, ASYNC | two).status == 202
        assert server.ask("DELETE", place, None, one).status == 204
        assert server.ask("DELETE", place, None, one).status == 409
        assert server.ask("GET", place, None, one).status == 202, "it goes on for the other"
        assert await_map(server, place)[0].status == 200


def test_delete_of_a_map_that_is_there(server):
    answer = server.post("/regions", {"seed": "stays"}).json()
    reply = server.ask("DELETE", "/maps/" + answer["id"])
    assert reply.status == 409 and reply.json()["type"] == "/problems/nothing-to-end"
    assert server.get("/maps/" + answer["id"]).status == 200
    assert server.ask("DELETE", "/maps/00000000-0000-5000-8000-000000000000").status == 404


def test_methods_and_cors(server):
    reply = server.ask("OPTIONS", "/maps/00000000-0000-5000-8000-000000000000")
    methods = {"get", "head", "delete", "options"}
    assert reply.status == 204 and reply.tokens("Allow") == methods
    assert reply.tokens("Access-Control-Allow-Methods") == methods
    assert "prefer" in reply.tokens("Access-Control-Allow-Headers")
    for method in ("POST", "PUT"):
        reply = server.ask(method, "/maps/00000000-0000-5000-8000-000000000000", "{}")
        assert reply.status == 405 and reply.tokens("Allow") == methods
    reply = ask(server, {"seed": "cors", "width": 400, "height": 400})
    assert reply.header("Access-Control-Expose-Headers") == "*"


# ---- how much --------------------------------------------------------------------------------------

def test_a_client_may_have_only_so_much_under_way(slow):
    flags = ["--workers=1", "--async-per-client=3", "--async=5", "--trusted-proxies=127.0.0.1"]
    with Server(*flags, "--async-ms=3000000", *NO_HURRY) as server:
        def one(client, seed):
            return server.ask("POST", "/islands", slow | {"seed": seed},
                              ASYNC | {"X-Forwarded-For": f"192.0.2.{client}"})
        assert one(1, 0).status == 202
        server.await_metric("mapwright_workers_busy", 1)
        assert [one(1, n).status for n in range(1, 5)] == [202, 202, 429, 429]
        many = one(1, 9)
        assert many.json()["type"] == "/problems/too-many-requests" and "3" in many.json()["detail"]
        assert int(many.header("Retry-After")) > 0
        assert [one(2, n).status for n in range(10, 12)] == [202, 202]
        full = one(3, 20)
        assert full.status == 503 and full.json()["type"] == "/problems/busy"
        assert one(1, 0).status == 202, "what is under way already is no more"
        assert server.metric("mapwright_operations") == 5
        assert server.metric("mapwright_queue_length") == 4, "what was refused is not made"


def test_async_work_may_wait_longer_in_the_queue(slow):
    """Longer than others: for a client that waits it would be too long."""
    with Server("--workers=1", "--wait-ms=50", "--async-ms=3000000") as server:
        places = [begin(server, slow | {"seed": n}) for n in range(3)]
        assert server.post("/islands", slow | {"seed": 4}).status == 503
        assert [await_map(server, place)[0].status for place in places] == [200] * 3


def test_async_work_has_a_longer_deadline():
    """What was too long for one who waits, and is remembered so, may be made all the same."""
    with Server("--workers=1", "--deadline-ms=100", "--async-ms=3000000") as server:
        body = HOPELESS | {"seed": 1}
        assert server.post("/puzzle/generate", body).status == 504
        reply, _ = await_map(server, begin(server, body, "/puzzle/generate"))
        assert reply.status == 422
        assert server.post("/puzzle/generate", body).status == 422


def test_waiting_clients_do_not_count_as_async(slow):
    """Small maps go on beside it: async work counts as other work does."""
    with Server("--workers=2", "--async-per-client=1", "--async-ms=3000000", *NO_HURRY) as server:
        begin(server, slow | {"seed": "one"})
        reply = ask(server, {"seed": "small"}, "/regions", Prefer="respond-async, wait=600")
        assert reply.status == 200


# ---- draining --------------------------------------------------------------------------------------

def test_draining_tells_streams_and_ends_the_work(slow):
    """It is not held up by them, and its clients know to ask elsewhere."""
    server = Server("--workers=1", "--drain-ms=3600000", "--async-ms=3000000", *NO_HURRY)
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
            reply = poller.ask("GET", places[0])
            assert reply.status == 503 and reply.json()["type"] == "/problems/draining"
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
