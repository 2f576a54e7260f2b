"""For people with curl: the help at `/`, drawings and problems as text, names of files."""
import json
import re
import shlex
import subprocess
import urllib.parse

import pytest

HELP = {"Accept": "*/*", "User-Agent": "curl/7.88.1"}


def helped(server, **headers):
    reply = server.ask("GET", "/", None, HELP | headers)
    assert reply.status == 200 and reply.media == "text/plain"
    return reply.body.decode()


def commands(text):
    return [line.strip() for line in text.splitlines() if line.startswith("  curl ")]


# ---- the help ----------------------------------------------------------------------------------

def test_help_is_one_screen(server, contract):
    text = helped(server, Host="localhost:8080")
    assert text.count("\n") <= 24 and max(map(len, text.splitlines())) <= 80
    for generator in contract.generators:
        assert re.search(rf"^{generator.path} +\S", text, re.M)
    listed = set(re.findall(r" \.(\w+)", re.search(r"^Formats.*", text, re.M)[0]))
    assert {"json", "txt", "svg"} <= listed
    for path in re.findall(r" (/[a-z.]+)(?!\S)", text.split("Formats")[1]):
        assert server.get(path.rstrip(",")).status == 200, path


def test_commands_of_the_help_work_when_pasted(server, tmp_path):
    said = commands(helped(server, Host=f"localhost:{server.port}"))
    assert len(said) >= 5
    for command in said:
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=60)
        assert done.returncode == 0, (command, done.stderr)
        if "-OJ" not in command:
            assert done.stdout.endswith(b"\n"), command
            assert done.stdout.startswith(b"{") == (".txt" not in command), command
            assert not re.match(rb"[45]\d\d ", done.stdout) and b"/problems/" not in done.stdout
            assert (b"\x1b[" in done.stdout) == ("color=true" in command), command
    assert [file.name for file in tmp_path.iterdir()] == ["regions-hello.svg"]
    assert (tmp_path / "regions-hello.svg").read_bytes().endswith(b"</svg>\n")


@pytest.mark.parametrize("host, proto, base", [
    ("maps.example", None, "maps.example"),
    ("Maps-1.example:80", "http", "Maps-1.example:80"),
    ("maps.example", "https", "https://maps.example"),
    ("[::1]:8080", None, "'[::1]:8080"),
    ("127.0.0.1", "HTTPS", "https://127.0.0.1"),
    ("maps.example", "https, http", "https://maps.example"),
    ("maps.example", "httpsx", "maps.example"),
])
def test_commands_have_the_host_of_the_request(server, host, proto, base):
    for command in commands(helped(server, Host=host, **{"X-Forwarded-Proto": proto})):
        words = shlex.split(command)
        assert any(word.startswith(base.lstrip("'") + "/") for word in words), command
        assert not base.startswith("'") or f" {base}/" in command


@pytest.mark.parametrize("host", [
    "a;reboot", "$(reboot)", "'", "x" * 300])
def test_commands_ignore_a_harmful_host(server, host):
    for command in commands(helped(server, Host=host)):
        assert f"localhost:{server.port}/" in command


# ---- text --------------------------------------------------------------------------------------

def test_txt_is_text(server, contract):
    for generator in contract.generators:
        seed = {"seed": 1} if generator.seeded else {}
        one = server.get(generator.target(".txt", **seed))
        assert one.status == 200 and one.media == "text/plain" and one.body.endswith(b"\n")
        for other in (server.get(generator.target(".text", **seed)),
                      server.get(generator.target(format="text", **seed)),
                      server.get(generator.target(**seed), Accept="text/plain")):
            assert (other.body, other.header("ETag")) == (one.body, one.header("ETag"))


def test_colours(server, contract):
    """color=true adds escape sequences to the same map."""
    for generator in contract.generators:
        seed = {"seed": 1} if generator.seeded else {}
        plain = server.get(generator.target(".txt", **seed))
        coloured = server.get(generator.target(".txt", color=True, **seed))
        assert b"\x1b[" in coloured.body and b"\x1b" not in plain.body
        assert coloured.media == "text/plain" and coloured.header("ETag") != plain.header("ETag")
        letters = re.sub(rb"\x1b\[[0-9;]*m", b"", coloured.body).decode()
        if "▀" in letters: # drawn smaller, in blocks that mean nothing without their colours
            assert letters.count("\n") == plain.body.decode().count("\n")
        else:
            assert letters.split() == plain.body.decode().split()


@pytest.mark.parametrize("target, accept", [
    ("/regions.txt?width=0", None), ("/regions?format=text&width=0", None), ("/regions?width=0", "text/plain"),
    ("/regions.txt?width=2&height=2&count=9&seed=1", None), ("/nowhere.txt", "text/plain")])
def test_problems_are_json_whatever_was_asked_for(server, target, accept):
    assert server.get(target, Accept=accept).media == "application/problem+json"


# ---- names of files ----------------------------------------------------------------------------

def named(reply):
    assert reply.status in (200, 304), reply
    match = re.fullmatch(r'inline; filename="([A-Za-z0-9._~-]+)"', reply.header("Content-Disposition"))
    assert match, reply.header("Content-Disposition")
    return match[1]


def test_names_of_files(server, contract):
    for generator in contract.generators:
        seed = {"seed": 7} if generator.seeded else {}
        stem = generator.path[1:].replace("/", "-")
        for form in generator.formats:
            suffix = {"text": "txt"}.get(form, form)
            for reply in (server.get(generator.target("." + form, **seed)),
                          server.post(generator.path, generator.body(format=form, **seed))):
                name = named(reply)
                if generator.seeded:
                    assert name == f"{stem}-7.{suffix}"
                else:
                    assert re.fullmatch(rf"{stem}-[0-9a-f-]{{36}}\.{suffix}", name)


@pytest.mark.parametrize("seed, plain", [
    ("a.b-c_d~e", True), ("0", True), ("x" * 64, True), ("a b", False), ("Zürich", False), ('"', False),
    ("../../etc/passwd", False), ("a\\b", False), ("\r\nSet-Cookie: a", False), ("&seed=1", False), ("%41", False)])
def test_file_names_of_unusual_seeds(server, seed, plain):
    answer = server.post("/regions", {"width": 9, "height": 9, "seed": seed})
    expected = seed if plain else answer.json()["id"]
    assert named(answer) == f"regions-{expected}.json"
    target = "/regions.svg?width=9&height=9&seed=" + urllib.parse.quote(seed, safe="")
    assert named(server.get(target)) == f"regions-{expected}.svg"


def test_the_file_name_does_not_depend_on_the_way_to_the_map(server):
    target, kept = "/regions.svg?width=9&height=8&seed=name", None
    for method in ("GET", "GET", "HEAD", "GET"):
        kept = server.ask(method, target)
        assert named(kept) == "regions-name.svg"
    assert kept.header("Cache-Status") == "mapwright; hit"
    again = server.get(target, If_None_Match=kept.header("ETag"))
    assert again.status == 304 and named(again) == "regions-name.svg"
    identity = server.post("/regions", {"width": 9, "height": 8, "seed": "name"}).json()["id"]
    assert named(server.get(f"/maps/{identity}.svg")) == "regions-name.svg"
    assert named(server.get(f"/maps/{identity}.txt")) == "regions-name.txt"


def test_curl_saves_under_the_name(server, tmp_path):
    for target in ("/islands.svg?seed=7", "/puzzle/generate.txt?seed=7"):
        subprocess.run(["curl", "-sfOJ", f"localhost:{server.port}{target}"], cwd=tmp_path, check=True,
                       timeout=60)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["islands-7.svg", "puzzle-generate-7.txt"]


