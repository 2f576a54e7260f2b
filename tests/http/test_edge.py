"""What stands in front of the service: canonical addresses, and a real nginx that keeps answers."""
import random
import re
import shutil
import string
import subprocess
import tempfile
import time
from urllib.parse import quote

import pytest

from client import Connection, Gone
from server import NO_HURRY, PATIENCE, ROOT, Server, free_port

# ---- one map, one address ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict():
    with Server("--canonical=redirect", *NO_HURRY) as server:
        yield server


def follow(server, target, method="GET", **headers):
    """The answer at the end of the one redirect that there may be, and where it was."""
    headers = {k.replace("_", "-"): v for k, v in headers.items()}
    reply = server.ask(method, target, None, headers)
    if reply.status != 308:
        return reply, target
    where = reply.header("Location")
    assert reply.header("Cache-Control") == "public, max-age=86400" and not reply.body
    again = server.ask(method, where, None, headers)
    assert again.status != 308, f"{target} is sent from {where} to {again.header('Location')}"
    return again, where


def test_spellings_of_one_map_have_one_address(strict):
    where = {}
    for suffix, format in (("", ""), (".svg", ""), ("", "&format=svg"), (".json", ""),
                           (".png", "&format=svg"), ("", "&format=json")):
        for query in ("seed=7&width=9", "width=9&seed=7", "width=9.0&seed=%37&count=6",
                      "v=1&seed=7&width=9&", "width=9&seed=7&grid=hex"):
            for path in ("/regions", "/%72egions"):
                reply, there = follow(strict, f"{path}{suffix}?{query}{format}")
                assert reply.status == 200
                kind = "svg" if "svg" in suffix + format else "json" if suffix + format else ""
                assert where.setdefault(kind, (there, reply.body)) == (there, reply.body)
    assert [there.split("?")[0] for there, _ in where.values()] == [
        "/regions", "/regions.svg", "/regions.json"]


def test_looks_of_canonical_addresses(strict):
    """What the format named does not heed goes; where Accept chooses, it may be heeded."""
    for target, look in (("/regions.svg?scale=8&color=true&seed=1", "scale=8"),
                         ("/regions.txt?scale=8&color=true&seed=1", "color=true"),
                         ("/regions.json?scale=8&color=true&seed=1", ""),
                         ("/regions?scale=8&color=true&seed=1", "scale=8&color=true")):
        reply, where = follow(strict, target)
        assert reply.status == 200 and where.partition("&seed=1")[2].lstrip("&") == look
    for accept in ("text/plain", "image/svg+xml", "application/json"):
        reply, _ = follow(strict, "/regions?scale=8&color=true&seed=1", Accept=accept)
        assert reply.media == accept
        with Server() as free:
            assert free.get("/regions?scale=8&color=true&seed=1", Accept=accept).body == reply.body


def test_only_what_can_be_kept_by_its_address_is_redirected(strict, server):
    assert strict.get("/regions?width=9").status == 200
    assert strict.post("/regions?width=9", {"seed": 1}).status == 200
    assert strict.ask("QUERY", "/regions?width=9", {"seed": 1}).status == 200
    assert strict.get("/regions?width=0&seed=1").status == 400
    assert strict.get("/regions.vox?seed=1").status == 406
    assert strict.get("/healthz?x=1").status == 200
    kept = strict.get("/regions?width=9").json()["id"]
    assert strict.get(f"/maps/{kept}?format=svg").status == 200
    assert strict.get("/puzzle/solve?grid=A.A").status == 308  # it draws nothing
    head = strict.ask("HEAD", "/regions?seed=1")
    assert head.status == 308 and head.header("Location") == \
        strict.get("/regions?seed=1").header("Location")
    assert server.get("/regions?seed=1").status == 200, "off by default"


def test_redirects_come_again(strict):
    """Kept bytes do not make them go away: neither of the same request, nor of its POST."""
    with strict.connect() as connection:
        for _ in range(3):
            assert connection.ask("GET", "/regions?seed=again").status == 308
            assert connection.ask("POST", "/regions?seed=again", b"").status == 200
            canonical = connection.ask("GET", "/regions?seed=again").header("Location")
            assert connection.ask("GET", canonical).status == 200
            assert connection.ask("GET", canonical.replace("regions", "%72egions")).status == 308


def test_redirects_of_random_requests_never_loop(strict, server, contract):
    """Whatever is asked for, in whatever spelling: the canonical address answers directly, and with
    what the request would have been answered."""
    chance = random.Random(5)
    letters = string.ascii_letters + string.digits + " /&?%#+.~é"
    sent_on = good = 0
    for _ in range(400):
        generator = chance.choice(contract.generators)
        values = dict(generator.body())
        for name, field in generator.own_fields().items():
            kind = field.get("type")
            kind = kind[0] if isinstance(kind, list) else kind
            if chance.random() < 0.4 and "enum" in field:
                values[name] = chance.choice(field["enum"])
            elif chance.random() < 0.3 and kind == "boolean":
                values[name] = chance.choice(["true", "false"])
            elif chance.random() < 0.3 and kind in ("integer", "number") and name != "v":
                low = field.get("minimum", 0)
                values[name] = chance.choice([low, f"{low}.0", f"0{low}", low + 1, low + 3])
        if generator.seeded:
            values["seed"] = "".join(chance.choices(letters, k=chance.randint(1, 9)))
        if chance.random() < 0.4:
            values[chance.choice(["scale", "color", "format"])] = chance.choice(
                [2, "true", "svg", "text", "json"])
        pairs = [f"{name}={quote(spelled(value), safe=chance.choice(['', ',;/']))}"
                 for name, value in values.items() if value is not None]
        chance.shuffle(pairs)
        suffix = chance.choice(["", "", ".svg", ".txt", ".json"])
        target = f"{generator.path}{suffix}?{'&'.join(pairs)}"
        reply, where = follow(strict, target)
        sent_on += where != target
        assert reply.status in (200, 400, 406, 422), reply
        if reply.status == 200:
            assert reply.body == server.get(target).body
            good += 1
    assert sent_on > 200 and good > 200


def spelled(value):
    if isinstance(value, list):
        rows = isinstance(value[0], str) if value else False
        return "/".join(value) if rows else ",".join(map(str, value))
    return str(value)
