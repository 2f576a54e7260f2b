"""The examples, run as their first lines say: what they show, what they say of a problem, that they wait for
a busy service, and that a map with a seed is asked for once."""
import functools
import http.server
import json
import os
import platform
import re
import shutil
import subprocess
import threading
import urllib.parse

import pytest

from conftest import BUSY, MANY, ROOT, page

EXAMPLES = ROOT / "examples"
PARAMETERS = {"width": 12, "height": 6, "count": 3, "seed": "hello"}
WRONG = "width: must be an integer from 1 to 4096"


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The program in C#; the script for Unity is parsed alone."""
    folder, library = tmp_path_factory.mktemp("csharp"), "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll"
    shutil.copy(library, folder)
    subprocess.run(["mcs", "-nologo", "-warnaserror", f"-out:{folder}/csharp.exe", f"-r:{library}", "-r:System.Net.Http",
                    EXAMPLES / "Map.cs"], check=True)
    subprocess.run(["mcs", "-nologo", "--parse", EXAMPLES / "Mapwright.cs"], check=True)
    return folder


PROGRAMS = {
    "shell": ["sh", EXAMPLES / "map.sh"],
    "python": ["/usr/bin/python3", "-B", EXAMPLES / "map.py"],
    "node": ["node", EXAMPLES / "map.mjs"],
    "csharp": ["mono"],
}


@pytest.fixture(params=PROGRAMS)
def program(request):
    """Its name, and its words but for generator and parameters."""
    words = PROGRAMS[request.param]
    if words == ["mono"]:
        words = [*words, request.getfixturevalue("compiled") / f"{request.param}.exe"]
    return request.param, words


@pytest.fixture
def run(program, between, tmp_path):
    _, words = program

    def ask(generator, **parameters):
        more = [generator, *(f"{key}={value if isinstance(value, (str, int)) else json.dumps(value)}"
                             for key, value in parameters.items())]
        places = {"XDG_CACHE_HOME": str(tmp_path), "MAPWRIGHT": between.base}
        return subprocess.run([*words, *more], env=os.environ | places, capture_output=True, text=True, timeout=600)
    return ask


def shown(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


def draw_stars(result):
    for i, star in enumerate(result["stars"]):
        ends = [a + b - i for a, b in result["lanes"] if i in (a, b)]
        yield f"{'@' if star['homeworld'] else '*'} {i} at {star['x']},{star['y']}: {' '.join(map(str, ends))}"


def drawing(answer):
    """As Python, Node and C# show it."""
    result = answer["result"]
    if "stars" in result:
        rows = draw_stars(result)
    elif "cells" in result:
        hexagons = result.get("grid") == "hex"
        rows = [" " * (hexagons and y % 2) + " ".join("." if cell == 0 else "+" if cell < 0 else chr(64 + cell) for cell in row)
                for y, row in enumerate(result["cells"])]
    else:
        rows = result["grid"] + ([""] + result["solution"] if "solution" in result else [])
    return "\n".join([answer["self"], *rows]) + "\n"


def expected(name, server, generator, parameters):
    answer = server.post("/" + generator, parameters).json()
    if name == "shell":
        query = urllib.parse.urlencode(parameters)
        return server.get(f"/{generator}.txt?{query}").body.decode()
    return drawing(answer)


@pytest.mark.parametrize("generator, parameters", [
    ("regions", PARAMETERS), ("islands", {"width": 30, "height": 20, "layers": 3, "seed": 7}),
    ("areas", {"width": 20, "height": 9, "count": 3, "seed": 1}), ("starlanes", {"stars": 30, "seed": 2}),
    ("puzzle/generate", {"seed": 3}), ("puzzle/solve", {"grid": "A..A/B..B"})])
def test_it_shows_the_map(run, program, server, generator, parameters):
    if generator == "puzzle/solve" and program[0] != "shell":
        parameters = {"grid": ["A..A", "B..B"]}
    assert shown(run(generator, **parameters)) == expected(program[0], server, generator, parameters)


def test_a_map_with_a_seed_is_asked_for_once(run, between, program):
    first = shown(run("regions", **PARAMETERS))
    assert shown(run("regions", **PARAMETERS)) == first
    again = program[0] == "node"  # which keeps it as long as it runs: see below
    assert between.asked == 1 + again
    assert shown(run("regions", **PARAMETERS | {"count": 2})) and between.asked == 2 + again
    seedless = {"width": 9, "height": 9}
    assert shown(run("regions", **seedless)) and shown(run("regions", **seedless)) and between.asked == 4 + again


def test_it_says_what_is_wrong(run, tmp_path):
    for _ in range(2):  # a problem is not kept
        done = run("regions", width=0, colour="red", seed=7)
        assert done.returncode == 1 and not done.stdout
        assert WRONG in done.stderr and "colour: is no parameter" in done.stderr
        assert "A parameter is wrong" in done.stderr and "{" not in done.stderr
        assert "Traceback" not in done.stderr and " at " not in done.stderr and "curl:" not in done.stderr
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_it_waits_for_a_busy_service_and_for_what_stands_before_it(run, between, program, server):
    between.first = [BUSY, MANY, page(502)]
    assert shown(run("regions", **PARAMETERS)) == expected(program[0], server, "regions", PARAMETERS)
    assert (between.refused, between.asked) == (3, 1)


@pytest.mark.parametrize("status", [200, 404])
def test_an_answer_of_another_server_is_reported(run, between, status, tmp_path):
    between.first = [page(status)]
    done = run("regions", **PARAMETERS)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert f"{status} says something" in done.stderr and "<" not in done.stderr and "Traceback" not in done.stderr
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_it_gives_up_where_there_is_no_service(run, between):
    between.base = "http://127.0.0.1:1"
    done = run("regions", width=5)
    assert done.returncode == 1 and not done.stdout and "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_the_shell_writes_any_format(between, tmp_path):
    words = ["sh", EXAMPLES / "map.sh", "starlanes", "seed=a b&c", "stars=20", "format=svg"]
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "MAPWRIGHT": between.base}
    for _ in range(2):
        svg = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
        assert svg.startswith("<svg") and "seed a b&amp;c" in svg
    assert between.asked == 1


def test_the_module_keeps_maps_by_their_seed(between):
    script = f"""
        import {{ getMap, Problem }} from "{EXAMPLES}/mapwright.mjs";
        const options = {{ base: "{between.base}" }}, wanted = {{ width: 9, height: 9, seed: 7 }};
        const [a, b] = await Promise.all([getMap("regions", wanted, options), getMap("regions", wanted, options)]);
        const c = await getMap("regions", wanted, options);
        if (a !== b || b !== c || a.seed !== 7) throw new Error("not the same");
        for (const wrong of [0, 0]) {{
            const said = await getMap("regions", {{ width: wrong, seed: 7 }}, options).catch((problem) => problem);
            if (!(said instanceof Problem) || said.errors[0].pointer !== "/width") throw said;
        }}
    """
    subprocess.run(["node", "--input-type=module", "-e", script], check=True, timeout=600)
    assert between.asked == 3


# ---- a browser -----------------------------------------------------------------------------------


@pytest.fixture
def site():
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    handler = functools.partial(quiet, directory=str(EXAMPLES))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def seen(address, tmp_path):
    """What the page says when it is done."""
    done = subprocess.run(
        ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path}",
         "--virtual-time-budget=20000", "--dump-dom", address], capture_output=True, text=True, timeout=600)
    return re.search(r'<pre id="said">([^<]*)</pre>', done.stdout)[1]


def test_the_page(site, between, server, tmp_path):
    answer = server.post("/regions", PARAMETERS).json()
    query = urllib.parse.urlencode(PARAMETERS | {"base": between.base})
    said = seen(f"{site}?{query}", tmp_path).replace("&amp;", "&").split("\n")
    assert said == [answer["self"], *(f"{row['id']}: {row['size']} cells" for row in answer["result"]["regions"])]
    wrong = seen(f"{site}?width=0&base={between.base}", tmp_path)
    assert wrong.split("\n")[0].endswith("A parameter is wrong") and WRONG in wrong


def test_the_game_is_played(between, server):
    between.first = [BUSY, page(502)]
    done = subprocess.run(["node", ROOT / "tests/examples/game.mjs", between.base], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert between.refused == 2 and told["faults"] == []
    assert re.fullmatch(r"1 of \d+ lanterns burn on sea 7\.", told["begun"]) and "Every lantern burns" in told["done"]
    assert told["colours"] > 30  # a picture, not a ground of one colour
    assert told["dead"].startswith("nobody answers at http://127.0.0.1:1: is the service running?")
    assert "says 200, and nothing of a map" in told["stranger"]
    assert told["wrong"].startswith("A parameter is wrong\nmust be an integer from 0 to")


# ---- what there is no engine for ------------------------------------------------------------------------


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the grammar comes compiled for x86-64 alone")
def test_the_godot_script_is_gdscript(tmp_path):
    judge = ["node", ROOT / "tests/examples/gdscript.mjs"]
    tools = ROOT / "build/npm/examples"
    done = subprocess.run([*judge, EXAMPLES / "Mapwright.gd"], cwd=tools, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    broken = tmp_path / "broken.gd"
    broken.write_text((EXAMPLES / "Mapwright.gd").read_text().replace("func ask(", "func ask["))
    assert subprocess.run([*judge, broken], cwd=tools, capture_output=True, timeout=600).returncode == 1


# ---- types ----------------------------------------------------------------------------------------------


def test_python_is_typed():
    done = subprocess.run(["mypy", "--strict", "--cache-dir=/dev/null", EXAMPLES / "map.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_module_is_typed(tmp_path):
    tools = ROOT / "build/npm/examples"
    for name in ("mapwright.mjs", "map.mjs"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(tools / "node_modules")
    (tmp_path / "wrong.mjs").write_text('import { getMap } from "./mapwright.mjs";\n(await getMap(7)).cells;\n')
    judge = ["node", tools / "node_modules/typescript/bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--checkJs", "--noEmit",
             "--target", "es2022", "--module", "nodenext", "--types", "node"]
    done = subprocess.run([*judge, "map.mjs", "mapwright.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    wrong = subprocess.run([*judge, "wrong.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert wrong.stdout.count("error TS") == 2


def test_a_world_of_three_maps(between, tmp_path):
    """Lanes join the capitals of countries, which the example finds again below."""
    done = subprocess.run(["/usr/bin/python3", "-B", EXAMPLES / "world.py", "7", tmp_path / "world.svg"],
                          env=os.environ | {"MAPWRIGHT": between.base}, capture_output=True, text=True, timeout=600)
    lines = shown(done).splitlines()
    assert len(lines) >= 47 and all(re.fullmatch(r"country \d+ - country \d+", line) for line in lines)
    assert {int(n) for line in lines for n in re.findall(r"\d+", line)} == set(range(1, 49))
    assert b'class="star"' in (tmp_path / "world.svg").read_bytes()
