"""The formats of graphs, read by those for whom they are: Graphviz and networkx."""
import io
import json
import os
import pathlib
import subprocess

import networkx
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("MAPWRIGHT", str(ROOT / "build/release/mapwright"))

REQUESTS = {
    "regions": ["regions", "count=30", "seed=graph"],
    "starlanes": ["starlanes", "stars=150", "seed=graph"],
    "islands": ["islands", "seed=graph"],
}


def made(name, form):
    return subprocess.run([BINARY, *REQUESTS[name], f"format={form}"], capture_output=True, check=True).stdout


def edges_of(name):
    result = json.loads(made(name, "json"))["result"]
    if "lanes" in result:
        return {tuple(lane) for lane in result["lanes"]}, len(result["stars"])
    rows = result[name]
    return {(row["id"], other) for row in rows for other in row["neighbors"] if row["id"] < other}, len(rows)


@pytest.mark.parametrize("name", REQUESTS)
def test_networkx_reads_graphml(name):
    edges, nodes = edges_of(name)
    graph = networkx.read_graphml(io.BytesIO(made(name, "graphml")))
    assert {tuple(sorted((int(a), int(b)))) for a, b in graph.edges} == edges
    assert graph.number_of_nodes() == nodes and networkx.is_connected(graph)
    assert all({"x", "y"} <= set(data) for _, data in graph.nodes(data=True))


@pytest.mark.parametrize("name", ["regions", "starlanes"])
def test_lanes_and_borders_are_planar(name):
    assert networkx.check_planarity(networkx.read_graphml(io.BytesIO(made(name, "graphml"))))[0]


@pytest.mark.parametrize("name", REQUESTS)
def test_graphviz_draws_dot(name):
    edges, nodes = edges_of(name)
    drawn = subprocess.run(["neato", "-n2", "-Tplain"], input=made(name, "dot"), capture_output=True, check=True)
    assert not drawn.stderr
    lines = drawn.stdout.decode().splitlines()
    assert sum(line.startswith("node ") for line in lines) == nodes
    assert {tuple(sorted(map(int, line.split()[1:3]))) for line in lines if line.startswith("edge ")} == edges


@pytest.mark.parametrize("stars", [100, 1200])
def test_graphviz_draws_stars_that_can_be_seen(stars):
    dot = subprocess.run([BINARY, "starlanes", f"stars={stars}", "seed=1", "format=dot"], capture_output=True, check=True).stdout
    drawn = subprocess.run(["neato", "-n", "-Tplain"], input=dot, capture_output=True, check=True)
    assert not drawn.stderr
    lines = [line.split() for line in drawn.stdout.decode().splitlines()]
    width, height = map(float, lines[0][2:4])
    nodes = [line for line in lines if line[0] == "node"]
    assert max(width, height) < 20 and 0.8 < width / height < 1.25, "inches"
    assert all(float(node[4]) > 0.15 * max(width, height) / stars ** 0.5 for node in nodes)
