"""What operators see: metrics and the log."""
import collections
import json
import os
import re
import subprocess
import time
import uuid

from contract import CONTRACT
from server import ROOT, Server

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SERIES = re.compile(r'([a-z_]+)(?:\{(.*)\})? (\S+)')


def mix(server):
    """Something of everything: maps, hits, pages, refusals, what was never a request."""
    for generator in CONTRACT.generators:
        for name in generator.formats:
            assert server.post(generator.path, generator.body(format=name)).status == 200
        server.post(generator.path, generator.body(format="no such format"))
    for target in ("/", "/healthz", "/version", "/nowhere", "/problems", "/problems/busy",
                   "/regions?width=0", "/regions?seed=1", "/regions?seed=1",
                   "/islands?width=3&height=3&islands=9,13", "/regions?v=99", "/" + "x" * 20000):
        server.get(target)
    server.ask("DELETE", "/regions")
    with server.connect() as connection:
        connection.send(b"\x16\x03\x01\r\n\r\n")
        assert connection.reply().status == 400


def series(server, accept=None):
    """(name, labels) -> value"""
    text = server.get("/metrics", Accept=accept).body.decode()
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = SERIES.fullmatch(line)
            assert match, line
            labels = frozenset(re.findall(r'([a-z]+)="([^"\\]*)"', match[2] or ""))
            assert (match[1], labels) not in found, line
            found[match[1], labels] = float(match[3])
    return found


def values_of(found, label):
    return {value for _, labels in found for name, value in labels if name == label}


# ---- metrics -----------------------------------------------------------------------------------

def test_promtool_finds_nothing(server):
    mix(server)
    text = server.get("/metrics").body
    result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    assert result.returncode == 0 and not result.stdout and not result.stderr, result
    pid = server.process.pid
    assert abs(server.metric("process_open_fds") - len(os.listdir(f"/proc/{pid}/fd"))) <= 2
    with open(f"/proc/{pid}/status") as status:
        resident = 1024 * int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])
    assert 0.5 < server.metric("process_resident_memory_bytes") / resident < 2
    assert abs(server.metric("process_start_time_seconds") - time.time()) < 3600


def test_requests_are_counted_by_route_format_and_status():
    with Server() as server:
        asked = [("GET", "/regions?seed=1", "/regions", "json", 200),
                 ("GET", "/regions?seed=1", "/regions", "json", 200),
                 ("GET", "/regions.svg?seed=1", "/regions", "svg", 200),
                 ("HEAD", "/islands.vox", "/islands", "vox", 200),
                 ("GET", "/regions?width=0", "/regions", "none", 400),
                 ("GET", "/islands.svg?width=3&height=3&islands=9,13", "/islands", "none", 422),
                 ("GET", "/puzzle/solve?grid=A.A", "/puzzle/solve", "json", 200),
                 ("GET", "/healthz", "/healthz", "none", 200),
                 ("GET", "/problems/busy", "/problems/", "none", 200),
                 ("GET", "/web/nothing", "/web/", "none", 404),
                 ("GET", "/maps/00000000-0000-5000-8000-000000000000", "/maps/{id}", "none", 404),
                 ("OPTIONS", "/regions", "/regions", "none", 204),
                 ("GET", "/nowhere", "other", "none", 404)]
        for method, target, _, _, status in asked:
            assert server.ask(method, target).status == status, target
        for (route, form, status), count in collections.Counter(row[2:] for row in asked).items():
            labels = f'{{route="{route}",format="{form}",status="{status}"}}'
            server.await_count(f"mapwright_requests_total{labels}", count)
        server.await_count('mapwright_request_duration_seconds_count{generator="regions"}', 5)
        for phase, count in (("queue", 2), ("make", 2), ("encode", 2)):  # one map is made, and drawn
            labels = f'{{generator="regions",phase="{phase}"}}'
            assert server.metric("mapwright_phase_seconds_count" + labels) == count, phase


def test_no_label_is_a_clients():
    """Whatever clients write, series are those of the tables: their number has a bound."""
    with Server() as server:
        server.get("/metrics")
        for i in range(200):
            name = f'x"{i}\\\u00e9}}'
            for method, target in (("GET", f"/{name}"), (f"M{i}", "/regions"),
                                   ("GET", f"/regions.{name}"), ("GET", f"/problems/{name}"),
                                   ("GET", f"/maps/{i}"), ("GET", f"/regions?{name}={i}")):
                server.ask(method, target, None, {"X-Request-Id": name, "traceparent": name})
        found = series(server)
        assert values_of(found, "route") <= {"/regions", "/problems/", "/metrics", "other"}
        assert values_of(found, "format") == {"none"}
        assert values_of(found, "status") <= {"200", "400", "404", "405", "406"}
        assert len(found) < 1000


def test_refusals_are_counted_by_reason():
    reasons = {"/regions?width=0": "invalid-parameter", "/nowhere": "not-found",
               "/regions.vox": "not-acceptable", "/regions?v=99": "other-version",
               "/islands?width=3&height=3&islands=9,13": "no-result", "/" + "x" * 20000: "url-too-long",
               "/regions?seed=%zz": "invalid-request"}
    with Server() as server:
        known = {slug["type"].removeprefix("/problems/")
                 for slug in server.get("/problems").json()["problems"]}
        assert values_of(series(server), "reason") == known
        for target, reason in reasons.items():
            assert server.get(target).json()["type"] == f"/problems/{reason}"
        for reason in reasons.values():
            server.await_count(f'mapwright_refusals_total{{reason="{reason}"}}', 1)
        assert server.metric("mapwright_refusals_total") == len(reasons)


# ---- the log -----------------------------------------------------------------------------------

SELF = "/regions?v=7&width=50&height=30&grid=hex&wrap=none&count=6&variation=0&roughness=0.5&names=none&seed=7"
MAP = {"self": SELF, "generator": "regions", "format": "json", "client": "127.0.0.1"}


def test_the_log_tells_map_bytes_times_and_reasons():
    """The map by `self`, however it was asked for; else what the client wrote."""
    asked = [
        ("miss", "GET", "/regions?seed=7&width=50", {}, MAP | {"cache": "miss", "status": 200}),
        ("hit", "GET", "/regions?seed=7&width=50", {}, MAP | {"cache": "hit"}),
        ("post", "POST", "/regions", {"seed": 7, "width": 50}, MAP),
        ("by-id", "GET", f"/maps/{uuid.uuid5(uuid.NAMESPACE_URL, SELF)}", {}, MAP),
        ("head", "HEAD", "/regions?seed=7&width=50", {}, MAP | {"bytes": 0}),
        ("drawn", "GET", "/regions.svg", {}, {"format": "svg"}),
        ("wrong", "GET", "/regions?width=0&height=%22", {},
         {"query": "width=0&height=%22", "reason": "invalid-parameter"}),
        ("nowhere", "GET", "/nowhere?a=b", {}, {"path": "/nowhere", "query": "a=b", "reason": "not-found"}),
        ("none", "GET", "/islands?width=3&height=3&islands=9,13&seed=1", {}, {"reason": "no-result", "status": 422}),
        ("long", "GET", "/" + "x" * 20000, {}, {"reason": "url-too-long", "status": 414})]
    with Server() as server:
        for id, method, target, body, _ in asked:
            server.ask(method, target, body or None, {"X-Request-Id": id})
    lines = {line["id"]: line for line in server.log_lines()}
    for id, _, _, _, told in asked[:-1]:
        assert told.items() <= lines[id].items() and not {"query", "self"} <= lines[id].keys(), lines[id]
        assert 0 <= lines[id].get("send", 0) <= lines[id]["duration"] < 100
    assert any(asked[-1][-1].items() <= line.items() for line in lines.values()), "its id was not read"
    for id in ("miss", "hit"):
        times = {"store", "queue", "make", "encode"} & lines[id].keys()
        assert times == ({"queue", "make", "encode"} if id == "miss" else set())


def test_the_log_has_incomplete_requests():
    """Who left in the middle of a body; what was malformed behind a head that was not."""
    with Server() as server:
        with server.connect() as connection:
            connection.send(f"POST /regions HTTP/1.1\r\nHost: a\r\nX-Request-Id: left\r\n"
                            f"traceparent: {PARENT}\r\nContent-Length: 9\r\n\r\n{{".encode())
            server.await_metric("mapwright_connections_open", 2)
        server.await_metric('mapwright_requests_total{status="499"}', 1)
        with server.connect() as connection:
            connection.send(b"POST /areas?x=y HTTP/1.1\r\nHost: a\r\nX-Request-Id: chunk\r\n"
                            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
            assert connection.reply().status == 400
        with server.connect() as connection:
            connection.send(b"GET / HTTP/2.0\r\nX-Request-Id: not read\r\n\r\n")
            assert connection.reply().status == 505
        server.stop()
        lines = [line for line in server.log_lines() if line.get("path") != "/metrics"]
        # two may end in one millisecond: told apart by what they are, not by their order
        by_status = {line["status"]: line for line in lines}
        assert len(lines) == 3 and by_status.keys() == {499, 400, 505}
        left, chunk, other = by_status[499], by_status[400], by_status[505]
        assert left["id"] == "left" and left["method"] == "POST"
        assert left["traceparent"] == PARENT and "send" not in left
        assert (chunk["path"], chunk["query"], chunk["id"]) == ("/areas", "x=y", "chunk")
        assert not {"method", "path", "query", "self"} & other.keys()
        assert other["reason"] == "http-version" and len(other["id"]) == 36


def test_clients_cannot_inject_log_lines():
    """A line for each request, of printable ASCII, whatever bytes clients send."""
    words = ['"', "\\", '","status":200,"x":"', "\x85", "\u00ff" * 40, "\x1b[2J".replace("\x1b", "%1b"),
             "\\u000a", "\u2028".encode().decode("latin-1"), "</script>", "%0a%0d{}"]
    with Server() as server:
        before = len(server.log_lines())
        for i, word in enumerate(words):
            with server.connect() as connection:
                connection.send(f"GET /{word}?{word} HTTP/1.1\r\nHost: a\r\nX-Request-Id: {word}\r\n"
                                f"traceparent: {word}\r\nX-Forwarded-For: {word}\r\n"
                                "Connection: close\r\n\r\n".encode("latin-1"))
                assert connection.at_end().startswith(b"HTTP/1.1 4"), i
        server.stop()
        text = server.said(server.log)
        assert re.fullmatch(rb"(?:[\x20-\x7e]+\n)*", text)
        assert len(server.log_lines()) == before + len(words)
        for line in server.log_lines():
            assert line["status"] in (400, 404)


def test_the_log_tells_of_beginning_and_end():
    with Server("--workers=3", "--log=on", environment={"MAPWRIGHT_QUEUE": "17"}) as server:
        server.get("/healthz")
        server.stop()
        events = [json.loads(line) for line in server.said(server.log).splitlines()]
        assert len(server.log_lines()) == 1
        events = [event for event in events if event["event"] != "request"]
        assert [event["event"] for event in events] == ["start", "leave", "drain", "stop"]
        start = events[0]
        assert start["settings"] == {"port": str(server.port), "workers": "3", "queue": "17",
                                     "log": "on"}
        assert re.fullmatch(r"\d+\.\d+\.\d+", start["version"])
        for event in events:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["time"])


# ---- dashboard and alerts ----------------------------------------------------------------------

DEPLOY = os.path.join(ROOT, "deploy")
RULES = os.path.join(DEPLOY, "prometheus", "alerts.yaml")


def dashboard():
    with open(os.path.join(DEPLOY, "grafana", "mapwright.json"), encoding="utf-8") as file:
        return json.load(file)


def queries():
    """As Prometheus gets them."""
    found = [target["expr"] for panel in dashboard()["panels"]
             for target in panel.get("targets", [])]
    found += [note["expr"] for note in dashboard()["annotations"]["list"]]
    return [re.sub(r"\$(job|instance)", ".*", expr.replace("$__rate_interval", "1m"))
            for expr in found]


def promtool(*words):
    return subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)


def test_the_dashboard_is_what_its_script_writes():
    script = os.path.join(DEPLOY, "grafana", "dashboard.py")
    written = subprocess.run(["/usr/bin/python3", "-B", script], capture_output=True, check=True)
    assert json.loads(written.stdout) == dashboard(), "write it anew: its head says how"
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(ids) == len(set(ids)) > 20
    assert all(panel["description"] for panel in dashboard()["panels"] if panel["type"] != "row")


def test_prometheus_reads_every_query(tmp_path):
    rules = [{"record": f"panel:{i}", "expr": expr} for i, expr in enumerate(queries())]
    file = tmp_path / "queries.yaml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    result = promtool("check", "rules", str(file))
    assert result.returncode == 0 and f"{len(rules)} rules found" in result.stdout, result


def test_the_alerts_fire_where_they_should():
    result = promtool("check", "rules", RULES)
    assert result.returncode == 0 and "SUCCESS" in result.stdout, result
    result = promtool("test", "rules", RULES.replace(".yaml", ".test.yaml"))
    assert result.returncode == 0 and "SUCCESS" in result.stdout, result


def test_dashboard_and_alerts_speak_of_what_there_is(server):
    """Every metric and every label that they name."""
    mix(server)
    found = series(server)
    metrics = {name for name, _ in found}
    labels = {label for _, pairs in found for label, _ in pairs} | {"job", "instance"}
    with open(RULES, encoding="utf-8") as file:
        text = "\n".join(queries()) + file.read()
    named = set(re.findall(r"\b(?:mapwright|process)_[a-z_]+", text))
    assert len(named) > 25 and named <= metrics, named - metrics
    wanted = set(re.findall(r"(\w+)=?[=!]~?\"", text)) | {
        label.strip() for by in re.findall(r"by \(([^)]*)\)", text) for label in by.split(",")}
    assert wanted <= labels, wanted - labels
    for reason in re.findall(r'reason="([^"]*)"', text):
        assert reason in values_of(found, "reason")
    for phase in re.findall(r'phase="([^"]*)"', text):
        assert phase in values_of(found, "phase")
