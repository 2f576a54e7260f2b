"""Around the maps: the help text, health, metrics, the OpenAPI document, the problems' pages."""
import gzip
import html.parser
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from client import met, problem_types
from server import ROOT


def test_page_for_browsers(server):
    reply = server.get("/", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert reply.status == 200 and reply.media == "text/html"
    assert reply.body.startswith(b"<!doctype html")
    assert reply.tokens("Vary") >= {"accept", "accept-encoding"}
    assert server.get("/", Accept="text/html;q=0, */*").media == "text/plain"


# ---- links to maps --------------------------------------------------------------------------------


class Head(html.parser.HTMLParser):
    """The tags of a page in order, its title, and the contents of its meta elements."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.metas, self.title, self.inside = [], {}, "", False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, *sorted(set(attrs) - {"content"})))
        self.inside = tag == "title"
        if tag == "meta" and "content" in attrs:
            self.metas[attrs.get("property") or attrs.get("name")] = attrs["content"]

    def handle_data(self, data):
        self.title += data if self.inside else ""

    def handle_endtag(self, tag):
        self.inside = False


def preview(server, query, **headers):
    reply = server.get(f"/?{query}", **headers)
    assert reply.status == 200 and reply.header("Content-Type") == "text/html; charset=utf-8"
    return Head(reply.body.decode())


def test_previews_of_links_to_maps(server, contract):
    for generator in contract.generators:
        name = generator.path[1:]
        query = "grid=A..B/..../A..B&rule=flow" if name == "puzzle/solve" else "seed=two%20words"
        head = preview(server, f"generator={name}&{query}", Accept="*/*", Host="maps.example")
        assert head.title == head.metas["og:title"] == f"{name} · Mapwright"
        assert head.metas["og:image"] == f"http://maps.example/{name}.png?{query}"
        image = server.get(head.metas["og:image"].removeprefix("http://maps.example"))
        assert image.status == 200 and image.media == "image/png"
    https = preview(server, "seed=1&generator=puzzle%2Fgenerate", X_Forwarded_Proto="https", Host="maps.example:8443")
    assert https.metas["og:image"] == "https://maps.example:8443/puzzle/generate.png?seed=1"
    below = preview(server, "seed=1&generator=regions", X_Forwarded_Prefix="/maps", Host="games.example")
    assert below.metas["og:image"] == "http://games.example/maps/regions.png?seed=1"


def test_a_link_without_a_map_gives_the_page(server):
    for query in ("", "generator=", "generator=nothing", "generator=regions%00", "seed=1", "utm_source=x"):
        reply = server.get(f"/?{query}", Accept="text/html")
        assert reply.body == server.get("/", Accept="text/html").body
        assert server.get(f"/?{query}", Accept="*/*").media == "text/plain", "and help for curl"


HOSTILE = [
    "generator=regions&seed=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "generator=regions&seed=%3C/title%3E%3Cscript%3E",
    "generator=regions&%22%3E%3Cimg%20src=x%3E=1&seed=1",
    "generator=regions&x='\"><script>alert(1)</script>&seed=a<b>&\"c",
    "generator=regions&seed=%00%0d%0a%1b%7f%ff%c0%bc%ed%a0%80x",
    "generator=regions&seed=%26lt;&y=%",
    "generator=regions&&&seed=1&generator=%22%3E%3Cb%3E&generator=\"><b>",
    "generator=regions&seed=" + "%22" * 2000,
]


@pytest.mark.parametrize("query", HOSTILE)
def test_a_link_cannot_inject_html(server, query):
    plain = preview(server, "generator=regions&seed=1")
    head = preview(server, query)
    assert head.tags == plain.tags, "no tag more, no attribute more"
    assert set(head.metas) == set(plain.metas)
    assert head.metas["og:description"] == plain.metas["og:description"]
    assert head.metas["og:title"] == head.title == plain.title
    assert re.fullmatch(r"http://[\w.:]+/regions\.png(\?[\w.~!$()*+,;=:@/?%&-]*)?", head.metas["og:image"])


# Control characters, and those that set the direction of text.
STEERING = [*range(1, 0x20), *range(0x7f, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x202a, 0x202f), *range(0x2066, 0x206a)]


def test_control_characters_of_a_seed_are_not_in_the_title(server):
    """A seed stands in the title of an SVG, without control characters."""
    for code in STEERING:
        drawn = server.get(f"/regions.svg?width=4&height=4&count=2&seed=a{quote(chr(code))}b")
        assert b"<title>regions, seed ab</title>" in drawn.body, hex(code)


def test_previews_ignore_a_malformed_host(server):
    for host in ('a"><script>', "a'b", "-x", "a b", "a/b"):
        try:
            head = preview(server, "generator=regions&seed=1", Host=host)
        except AssertionError:
            continue  # refused
        assert re.fullmatch(r"http://localhost:\d+/regions\.png\?seed=1", head.metas["og:image"])


def test_previews_are_cacheable(server):
    path, tags = "/?generator=regions&seed=1", set()
    plain = server.get(path)
    for coding in ("identity", "gzip"):
        reply = server.get(path, Accept_Encoding=coding)
        body = gzip.decompress(reply.body) if coding == "gzip" else reply.body
        assert body == plain.body
        assert reply.tokens("Vary") >= {"accept-encoding", "x-forwarded-prefix", "x-forwarded-proto"}
        assert reply.header("Cache-Control") == "no-cache", "kept, and compared"
        assert reply.header("Content-Security-Policy").startswith("default-src 'self';")
        tags.add(reply.header("ETag"))
        same = server.get(path, Accept_Encoding=coding, If_None_Match=reply.header("ETag"))
        assert same.status == 304 and not same.body
    assert len(tags) == 2
    assert server.get("/?generator=regions&seed=2").header("ETag") not in tags
    head = server.ask("HEAD", path, None, {})
    assert head.status == 200 and int(head.header("Content-Length")) == len(plain.body)


def page_sources(*kinds):
    """Files of these kinds in src/web, but for tiles."""
    web = Path(ROOT) / "src/web"
    return {str(path.relative_to(web)) for kind in kinds for path in web.rglob(f"*.{kind}")}


# Rooms of the page, from the lowest up: a module may import from its own room and from those.
PAGE_ROOMS = {
    "draw": [],
    "frame": ["draw"],
    "ask": ["draw"],
    "show": ["draw", "frame"],
    "choose": ["draw", "ask", "show"],
    "": ["ask", "show", "choose"],
}


def test_modules_of_the_page_import_only_from_lower_rooms():
    for name in page_sources("js"):
        room = os.path.dirname(name)
        for there in re.findall(r'(?:from|URL\(|import\()\s*"(\.[\w./-]+\.js)"', (Path(ROOT) / "src/web" / name).read_text()):
            other = os.path.dirname(os.path.normpath(os.path.join(room, there)))
            # the worker stands where the page does, so that its address is the same in one file
            assert other == room or other in PAGE_ROOMS[room] or there == "../reader.js", f"{name} names {there}"


def needed_files():
    """All files that the page loads, by the names in each file of src/web."""
    web, seen, left = Path(ROOT) / "src/web", set(), {"index.html"}
    while left:
        name = left.pop()
        seen.add(name)
        text = (web / name).read_text()
        names = re.findall(r'(?:href|src)="web/([\w./-]+)"', text)
        names += [os.path.normpath(os.path.join(os.path.dirname(name), one))
                  for one in re.findall(r'(?:from|URL\()\s*"([\w./-]+\.(?:js|css))"', text)]
        left |= set(names) - seen
    return seen


KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
BUNDLES = {"app.js", "worker.js"} if shutil.which("esbuild") else set()


def test_files_of_the_page(server):
    assert needed_files() == page_sources("html", *KINDS), "each is needed"
    for name in needed_files():
        reply = server.get("/" if name == "index.html" else f"/web/{name}", Accept="text/html")
        assert reply.status == 200, name
        assert reply.header("Content-Type") == KINDS.get(name.split(".")[-1], "text/html; charset=utf-8")
        with open(f"{ROOT}/src/web/{name}", "rb") as file:
            assert name in BUNDLES or reply.body == file.read(), name


def test_bundles_import_nothing(server):
    for name in BUNDLES:
        text = server.get(f"/web/{name}").body.decode()
        assert not re.search(r'^import ', text, re.M), "all that it needs is in it"


@pytest.mark.parametrize("tiles", ["mapwright-hex.png", "mapwright-square.png"])
def test_tiles_of_maps_for_tiled(server, tiles):
    reply = server.get("/" + tiles)
    assert reply.status == 200 and reply.media == "image/png"
    with open(f"{ROOT}/src/web/tiles/{tiles}", "rb") as file:
        assert reply.body == file.read()
    grid = tiles.removesuffix(".png").split("-")[1]
    assert tiles in server.get(f"/regions.tmj?seed=1&grid={grid}").body.decode()


def test_policies_of_the_page(server):
    """What it may load, and that no link of it gives away its address, which has the parameters of the map."""
    for path in ("/", "/?generator=regions&seed=1", "/web/style.css"):
        reply = server.get(path, Accept="text/html")
        again = server.get(path, Accept="text/html", If_None_Match=reply.header("ETag"))
        assert (reply.status, again.status) == (200, 304)
        policy = reply.header("Content-Security-Policy")
        assert policy.startswith("default-src 'self';") and "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert reply.header("X-Content-Type-Options") == "nosniff"
        assert reply.header("Referrer-Policy") == again.header("Referrer-Policy") == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/web/style.css", "/openapi.json", "/openapi.yaml"])
def test_pages_have_codings_and_tags(server, path):
    plain, tags = server.get(path, Accept="text/html"), set()
    for coding in ("identity", "gzip", "zstd"):
        reply = server.get(path, Accept="text/html", Accept_Encoding=coding)
        body = reply.body
        if coding == "gzip":
            body = gzip.decompress(body)
        elif coding == "zstd":
            body = subprocess.run(["zstd", "-dc"], input=body, stdout=subprocess.PIPE, check=True).stdout
        assert body == plain.body and reply.header("Content-Encoding") == {"identity": None}.get(coding, coding)
        assert len(reply.body) < len(body) / 2 or coding == "identity"
        assert "accept-encoding" in reply.tokens("Vary") and reply.header("Cache-Control") == "no-cache"
        tag = reply.header("ETag")
        tags.add(tag)
        same = server.get(path, Accept="text/html", Accept_Encoding=coding, If_None_Match=tag)
        assert same.status == 304 and not same.body and same.header("ETag") == tag
    assert len(tags) == 3, "one for each coding"


def test_the_page_has_no_other_files(server):
    for path in ("/web/", "/web/index.html", "/web/nothing.js", "/web/../web.c", "/web/%2e%2e/web.c"):
        reply = server.get(path)
        assert reply.status == 404 and reply.media == "application/problem+json"


def test_health(server):
    for path in ("/healthz", "/readyz"):
        reply = server.get(path)
        assert reply.status == 200 and reply.body
        assert "max-age" not in (reply.header("Cache-Control") or ""), "a probe asks about now"


# ---- the document ------------------------------------------------------------------------------

def test_openapi_in_yaml(server):
    reply = server.get("/openapi.yaml")
    assert reply.status == 200 and "yaml" in reply.media
    assert re.search(rb'^openapi: ["\']?3\.1', reply.body, re.M)
    with open(os.path.join(ROOT, "openapi.yaml"), "rb") as committed:
        assert committed.read() == reply.body, "the service embeds openapi.yaml"


def test_examples_of_the_document_work(server, contract):
    for path, item in contract.document["paths"].items():
        if "post" not in item:
            continue
        media = contract.resolve(item["post"]["requestBody"])["content"]["application/json"]
        examples = [contract.resolve(e)["value"] for e in media.get("examples", {}).values()]
        examples += [media["example"]] if "example" in media else []
        assert examples, f"{path} has no example"
        for example in examples:
            assert not list(contract.faults(media["schema"], example))
            reply = server.post(path, example)
            assert reply.status == 200, (example, reply)


def test_every_answer_is_as_the_document_says(server, contract):
    """Of each kind that any test has met: its status, media type, header fields, and what is in its JSON."""
    server.get("/regions?width=0")
    judged = 0
    for (method, path, status, media), reply in sorted(met.items(), key=lambda one: one[0]):
        described = contract.described(method, path, status)
        if not described:
            continue
        judged += 1
        what = f"{method} {path} {reply}"
        for name in described["headers"] if status < 300 and media != "text/event-stream" else ():
            assert reply.header(name), f"{what} has no {name}"
        if method == "HEAD" or not reply.body or len(reply.body) > 1_000_000:
            continue
        if media not in described["content"]:
            assert media in contract.document["info"]["description"], what
        elif media in ("application/json", "application/problem+json"):
            faults = list(contract.faults(described["content"][media]["schema"], reply.json()))
            assert not faults, (what, faults)
    assert judged


# ---- problems ----------------------------------------------------------------------------------

def test_pages_of_problems(server):
    """Each type that any test has met has its page."""
    problem_types.add(server.get("/nowhere").json()["type"])
    for path in sorted(problem_types):
        reply = server.get(path)
        assert reply.status == 200, path
        assert reply.media in ("text/plain", "text/html", "application/json"), reply
        assert len(reply.body) > 40, reply
