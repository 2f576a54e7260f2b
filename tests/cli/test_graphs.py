"""The formats of graphs, read by those for whom they are: Graphviz and networkx."""
import io
import json
import math
import subprocess

import networkx
import pytest
from maps import made, result

REQUESTS = {
    "regions": ["regions", "count=30", "seed=graph"],
    "starlanes": ["starlanes", "stars=150", "seed=graph"],
    "islands": ["islands", "seed=graph", "names=latin"],
}


def edges_of(name):
    said = result(*REQUESTS[name])
    if "lanes" in said:
        return {tuple(lane) for lane in said["lanes"]}, len(said["stars"])
    rows = said[name]
    return {(row["id"], other) for row in rows for other in row["neighbors"] if row["id"] < other}, len(rows)


def lengths_of(name):
    """By lane; of borders and bridges there are none."""
    stars = result(*REQUESTS[name]).get("stars")
    return {(a, b): math.dist(*((stars[i]["x"], stars[i]["y"]) for i in (a, b))) for a,
            b in edges_of(name)[0]} if stars else {}


@pytest.mark.parametrize("name", REQUESTS)
def test_networkx_reads_graphml(name):
    edges, nodes = edges_of(name)
    graph = networkx.read_graphml(io.BytesIO(made("graphml", *REQUESTS[name])))
    assert {tuple(sorted((int(a), int(b)))) for a, b in graph.edges} == edges
    assert graph.number_of_nodes() == nodes and networkx.is_connected(graph)
    assert all({"x", "y"} <= set(data) for _, data in graph.nodes(data=True))
    labels = [data["label"] for _, data in graph.nodes(data=True)]
    assert len(set(labels)) == nodes and all(label.isalpha() == ("names=latin" in REQUESTS[name]) for label in labels)
    lengths = {tuple(sorted((int(a), int(b)))): length for a, b, length in graph.edges(data="length") if length}
    assert lengths == pytest.approx(lengths_of(name), abs=0.01)
    assert name == "islands" or networkx.check_planarity(graph)[0]


@pytest.mark.parametrize("name", REQUESTS)
def test_graphviz_draws_dot(name):
    edges, nodes = edges_of(name)
    drawn = subprocess.run(["neato", "-n2", "-Tjson"], input=made("dot", *REQUESTS[name]), capture_output=True,
                           check=True)
    assert not drawn.stderr
    read = json.loads(drawn.stdout)
    names = [int(node["name"]) for node in read["objects"]]
    ends = {tuple(sorted((names[edge["tail"]], names[edge["head"]]))): edge.get("length") for edge in read["edges"]}
    assert len(names) == nodes and set(ends) == edges
    lengths = {pair: float(length) for pair, length in ends.items() if length}
    assert lengths == pytest.approx(lengths_of(name), abs=0.01)
