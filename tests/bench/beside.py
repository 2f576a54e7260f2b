#!/usr/bin/python3
"""beside.py: how fast maps and cache hits are, beside other programs, measured in one run.

    beside.py BUILD KIND ...      regions, areas, islands, starlanes, puzzle, http; BUILD/bench has the programs

Figures are CPU time: of maps the median in a warm block, without output (make.c); of other programs the median of some
runs, in turn with ours. Nothing but the loopback address is used. The figures in brackets are the floors.
"""
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(sys.argv[1]).resolve()
os.environ["MAPWRIGHTD"] = f"{BUILD}/mapwrightd"
sys.path[:0] = [str(HERE), str(HERE.parent / "http")]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


def seconds(address, runs=9):
    """Of making the map."""
    return float(run(BUILD / "bench/make", "-n", runs, address).split()[0])


def of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# ---- maps -------------------------------------------------------------------------------------------------------


def hexagons(width, height):
    """A lattice as gpmetis reads it: the counts of cells and borders, then the neighbours of each cell."""
    lines = [f"{width * height} {(width - 1) * height + (2 * width - 1) * (height - 1)}"]
    for y in range(height):
        for x in range(width):
            left = x - 1 + y % 2
            near = [(x - 1, y), (x + 1, y)] + [(i, j) for j in (y - 1, y + 1) for i in (left, left + 1)]
            lines.append(" ".join(str(j * width + i + 1) for i, j in near if 0 <= i < width and 0 <= j < height))
    return "\n".join(lines) + "\n"


def regions():
    with tempfile.TemporaryDirectory() as folder:
        for side, count, floor in ((1000, 100, 40), (1000, 1000, 30), (100, 12, 6)):
            graph = Path(folder, str(side))
            graph.write_text(hexagons(side, side))
            whole, alone, ours = [], [], []
            for seed in (1, 2, 3, 4, 5):  # in turn, as a machine is not always as fast
                before = of_children()
                told = run("gpmetis", "-contig", "-ufactor=1", f"-seed={seed}", graph, count)
                whole.append(of_children() - before)
                alone.append(float(re.search(r"Partitioning:\s+([\d.]+)", told)[1]))
                ours.append(seconds(f"/regions?width={side}&height={side}&count={count}"))
            middle = statistics.median(ours)
            print(f"{side}x{side} into {count}: {middle * 1e3:.2f} ms | gpmetis {statistics.median(whole) * 1e3:.0f} ms, its "
                  f"partitioning alone {statistics.median(alone) * 1e3:.1f} ms: "
                  f"{statistics.median(alone) / middle:.1f} times ({floor})")


def areas():
    for query, floor in (("coast", 20), ("coast&holes=false", 20), ("frontier", 40), ("dfs", 40), ("mixed", 40),
                         ("frenzied", 40), ("frontier&holes=false", 20), ("frontier&grid=hex", 0), ("dfs-backtrack", 0)):
        speed = 500_000 / seconds(f"/areas?width=1000&height=1000&area=500000&algorithm={query}", 11) / 1e6
        print(f"half of 1000x1000, {query}: {speed:.1f} million cells/s" + (f" ({floor})" if floor else ""))
    print(f"800 of 50x50: {seconds('/areas?area=800', 99) * 1e6:.0f} us (20)")


def numpy_rounds(side, rounds):
    """Seconds of the same automaton on bytes."""
    import numpy
    cells = (numpy.random.default_rng(1).random((side, side)) < 0.333).astype(numpy.uint8)
    sums = numpy.zeros_like(cells)
    start = time.process_time()
    for _ in range(rounds):
        sums[:] = 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                to, at = [tuple(slice(max(s * d, 0), side + min(s * d, 0)) for d in (dy, dx)) for s in (1, -1)]
                sums[to] += cells[at] if dx or dy else 0
        numpy.copyto(cells, (sums == 3) | (sums >= 6) | ((sums == 4) & (cells == 1)))
    return time.process_time() - start


def islands():
    side = 4096
    ours, peer = float(run(BUILD / "bench/automaton", side, 20)), side * side * 5 / numpy_rounds(side, 5)
    print(f"automaton, {side}x{side}: {ours / 1e9:.0f} Gcell-rounds/s (30) | numpy {peer / 1e9:.2f}: {ours / peer:.0f} times")
    for query, runs, floor in (("", 501, "100 us"), ("?width=256&height=256&islands=1024,1479", 51, ""),
                               ("?width=4096&height=4096&islands=262144,378624", 3, "3 s")):
        print(f"/islands{query}: {seconds(f'/islands{query}', runs) * 1e3:.3f} ms" + (f" ({floor})" if floor else ""))


DELAUNATOR = """
const { default: Delaunator } = await import(process.argv[1]);
const points = Float64Array.from(JSON.parse((await import("node:fs")).readFileSync(0)));
const once = () => {
    const start = process.cpuUsage();
    new Delaunator(points);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
};
for (let i = 0; i < 5; i++) once(); // compiles it
console.log(Array.from({ length: 25 }, once).sort((a, b) => a - b)[12]);
"""


def starlanes():
    peers = BUILD / "bench/peers"
    if not (peers / "node_modules/delaunator").exists():
        peers.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", peers, "delaunator")
    module = peers / "node_modules/delaunator/index.js"
    for stars in (1000, 10_000, 100_000):
        for where in ("", "&width=8388608&height=8388608&jitter=1"):
            address = f"/starlanes?stars={stars}{where}"
            drawn = json.loads(run(BUILD / "mapwright", f"{address}&seed=1"))["result"]["stars"]
            points = json.dumps([star[axis] for star in drawn for axis in "xy"])
            ours, theirs = [], []
            for _ in range(5):  # in turn, as a machine is not always as fast
                theirs.append(float(run("node", "--input-type=module", "-e", DELAUNATOR, module, input=points)))
                ours.append(seconds(address))
            ours, theirs = statistics.median(ours), statistics.median(theirs)
            print(f"{address}: {ours * 1e3:.2f} ms | Delaunator, which only triangulates, {theirs * 1e3:.2f} ms: "
                  f"{ours / theirs:.2f} of its time")


def puzzle():
    boards = sorted((HERE.parent / "boards").glob("*.txt"))
    for board in boards:
        rows = [line for line in board.read_text().splitlines() if line]
        grid = "/".join(rows).replace("#", "%23")
        line = f"{board.stem:12}"
        for rule, count in (("strict", "unique"), ("flow", "first")) + ((("flow", "exact"),) if len(rows) <= 14 else ()):
            line += f" {rule} {count} {seconds(f'/puzzle/solve?grid={grid}&rule={rule}&count={count}') * 1e3:.2f} ms |"
        peer = run(BUILD / "bench/cadical", board).strip() if len(rows) * len(rows[0]) <= 400 else "-"
        print(f"{line} CaDiCaL, strict unique {peer} ms", flush=True)
    for side, rule in ((7, "strict"), (14, "strict"), (20, "strict"), (40, "strict"), (7, "flow"), (10, "flow")):
        address = f"/puzzle/generate?width={side}&height={side}&rule={rule}"
        print(f"{address}: {seconds(address, 99 if side < 40 else 9) * 1e3:.2f} ms")


# ---- cache hits -------------------------------------------------------------------------------------------------

POSTED = '{"width": 12, "height": 12, "count": 5, "grid": "hex", "seed": "hit"}'
SCRIPT = f"""
wrk.method, wrk.body = "POST", '{POSTED}'
wrk.headers["Content-Type"] = "application/json"
"""


def http():
    """A POST of the same small map, over and over: ours, and the same bytes from bare libmicrohttpd. The best of the
    rounds counts, as other load can only slow one down."""
    from scaling import ticks
    from server import Server, free_port
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))  # keeps other load out
    except PermissionError:
        pass
    with Server("--threads=2", "--log=off") as ours, tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        reply = [ours.post("/regions", POSTED) for _ in range(2)][-1]
        fields = [word for field in reply.headers if field[0] not in ("Date", "Content-Length") for word in field]
        port = free_port()
        bare = subprocess.Popen([BUILD / "bench/bare", str(port), "2", reply.body.decode(), *fields])
        servers = {"ours": (ours.port, ours.process.pid), "bare": (port, bare.pid)}
        for connections in (16, 64, 256):
            rates, costs = {name: [] for name in servers}, {name: [] for name in servers}
            for _ in range(4):
                for name, (at, pid) in servers.items():
                    before = ticks(pid)
                    told = run("wrk", "-t1", f"-c{connections}", "-d3s", "-s", script.name, f"http://127.0.0.1:{at}/regions")
                    assert "Non-2xx" not in told, told
                    rates[name].append(float(re.search(r"Requests/sec: +([\d.]+)", told)[1]))
                    costs[name].append((ticks(pid) - before) * 1e4 / int(re.search(r"(\d+) requests in", told)[1]))
            print(f"{connections} connections: " + ", ".join(
                f"{name} {max(rates[name]):.0f}/s at {min(costs[name]):.1f} us" for name in servers)
                + f"; ours to bare {max(rates['ours']) / max(rates['bare']):.2f} (0.95)", flush=True)
        bare.kill()


KINDS = {kind.__name__: kind for kind in (regions, areas, islands, starlanes, puzzle, http)}
for chosen in sys.argv[2:]:
    KINDS[chosen]()
