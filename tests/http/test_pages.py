"""Around the maps: the help text, health, metrics, the OpenAPI document, the problems' pages."""
import os
import re

from client import problem_types, statuses
from server import ROOT


def test_help_for_curl(server, contract):
    reply = server.get("/", Accept="*/*", User_Agent="curl/7.88.1")
    assert reply.status == 200 and reply.media == "text/plain"
    for generator in contract.generators:
        assert generator.path in reply.body.decode()
    assert len(reply.body) < 8000, "short"


def test_page_for_browsers(server):
    reply = server.get("/", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert reply.status == 200 and reply.media in ("text/html", "text/plain")
    if reply.media == "text/html":
        assert reply.body.lower().lstrip().startswith(b"<!doctype html")


def test_health(server):
    for path in ("/healthz", "/readyz"):
        reply = server.get(path)
        assert reply.status == 200 and reply.body
        assert "max-age" not in (reply.header("Cache-Control") or ""), "a probe asks about now"


def test_version(server):
    reply = server.get("/version")
    assert reply.status == 200
    assert re.search(r"\d+\.\d+\.\d+", reply.body.decode())


LABEL = r'[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?'
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:" + LABEL + r")*\})? (\S+)( \d+)?")


def samples(server):
    """Metrics by name and labels; the text must be as Prometheus reads it."""
    reply = server.get("/metrics")
    assert reply.media == "text/plain" and "version=0.0.4" in reply.header("Content-Type")
    text = reply.body.decode()
    assert text.endswith("\n")
    found, kinds, family = {}, {}, None
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, family, kind = line.split(" ")
            assert family not in kinds, f"{family} stands in two places"
            assert kind in ("counter", "gauge", "histogram", "summary", "untyped")
            kinds[family] = kind
        elif line.startswith("# HELP "):
            assert len(line.split(" ", 3)[3]) > 3
        elif not line.startswith("#") and line:
            match = SAMPLE.fullmatch(line)
            assert match, f"no sample: {line!r}"
            assert match[1] == family or (kinds[family] in ("histogram", "summary")
                                          and match[1].startswith(family + "_"))
            key = match[1] + (match[2] or "")
            assert key not in found, f"{key} twice"
            found[key] = float(match[3])
    return found, kinds


def test_metrics_are_well_formed(server):
    found, kinds = samples(server)
    assert found and all(name.startswith(("mapwright_", "process_")) for name in kinds)
    assert all(value >= 0 for value in found.values())


def test_counters_only_rise(server):
    before, kinds = samples(server)
    for target in ("/regions", "/regions?seed=1", "/regions?width=0", "/nowhere"):
        server.get(target)
    after, _ = samples(server)
    counters = {name for name, kind in kinds.items() if kind == "counter"}
    for key, value in before.items():
        assert key.split("{")[0] not in counters or after[key] >= value, key
    asked = [key for key in after if re.match(r"mapwright_requests_total\b", key)]
    assert sum(after[key] for key in asked) >= sum(before[key] for key in asked) + 4


def test_histograms_add_up(server):
    found, kinds = samples(server)
    for family in [name for name, kind in kinds.items() if kind == "histogram"]:
        buckets = [value for key, value in found.items() if key.startswith(family + "_bucket")]
        assert buckets == sorted(buckets) and buckets[-1] == found[family + "_count"]


# ---- the document ------------------------------------------------------------------------------

def test_openapi(server, contract):
    document = contract.document
    assert document["openapi"].startswith("3.1")
    for path in ("/", "/healthz", "/readyz", "/metrics", "/version", "/openapi.json",
                 "/openapi.yaml"):
        assert "get" in document["paths"][path], path
    names = set(document["paths"])
    assert any(re.fullmatch(r"/maps/\{\w+\}", name) for name in names)
    assert any(re.fullmatch(r"/problems/\{\w+\}", name) for name in names)


def test_openapi_in_yaml(server):
    reply = server.get("/openapi.yaml")
    assert reply.status == 200 and "yaml" in reply.media
    assert re.search(rb'^openapi: ["\']?3\.1', reply.body, re.M)
    with open(os.path.join(ROOT, "openapi.yaml"), "rb") as kept:
        assert kept.read() == reply.body, "openapi.yaml is not what is served"


def test_every_link_of_the_document_leads_somewhere(contract):
    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                contract.resolve(value)
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(contract.document)


def test_examples_of_the_document_work(server, contract):
    for path, item in contract.document["paths"].items():
        if "post" not in item:
            continue
        media = item["post"]["requestBody"]["content"]["application/json"]
        examples = [contract.resolve(e)["value"] for e in media.get("examples", {}).values()]
        examples += [media["example"]] if "example" in media else []
        assert examples, f"{path} has no example"
        for example in examples:
            assert not list(contract.faults(media["schema"], example))
            reply = server.post(path, example)
            assert reply.status == 200, (example, reply)


def test_every_status_is_documented(server, contract):
    """Each status that any test has met, where the document has the path and method."""
    server.get("/regions?width=0")
    assert statuses
    paths = contract.document["paths"]
    unheard = []
    for method, path, status in sorted(statuses):
        known = paths.get(path, {}).get(method.lower()) if method.isupper() else None
        if known and status not in known["responses"]:
            unheard.append(f"{method} {path} {status}")
    assert not unheard


def test_problems_fit_their_schema(server, contract):
    for target in ("/regions?width=0&height=0", "/regions?v=99", "/regions?format=webp"):
        reply = server.get(target)
        told = contract.document["paths"]["/regions"]["get"]["responses"][str(reply.status)]
        schema = contract.resolve(told)["content"]["application/problem+json"]["schema"]
        assert not list(contract.faults(schema, reply.json()))


# ---- problems ----------------------------------------------------------------------------------

def test_pages_of_problems(server):
    """Each type that any test has met has its page."""
    problem_types.add(server.get("/nowhere").json()["type"])
    for path in sorted(problem_types):
        reply = server.get(path)
        assert reply.status == 200, path
        assert reply.media in ("text/plain", "text/html", "application/json"), reply
        assert len(reply.body) > 40, reply
