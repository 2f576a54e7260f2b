"""CBOR, read by Python's cbor2 and by the npm package cbor-x: the same answer as JSON, grids as typed arrays."""
import array
import json
import sys

import cbor2
import pytest
from maps import made, node

MASK = "/".join(["##########", "###....###"] * 8)
MAPS = {
    "regions": ["regions", "seed=7", "variation=0.123", "roughness=1"],
    "lakes": ["regions", f"mask={MASK}", "count=3", "seed=9007199254740991"],
    "many": ["regions", "width=183", "height=183", "count=33400", "seed=7"],
    "walk": ["areas", "algorithm=dfs-backtrack", "width=20", "height=20", "area=40", "wrap=x", "seed=7"],
    "islands": ["islands", "seed=7"],
    "apart": ["islands", "bridges=false", "layers=5", "seed=7"],
    "starlanes": ["starlanes", "graphs=true", "min_angle=12.345", "seed=7"],
    "puzzle": ["puzzle/generate", "seed=7"],
    "solved": ["puzzle/solve", "grid=A..B/.C../.CA./B...", "count=exact"],
}
# tags of RFC 8746, and what they are in Python and in JavaScript
TYPES = {64: ("B", "Uint8Array"), 69: ("H", "Uint16Array"), 70: ("I", "Uint32Array"),
         72: ("b", "Int8Array"), 77: ("h", "Int16Array"), 78: ("i", "Int32Array")}
EXPECTED = {"regions": {"cells": 69}, "lakes": {"cells": 69}, "many": {"cells": 69},
            "walk": {"cells": 69}, "islands": {"cells": 77, "heights": 64},
            "apart": {"cells": 69, "heights": 64}}


def flat(grid):
    return [cell for row in grid for cell in row]


@pytest.mark.parametrize("name", MAPS)
def test_python_reads_the_answer(name):
    answer, said = cbor2.loads(made("cbor", *MAPS[name])), json.loads(made("json", *MAPS[name]))
    tags = {}
    for key, value in answer["result"].items():
        if isinstance(value, cbor2.CBORTag):
            tags[key] = value.tag
            numbers = array.array(TYPES[value.tag][0], value.value)
            if sys.byteorder == "big":
                numbers.byteswap()
            assert list(numbers) == flat(said["result"][key])
            answer["result"][key] = said["result"][key]
    assert tags == EXPECTED.get(name, {})
    assert answer == said
    assert json.dumps(answer) == json.dumps(said) # members in order, 1 and 1.0 told apart


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """As JavaScript has them, by name."""
    files = [tmp_path_factory.mktemp("cbor") / "map.cbor" for _ in MAPS]
    for file, words in zip(files, MAPS.values()):
        file.write_bytes(made("cbor", *words))
    return dict(zip(MAPS, node("arrays.cjs", *files), strict=True))


@pytest.mark.parametrize("name", MAPS)
def test_javascript_has_typed_arrays(name, answers):
    answer, said = answers[name], json.loads(made("json", *MAPS[name]))
    for key, tag in EXPECTED.get(name, {}).items():
        assert answer["result"][key] == {"array": TYPES[tag][1], "values": flat(said["result"][key])}
        answer["result"][key] = said["result"][key]
    assert answer == said
