#!/usr/bin/python3
"""What maps look like, in figures over hundreds of seeds, judged from the answers of the command line program.

    look.py PROGRAM [SEEDS] [KIND ...]

A line for each figure: what was measured, what it should be, and `low` or `high` where it is not. Kinds are coasts,
borders, names, homes, lanes, hills and boards; all of them without any. What tests hold on fixed seeds with a margin
is measured here on many.
"""
import collections
import json
import math
import re
import statistics
import subprocess
import sys

PROGRAM, SEEDS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
SHAPES = ("rectangle", "disc", "spiral", "ring", "clusters")


def write(form, generator, **fields):
    words = [f"{name}={value}" for name, value in fields.items()]
    return subprocess.run([PROGRAM, generator, *words, f"format={form}"], capture_output=True, check=True).stdout


def made(generator, **fields):
    return json.loads(write("json", generator, **fields))["result"]


def show(what, value, least=None, most=None):
    wanted = " ".join(f"{word} {limit}" for word, limit in (("at least", least), ("at most", most)) if limit is not None)
    wrong = "low" if least is not None and value < least else "high" if most is not None and value > most else ""
    print(f"{what:64} {value:8.3f}   {wanted:16} {wrong}", flush=True)


def share(flags):
    flags = list(flags)
    return sum(flags) / max(len(flags), 1)


def tenth(values):
    """The 90th percentile."""
    return sorted(values)[len(values) * 9 // 10]


# ---- cells ------------------------------------------------------------------------------------------------------


def place(x, y, hexagons):
    return (x + (y & 1) / 2, y * math.sqrt(3) / 2) if hexagons else (x, y)


def beside(x, y, hexagons):
    """Neighbours to the right and below, so that each pair is seen once."""
    if not hexagons:
        return (x + 1, y), (x, y + 1)
    left = x - 1 + (y & 1)
    return (x + 1, y), (left, y + 1), (left + 1, y + 1)


def by_label(cells):
    land = collections.defaultdict(list)
    for y, row in enumerate(cells):
        for x, label in enumerate(row):
            if label > 0:
                land[label].append((x, y))
    return land


def elongation(points):
    """Of the ellipse with the same second moments: its longer axis over its shorter one."""
    n = len(points)
    mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
    xx = sum((x - mx) ** 2 for x, _ in points) / n
    yy = sum((y - my) ** 2 for _, y in points) / n
    xy = sum((x - mx) * (y - my) for x, y in points) / n
    middle, half = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    return math.sqrt((middle + half) / max(middle - half, 1e-9))


def disc_share(points, cell):
    """The share of cells in the disc of the same area around their centre."""
    n = len(points)
    middle = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return sum(math.dist(middle, point) ** 2 * math.pi <= n * cell for point in points) / n


def at_rim(cells):
    rows = cells[0] + cells[-1] + [row[i] for row in cells for i in (0, -1)]
    return any(label > 0 for label in rows)


# ---- coasts: areas and islands ----------------------------------------------------------------------------------


def judge_coasts():
    kinds = {"areas": ("areas", lambda size: {"area": size, "count": 1, "width": 3 * math.isqrt(size),
                                               "height": 3 * math.isqrt(size)}),
             "islands": ("islands", lambda size: {"size": f"{size * 9 // 10},{size}", "islands": "1,40", "layers": 1,
                                                  "width": 3 * math.isqrt(size), "height": 3 * math.isqrt(size)})}
    for kind, (generator, fields) in kinds.items():
        shares, longs = [], []
        for size in (500, 1500, 4500, 9000):
            for seed in range(max(SEEDS * 500 // size, 10)):
                result = made(generator, seed=seed, **fields(size))
                for cells in by_label(result["cells"]).values():
                    if len(cells) >= 450:
                        points = [place(x, y, result.get("grid") == "hex") for x, y in cells]
                        shares.append(disc_share(points, 1))
                        longs.append(elongation(points))
        name = f"{kind} of 500 to 9000 cells: "
        show(name + "mean share in the disc", statistics.mean(shares), most=0.75)
        show(name + "its standard deviation", statistics.pstdev(shares), least=0.10)
        show(name + "elongation, 90th percentile", tenth(longs), least=2)
        touching = share(at_rim(made(generator, seed=seed)["cells"]) for seed in range(SEEDS))
        show(f"default {kind} that touch the rim", touching, most=0)


# ---- borders: countries -----------------------------------------------------------------------------------------


def border_length(cells, hexagons):
    height, width = len(cells), len(cells[0])
    return sum(cells[y][x] != cells[j][i] for y in range(height) for x in range(width)
               for i, j in beside(x, y, hexagons) if 0 <= i < width and j < height)


def quotient(cells, label, hexagons):
    """Isoperimetric, of a country: 1 for a disc. Sides at the rim count."""
    width = len(cells[0]) + 4
    sea = [[0] * width] * 2  # around the map: two rows, so that odd ones stay odd
    framed = sea + [[0, 0, *row, 0, 0] for row in cells] + sea
    area = sum(row.count(label) for row in cells)
    sides = sum((framed[y][x] == label) != (framed[j][i] == label) for y in range(len(framed) - 1)
                for x in range(1, width - 1) for i, j in beside(x, y, hexagons))
    return 4 * math.pi * area * (math.sqrt(3) / 2 if hexagons else 1) / (sides * (1 / math.sqrt(3) if hexagons else 1)) ** 2


def is_frame(cells, label):
    """Whether a country lies along most of all four rims."""
    rims = cells[0], cells[-1], [row[0] for row in cells], [row[-1] for row in cells]
    return all(rim.count(label) > len(rim) / 2 for rim in rims)


def judge_borders():
    ratios = {1: [], 0.5: []}
    for width, height, count in ((40, 30, 6), (80, 60, 12), (160, 120, 24), (640, 480, 60)):
        seeds = range(max(SEEDS * 1200 // (width * height), 4))
        length = {rough: sum(border_length(made("regions", width=width, height=height, count=count, roughness=rough,
                                                seed=seed)["cells"], True) for seed in seeds) for rough in (0, 0.5, 1)}
        for rough, least in ((0.5, 1.3), (1, 1.8)):
            ratios[rough].append(length[rough] / length[0])
            show(f"borders at {width}x{height}: length at roughness {rough} over 0", ratios[rough][-1], least=least)
    for rough, found in ratios.items():
        show(f"borders at roughness {rough}: greatest ratio over the least", max(found) / min(found), most=1.25)
    longs, frames, large = [], [], []
    for seed in range(SEEDS):
        cells = made("regions", count=14, seed=seed)["cells"]
        longs += [elongation([place(x, y, True) for x, y in land]) for land in by_label(cells).values()]
        mixed = made("regions", count=14, variation=1, seed=seed)
        rows = mixed["regions"]
        frames.append(any(is_frame(mixed["cells"], row["id"]) for row in rows))
        large.append(quotient(mixed["cells"], max(rows, key=lambda row: row["size"])["id"], True))
    show("14 equal countries: elongation, 90th percentile", tenth(longs), most=2.5)
    show("variation 1: maps with one country along all rims", share(frames), most=0)
    show("variation 1: isoperimetric quotient of the largest, mean", statistics.mean(large), most=0.5)
    show("variation 1: isoperimetric quotient of the largest, greatest", max(large), most=0.5)


# ---- names ------------------------------------------------------------------------------------------------------


def judge_names():
    large, drawn, wrong = 0, 0, 0
    for seed in range(SEEDS):
        fields = {"count": 14, "variation": 0.4, "seed": seed,
                  "names": ("nordic", "latin", "slavic", "japanese", "polynesian", "persian")[seed % 6]}
        rows = made("regions", **fields)["regions"]
        words = set(re.findall(r'aria-label="([^"]*)"', write("svg", "regions", **fields).decode()))
        seen = [row["name"] in words for row in rows if row["size"] * 50 >= 40 * 30]
        large, drawn = large + len(seen), drawn + sum(seen)
        names = [row["name"] for row in rows]
        wrong += len(names) - len(set(names)) + sum(not re.fullmatch(r"[A-Z][a-z]{0,11}", name) for name in names)
    show("countries of 2 % of the map that carry their names", drawn / large, least=0.95)
    show("names that are no word of 12 letters or come twice", wrong, most=0)


# ---- homes and lanes: galaxies ----------------------------------------------------------------------------------


def jumps(near, start):
    found, rim = {start: 0}, [start]
    for star in rim:
        for other in near[star]:
            if other not in found:
                found[other] = found[star] + 1
                rim.append(other)
    return found


def judge_homes_of(shape, homes, seed):
    result = made("starlanes", shape=shape, stars=25 * homes, homeworlds=homes, density=0.5, seed=seed)
    stars, near = result["stars"], collections.defaultdict(list)
    for a, b in result["lanes"]:
        near[a].append(b)
        near[b].append(a)
    home = [i for i, star in enumerate(stars) if star["homeworld"]]
    far = [jumps(near, i) for i in home]
    realm, reach = [0] * homes, [sum(0 < n <= 3 for n in found.values()) for found in far]
    for star in range(len(stars)):
        realm[min(range(homes), key=lambda k: far[k][star])] += 1
    rival = min(far[i][home[k]] for i in range(homes) for k in range(homes) if i != k)
    return max(realm) <= 1.5 * min(realm), rival >= 4, max(reach) <= 1.3 * max(min(reach), 1), result["center"] in home


def judge_homes():
    for shape in SHAPES:
        judged = [judge_homes_of(shape, homes, 1000 + seed) for homes in range(2, 9) for seed in range(SEEDS // 10)]
        for i, (what, least) in enumerate((("realms at most 1.5 to 1", 0.95), ("the nearest rival 4 jumps away", 0.95),
                                           ("stars within 3 jumps at most 1.3 to 1", 0.9))):
            show(f"homes, {shape}: {what}", share(row[i] for row in judged), least=least)
        show(f"homes, {shape}: one is the centre", share(row[3] for row in judged), most=0)


def judge_lanes():
    for shape in SHAPES:
        longest, others = [], 0
        for seed in range(max(SEEDS // 10, 5)):
            result = made("starlanes", shape=shape, stars=1000, graphs="true", seed=seed)
            at = [(star["x"], star["y"]) for star in result["stars"]]
            length = {tuple(lane): math.dist(at[lane[0]], at[lane[1]]) for lane in result["maximum"] + result["lanes"]}
            median = statistics.median(length[tuple(lane)] for lane in result["maximum"])
            least = {tuple(lane) for lane in result["minimum"]}
            rest = [length[tuple(lane)] / median for lane in result["lanes"] if tuple(lane) not in least]
            longest.append(max(rest))
            others += sum(ratio > 4 for ratio in rest)
        show(f"lanes, {shape}: longest over the median, not in the minimum", max(longest), most=4.01)
        show(f"lanes, {shape}: longer than 4 medians, not in the minimum", others, most=0)


# ---- hills: islands ---------------------------------------------------------------------------------------------


def summits(heights, cells):
    """Plateaus of an island that nothing beside them overtops."""
    left, found = set(cells), 0
    while left:
        start = left.pop()
        top, rim = True, [start]
        for x, y in rim:
            for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if at not in cells:
                    continue
                top &= heights[at[1]][at[0]] <= heights[start[1]][start[0]]
                if at in left and heights[at[1]][at[0]] == heights[start[1]][start[0]]:
                    left.discard(at)
                    rim.append(at)
        found += top
    return found


def judge_hills():
    single, lengths = [], []
    for seed in range(SEEDS // 4):
        result = made("islands", width=120, height=90, islands="3,20", size="300,900", layers=6, land=0.45, seed=seed)
        for cells in by_label(result["cells"]).values():
            if len(cells) >= 300:
                single.append(summits(result["heights"], set(cells)) < 2)
    for seed in range(SEEDS):
        result = made("islands", seed=seed)
        lengths += [len(bridge["cells"]) / 24 for bridge in result["bridges"]]
    show("islands of 300 cells and more with a single summit", share(single), most=0)
    show("bridges longer than 15 % of the map (some join what nothing else does)", share(n > 0.15 for n in lengths), most=0.05)


# ---- boards -----------------------------------------------------------------------------------------------------


def judge_boards():
    for side in (5, 8, 9, 11, 14):
        short, rim, colors, effort = [], [], [], []
        for seed in range(max(SEEDS // 2, 10)):
            result = made("puzzle/generate", width=side, height=side, seed=seed)
            for path in result["paths"]:
                ends = path["cells"][0], path["cells"][-1]
                least = sum(abs(a - b) for a, b in zip(*ends)) + 1
                short.append(len(path["cells"]) == least)
                rim += [0 in at or side - 1 in at for at in ends]
            colors.append(len(result["paths"]))
            effort.append(result["effort"])
        limits = (0.45, 0.25) if side >= 8 else (None, None)
        show(f"boards of {side}x{side}: paths as short as can be", share(short), most=limits[0])
        show(f"boards of {side}x{side}: ends on the rim", share(rim), most=limits[1])
        show(f"boards of {side}x{side}: colors", statistics.mean(colors))
        show(f"boards of {side}x{side}: effort", statistics.mean(effort))


KINDS = {"coasts": judge_coasts, "borders": judge_borders, "names": judge_names, "homes": judge_homes,
         "lanes": judge_lanes, "hills": judge_hills, "boards": judge_boards}
for kind in sys.argv[3:] or KINDS:
    KINDS[kind]()
