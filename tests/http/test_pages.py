"""Around the maps: the help text, health, metrics, the OpenAPI document, the problems' pages."""
import html.parser
import os
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest

from client import met, problem_types
from contract import CONTRACT
from server import ROOT
from test_caching import plain as uncoded


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


def test_previews_of_links_to_maps(server, generator):
    name, query = generator.name, generator.target(seed="two words").split("?")[1]
    head = preview(server, f"generator={name}&{query}", Accept="*/*", Host="maps.example")
    assert head.title == head.metas["og:title"] == f"{name} · Mapwright"
    assert head.metas["og:image"] == f"http://maps.example/{name}.png?{query}"
    image = server.get(head.metas["og:image"].removeprefix("http://maps.example"))
    assert image.status == 200 and image.media == "image/png"


def test_previews_know_their_public_address(server):
    https = preview(server, "seed=1&generator=puzzle%2Fgenerate", X_Forwarded_Proto="https", Host="maps.example:8443")
    assert https.metas["og:image"] == "https://maps.example:8443/puzzle/generate.png?seed=1"
    below = preview(server, "seed=1&generator=regions", X_Forwarded_Prefix="/maps", Host="games.example")
    assert below.metas["og:image"] == "http://games.example/maps/regions.png?seed=1"


def test_a_link_without_a_map_gives_the_page(server):
    for query in ("", "generator=", "generator=nothing", "generator=regions%00", "seed=1", "utm_source=x"):
        reply = server.get(f"/?{query}", Accept="text/html")
        assert reply.body == server.get("/", Accept="text/html").body
        assert server.get(f"/?{query}", Accept="*/*").media == "text/plain", "and help for curl"


@pytest.mark.parametrize("query", [
    "seed=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "seed=%3C/title%3E%3Cscript%3E", "%22%3E%3Cimg%20src=x%3E=1&seed=1",
    "x='\"><script>alert(1)</script>&seed=a<b>&\"c", "seed=%00%0d%0a%1b%7f%ff%c0%bc%ed%a0%80x", "seed=%26lt;&y=%",
    "&&seed=1&generator=%22%3E%3Cb%3E&generator=\"><b>", "seed=" + "%22" * 2000])
def test_a_link_cannot_inject_html(server, query):
    plain, head = (preview(server, f"generator=regions&{one}") for one in ("seed=1", query))
    assert head.tags == plain.tags, "no tag more, no attribute more"
    assert set(head.metas) == set(plain.metas)
    assert head.metas["og:description"] == plain.metas["og:description"]
    assert head.metas["og:title"] == head.title == plain.title
    assert re.fullmatch(r"http://[\w.:]+/regions\.png(\?[\w.~!$()*+,;=:@/?%&-]*)?", head.metas["og:image"])


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
        for there in re.findall(r'(?:from|URL\(|import\()\s*"(\.[\w./-]+\.js)"',
                                (Path(ROOT) / "src/web" / name).read_text()):
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


@pytest.mark.parametrize("code", [0x1b, 0x7f, 0x85, 0x202e, 0x2066])
def test_control_characters_of_a_seed_are_not_in_the_title(server, code):
    """Nor those that set the direction of text."""
    drawn = server.get(f"/regions.svg?width=4&height=4&count=2&seed=a{quote(chr(code))}b")
    assert b"<title>regions, seed ab</title>" in drawn.body


KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
BUNDLES = {"app.js", "worker.js"} if shutil.which("esbuild") else set()


def test_files_of_the_page(server):
    assert needed_files() == page_sources("html", *KINDS), "each is needed"
    for name in needed_files():
        reply = server.get("/" if name == "index.html" else f"/web/{name}", Accept="text/html")
        assert reply.status == 200, name
        assert reply.header("Content-Type") == KINDS.get(name.split(".")[-1], "text/html; charset=utf-8")
        if name in BUNDLES:
            assert not re.search(rb"^import ", reply.body, re.M), "all that it needs is in it"
        else:
            assert reply.body == (Path(ROOT) / "src/web" / name).read_bytes(), name
    for other in ("/web/", "/web/index.html", "/web/nothing.js", "/web/../web.c", "/web/%2e%2e/web.c"):
        server.get(other).problem(404, "not-found")


@pytest.mark.parametrize("tiles", ["mapwright-hex.png", "mapwright-square.png"])
def test_tiles_of_maps_for_tiled(server, tiles):
    reply = server.get("/" + tiles)
    assert reply.media == "image/png" and reply.body == (Path(ROOT) / "src/web/tiles" / tiles).read_bytes()
    grid = tiles.removesuffix(".png").split("-")[1]
    assert tiles in server.get(f"/regions.tmj?seed=1&grid={grid}").body.decode()


@pytest.mark.parametrize("path", ["/", "/?generator=regions&seed=1", "/web/style.css", "/openapi.json",
                                  "/openapi.yaml"])
def test_pages_have_codings_tags_and_policies(server, path):
    """A page may load what is its own, and no link of it tells its address, which has the parameters of the map."""
    plain, tags = server.get(path, Accept="text/html"), set()
    for coding in ("identity", "gzip", "zstd"):
        reply = server.get(path, Accept="text/html", Accept_Encoding=coding)
        body = uncoded(reply)
        assert body == plain.body and reply.header("Content-Encoding") == {"identity": None}.get(coding, coding)
        assert len(reply.body) < len(body) / 2 or coding == "identity"
        assert "accept-encoding" in reply.tokens("Vary") and reply.header("Cache-Control") == "no-cache"
        tags.add(reply.header("ETag"))
        same = server.get(path, Accept="text/html", Accept_Encoding=coding, If_None_Match=reply.header("ETag"))
        assert same.status == 304 and not same.body and same.header("ETag") == reply.header("ETag")
        assert same.header("Referrer-Policy") == reply.header("Referrer-Policy")
    assert len(tags) == 3, "one for each coding"
    if path.startswith("/openapi"):
        assert plain.body == (Path(ROOT) / path[1:]).read_bytes(), "the document is embedded"
    else:
        policy = plain.header("Content-Security-Policy")
        assert policy.startswith("default-src 'self';") and "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert not path.startswith("/?") or reply.tokens("Vary") >= {"x-forwarded-prefix", "x-forwarded-proto"}


# ---- the document ------------------------------------------------------------------------------

def test_every_answer_is_as_the_document_says(server):
    """Of each kind that any test has met: its status, media type, header fields, and what is in its JSON."""
    for generator in CONTRACT.generators:
        assert {server.post(generator.path, example).status for example in generator.examples} == {200}, generator.name
    server.get("/regions?width=0")
    judged = 0
    for (method, path, status, media), reply in sorted(met.items(), key=lambda one: one[0]):
        described = CONTRACT.described(method, path, status)
        if not described:
            continue
        judged += 1
        what = f"{method} {path} {reply}"
        for name in described["headers"] if status < 300 and media != "text/event-stream" else ():
            assert reply.header(name), f"{what} has no {name}"
        if method == "HEAD" or not reply.body or len(reply.body) > 1_000_000:
            continue
        if media not in described["content"]:
            assert media in CONTRACT.document["info"]["description"], what
        elif media in ("application/json", "application/problem+json"):
            faults = CONTRACT.faults(described["content"][media]["schema"], reply.json())
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
