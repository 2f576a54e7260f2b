"""Which format comes back: `format`, suffix, Accept; and what it looks like."""
import json
import re
import xml.etree.ElementTree as xml

import pytest

MEDIA = {"json": "application/json", "text": "text/plain", "svg": "image/svg+xml",
         "png": "image/png"}
EVERY = ["json", "cbor", "text", "svg", "png", "pdf", "geojson", "tmj", "vox", "glb", "dot", "graphml"]
REGIONS = "/regions"


def is_right(name, body):
    """Whether the bytes look like the format."""
    if name in ("json", "geojson", "tmj"):
        return isinstance(json.loads(body), dict)
    if name in ("svg", "graphml"):
        return xml.fromstring(body).tag.split("}")[1] == name
    if name == "png":
        return body.startswith(b"\x89PNG\r\n\x1a\n") and b"IEND" in body
    if name == "pdf":
        return body.startswith(b"%PDF-1.4\n") and body.endswith(b"%%EOF\n")
    if name == "cbor":
        return body[0] >> 5 == 5 and b"parameters" in body
    if name == "glb":
        return body.startswith(b"glTF\2\0\0\0") and int.from_bytes(body[8:12], "little") == len(body)
    if name == "vox":
        return body.startswith(b"VOX ")
    if name == "dot":
        return re.match(rb"(strict )?(di)?graph\b", body)
    return body.decode().isprintable() or "\n" in body.decode()


def test_each_format_in_each_way(server, contract):
    for generator in contract.generators:
        seed = {"seed": 1} if generator.seeded else {}
        assert "json" in generator.formats and "text" in generator.formats
        for name in generator.formats:
            ways = [server.get(generator.target(format=name, **seed)),
                    server.get(generator.target("." + name, **seed)),
                    server.post(generator.path, generator.body(format=name, **seed)),
                    server.post(generator.path + "?format=" + name, generator.body(**seed))]
            media = ways[0].media
            for ask in (("GET", generator.target(**seed), None),
                        ("POST", generator.path, generator.body(**seed))):
                ways.append(server.ask(*ask, {"Accept": media}))
            for reply in ways:
                assert reply.status == 200, (name, reply)
                assert reply.media == media == MEDIA.get(name, media)
                assert is_right(name, reply.body), (name, reply)
            same = {reply.body for reply in ways}
            assert len(same) == 1, f"{name} differs by the way it was asked for"


def test_suffix_and_format_must_agree(server):
    assert server.get("/regions.txt?format=text&seed=1").media == "text/plain"
    for method, target, body in (("GET", "/regions.png?format=svg&seed=1", None),
                                 ("POST", "/regions.png?seed=1", {"format": "svg"})):
        reply = server.ask(method, target, body)
        assert reply.status == 422 and reply.json()["errors"][0]["pointer"] == "/format"
        assert "svg" in reply.json()["detail"] and ".png" in reply.json()["detail"]


def test_the_document_lists_the_media_types(server, contract):
    for generator in contract.generators:
        medias = {server.get(generator.target(format=name)).media for name in generator.formats}
        assert medias <= {media.split(";")[0] for media in generator.answers}


def test_text_has_a_charset(server):
    reply = server.get("/regions.text?seed=1")
    assert "charset=utf-8" in reply.header("Content-Type").lower()


def test_formats_that_do_not_fit_the_generator(server, contract):
    """406, with the list of those it has."""
    for generator in contract.generators:
        for name in [name for name in EVERY if name not in generator.formats] + ["webp"]:
            for reply in (server.get(generator.target(format=name)),
                          server.post(generator.path, generator.body(format=name))):
                assert reply.status == 406, (name, reply)
                for there in generator.formats:
                    assert re.search(rf"\b{there}\b", reply.body.decode()), (there, reply)
        for name in set(EVERY) - set(generator.formats):
            assert server.get(generator.target("." + name)).status == 406


def test_format_of_a_wrong_type(server):
    for value in (5, True, [], {}, ["svg"]):
        reply = server.post(REGIONS, {"format": value})
        assert reply.status == 400 and reply.pointers() == ["/format"], reply


def test_format_has_precedence_over_accept(server):
    reply = server.get("/regions?format=text", Accept="image/svg+xml")
    assert reply.media == "text/plain"
    assert server.get("/regions.svg", Accept="application/json").media == "image/svg+xml"
    assert server.get("/regions.svg", Accept="image/webp").status == 200


# The rules are tested in tests/unit/srv/parse/check_accept.c.
@pytest.mark.parametrize("accept, media", [
    (None, "application/json"), ("application/*", "application/json"), ("TEXT/Plain", "text/plain"),
    ("image/svg+xml;q=0.5, text/plain;q=0.9", "text/plain"), ("text/plain;q=0.001, */*;q=0", "text/plain"),
    ("image/webp, */*;q=0.1", "application/json"), ("text/html,application/xml;q=0.9,*/*;q=0.8", "application/json"),
    (["text/plain;q=0.2", "image/svg+xml;q=0.8"], "image/svg+xml"),
    ("image/webp", None), ("*/*;q=0", None), ("application/json;q=0, text/*;q=0, image/*;q=0", None)])
def test_accept(server, accept, media):
    for _ in range(2):  # made, then from the cache
        reply = server.get("/regions?width=9&seed=1", Accept=accept)
        assert (reply.status, media and reply.media) == (200 if media else 406, media), reply
        assert media or all(name in reply.body.decode() for name in ("json", "text", "svg"))


def test_malformed_accept(server):
    for accept in ("///", ";q=1", "text/plain;q=x", "," * 2000, '"'):
        assert server.get("/regions?seed=1", Accept=accept).status in (200, 400, 406)


def test_suffix_is_for_get_and_head(server):
    assert server.ask("HEAD", "/regions.svg?seed=1").media == "image/svg+xml"
    assert server.get("/regions.nothing").status in (404, 406)
    assert server.get("/regions.").status in (404, 406)
    assert server.get("/nowhere.svg").status == 404


# ---- SVG in a browser ----------------------------------------------------------------------------

SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def test_svg_has_a_sandbox(server, contract):
    """Made, from the cache, by its id, and as 304."""
    for generator in contract.generators:
        if "svg" not in generator.formats:
            continue
        target = generator.target(".svg", **({"seed": "sandbox"} if generator.seeded else {}))
        first = server.get(target)
        by_id = f"/maps/{server.get(target.replace('.svg', '')).json()['id']}.svg"
        tag = {"If_None_Match": first.header("ETag")}
        replies = [first, server.get(target), server.get(target), server.ask("HEAD", target), server.get(by_id),
                   server.get(target, **tag), server.get(by_id, **tag)]
        assert [reply.status for reply in replies] == [200] * 5 + [304] * 2
        assert {reply.header("Content-Security-Policy") for reply in replies} == {SANDBOX}


def test_only_svg_has_that_policy(server):
    for name in ("json", "text", "png"):
        assert server.get(f"/regions?seed=sandbox&format={name}").header("Content-Security-Policy") is None
    assert server.get("/regions.svg?width=0").header("Content-Security-Policy") is None
