"""Formats: by `format`, suffix and Accept; how they are written (looks); names of files; the help for curl.

The rules of Accept have their rows in tests/unit/srv/parse/check_accept.c.
"""
import json
import re
import shlex
import subprocess
import urllib.parse
import xml.etree.ElementTree as xml

import pytest

EVERY = {"json", "cbor", "text", "svg", "png", "pdf", "geojson", "tmj", "vox", "glb", "dot", "graphml"}
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
STARTS = {"png": rb"\x89PNG\r\n\x1a\n", "pdf": rb"%PDF-1\.4\n", "cbor": rb"[\xa0-\xbf]", "glb": rb"glTF\x02\0\0\0",
          "vox": rb"VOX ",
          "dot": rb"(strict )?(di)?graph\b", "svg": rb"<svg", "graphml": rb"<", "text": rb"[ -~]"}


def is_right(name, body):
    """Whether the bytes look like the format."""
    if name in ("svg", "graphml"):
        return xml.fromstring(body).tag.split("}")[1] == name
    return re.match(STARTS[name], body) if name in STARTS else isinstance(json.loads(body), dict)


def file_name(reply):
    return re.fullmatch(r'inline; filename="([A-Za-z0-9._~-]+)"', reply.header("Content-Disposition"))[1]


def test_each_format_by_each_way(server, generator):
    for name, suffix in zip(generator.formats, generator.suffixes):
        first = server.get(generator.target(format=name, seed=7))
        body = generator.body(seed=7)
        assert first.status == 200 and first.media in generator.media and is_right(name, first.body), first
        where, id = first.header("Content-Location"), server.post(generator.path, body).json()["id"]
        for reply in (server.get(generator.target("." + suffix, seed=7)),
                      server.get(generator.target("." + name, seed=7)),
                      server.post(generator.path, body | {"format": name}),
                      server.post(f"{generator.path}?format={name}", body),
                      server.get(generator.target(seed=7), Accept=first.media),
                      server.ask("POST", generator.path, body, {"Accept": first.media}),
                      server.get(where), server.get(f"/maps/{id}.{suffix}")):
            assert (reply.status, reply.body, reply.media) == (200, first.body, first.media), name
            for field in ("ETag", "Content-Disposition", "Content-Security-Policy"):
                assert reply.header(field) == first.header(field), (name, field)
        assert server.ask("HEAD", where).header("Content-Location") == where
        assert re.fullmatch(generator.name.replace("/", "-") + rf"-(7|[0-9a-f-]{{36}})\.{suffix}", file_name(first))
        assert first.header("Content-Security-Policy") == (SANDBOX if name == "svg" else None)
        again = server.get(where, If_None_Match=first.header("ETag"))
        assert again.status == 304 and file_name(again) == file_name(first)


def test_formats_that_do_not_fit_the_generator(server, generator):
    """406, with the list of those it has."""
    for name in EVERY - set(generator.formats) | {"webp"}:
        for reply in (server.get(generator.target(format=name)),
                      server.post(generator.path, generator.body(format=name))):
            told = reply.problem(406, "not-acceptable", "/format")
            assert set(generator.formats) <= set(re.findall(r"\w+", told)), told
        assert server.get(generator.target("." + name)).status == 406


def test_suffix_and_format_must_agree(server):
    assert server.get("/regions.txt?format=text&seed=1").header("Content-Type").lower() == "text/plain; charset=utf-8"
    for method, target, body in (("GET", "/regions.png?format=svg&seed=1", None),
                                 ("POST", "/regions.png?seed=1", {"format": "svg"})):
        told = server.ask(method, target, body).problem(422, "no-result", "/format")
        assert "svg" in told and ".png" in told
    for value in (5, True, [], ["svg"]):
        server.post("/regions", {"format": value}).problem(400, "invalid-parameter", "/format")


@pytest.mark.parametrize("target, accept, media", [
    ("/regions?seed=1", None, "application/json"), ("/regions?seed=1", "TEXT/Plain", "text/plain"),
    ("/regions?seed=1", ["text/plain;q=0.2", "image/svg+xml;q=0.8"], "image/svg+xml"),
    ("/regions?seed=1", "text/html,application/xml;q=0.9,*/*;q=0.8", "application/json"),
    ("/regions?seed=1", "image/webp", None), ("/regions?seed=1", "*/*;q=0", None),
    ("/regions?seed=1&format=text", "image/svg+xml", "text/plain"),
    ("/regions.svg?seed=1", "image/webp", "image/svg+xml")])
def test_accept(server, target, accept, media):
    for _ in range(2):  # made, then from the cache
        reply = server.get(target, Accept=accept)
        assert (reply.status, media and reply.media) == (200 if media else 406, media), reply


@pytest.mark.parametrize("seed, plain", [
    ("a.b-c_d~e", True), ("x" * 64, True), ("a b", False), ("Zürich", False), ("../../etc/passwd", False),
    ("\r\nSet-Cookie: a", False), ('"', False)])
def test_file_names_of_unusual_seeds(server, seed, plain):
    answer = server.post("/regions", {"width": 9, "height": 9, "seed": seed})
    expected = seed if plain else answer.json()["id"]
    assert file_name(answer) == f"regions-{expected}.json"
    drawn = server.get("/regions.svg?width=9&height=9&seed=" + urllib.parse.quote(seed, safe=""))
    assert file_name(drawn) == f"regions-{expected}.svg"


# ---- looks, which are no part of the address ---------------------------------------------------

SVG = "/regions.svg?seed=look"


def test_each_look_has_a_tag_of_its_own(server):
    looks = ("", "&scale=10", "&scale=20", "&theme=dark", "&scale=10&theme=dark")
    tags = {look: server.get(SVG + look).header("ETag") for look in looks}
    assert len(set(tags.values())) == len(looks)
    answer = server.post("/regions", {"seed": "look", "scale": 9, "color": True}).json()
    assert answer == server.get("/regions?seed=look").json() and "scale" not in answer["self"]
    for look, tag in tags.items():
        assert server.get(SVG + look, If_None_Match=tag).header("Cache-Status") == "mapwright; hit"
        by_id = server.get(f"/maps/{answer['id']}.svg?{look[1:]}")
        assert by_id.header("ETag") == tag and server.get(by_id.header("Content-Location")).body == by_id.body
    assert server.get(SVG, If_None_Match=tags["&scale=10"]).status == 200
    assert server.get(SVG + "&color=true").header("ETag") == tags[""], "text alone has colours"


@pytest.mark.parametrize("look, pointer", [
    ("scale=0", "/scale"), ("scale=4&scale=5", "/scale"), ("color=2", "/color"), ("theme=red", "/theme"),
    ("columns=1001", "/columns")])
def test_wrong_looks(server, look, pointer):
    for path in ("/regions?seed=1&", SVG + "&"):
        server.get(path + look).problem(400, "invalid-parameter", pointer)
    known = server.get("/regions?seed=look").json()["id"]
    server.get(f"/maps/{known}?width=3&{look}").problem(400, "invalid-parameter", pointer, "/width")


QUESTION, ANSWER = "A B . C\n. D . .\n. . . .\nA D B C\n", "A B B C\nA D B C\nA D B C\nA D B C\n"
SOLVE, GENERATE = "/puzzle/solve{}?grid=AB.C/.D../..../ADBC{}", "/puzzle/generate{}?width=4&height=4&seed=7{}"


@pytest.mark.parametrize("path,solution,question,answer", [
    (SOLVE, "", False, True), (SOLVE, "&solution=true", False, True), (SOLVE, "&solution=false", True, False),
    (GENERATE, "", True, False), (GENERATE, "&solution=false", True, False), (GENERATE, "&solution=true", True, True)])
def test_solutions_are_shown_on_request(server, path, solution, question, answer):
    text = server.get(path.format(".txt", solution)).body.decode()
    assert (QUESTION in text, ANSWER in text) == (question, answer), text
    assert (b'id="path-A"' in server.get(path.format(".svg", solution)).body) == answer
    if solution.endswith("false"):
        assert ANSWER not in server.get(path.format(".txt", solution + "&tables=true")).body.decode()


# ---- the help for people with curl -------------------------------------------------------------

def help_text(server, **headers):
    reply = server.get("/", Accept="*/*", **headers)
    assert reply.status == 200 and reply.media == "text/plain"
    return reply.body.decode()


def commands(text):
    return [line.strip() for line in text.splitlines() if line.startswith("  curl ")]


def test_commands_of_the_help_work_when_pasted(server, tmp_path):
    text = help_text(server, Host=f"localhost:{server.port}")
    assert text.count("\n") <= 24 and max(map(len, text.splitlines())) <= 80, "one screen"
    for path in re.findall(r" (/[a-z.]+)(?!\S)", text.split("Formats")[1]):
        assert server.get(path.rstrip(",")).status == 200, path
    said = commands(text)
    assert len(said) >= 5
    for command in said:
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=600)
        assert done.returncode == 0, (command, done.stderr)
        if "-OJ" not in command:
            assert done.stdout.endswith(b"\n") and b"/problems/" not in done.stdout, command
            assert done.stdout.startswith(b"{") == (".txt" not in command), command
            assert (b"\x1b[" in done.stdout) == ("color=true" in command), command
    assert [file.name for file in tmp_path.iterdir()] == ["regions-hello.svg"]
    assert (tmp_path / "regions-hello.svg").read_bytes().endswith(b"</svg>\n")


@pytest.mark.parametrize("host, proto, base", [
    ("Maps-1.example:80", "http", "Maps-1.example:80"), ("[::1]:8080", None, "[::1]:8080"),
    ("maps.example", "https, http", "https://maps.example"), ("maps.example", "httpsx", "maps.example"),
    *((harmful, None, None) for harmful in ("a;reboot", "$(reboot)", "'", "x" * 300))])
def test_commands_have_the_host_of_the_request(server, host, proto, base):
    """Unless it would do harm in a shell."""
    for command in commands(help_text(server, Host=host, X_Forwarded_Proto=proto)):
        assert any(word.startswith((base or f"localhost:{server.port}") + "/")
                   for word in shlex.split(command)), command
