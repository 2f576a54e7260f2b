#!/usr/bin/env python3
"""types.py: writes the types of TypeScript for the npm package from the tables of generators.

    tools/types.py build/release/mapwright > maps.d.ts     (make npm)

For each generator: its parameters in a request, the parameters as the answer shows them, and its
result. Grids are as CBOR has them, an array of numbers for all cells, and not rows.
"""
import json
import subprocess
import sys

TYPES = {"integer": "number", "number": "number", "boolean": "boolean", "string": "string",
         "integers": "number[]", "point": "Point", "points": "Point[]", "box": "Box",
         "rows": "readonly string[]"}

COMMON = """\
// Written by tools/types.py from the tables of the generators.

/** All cells of a grid, row by row. */
export type Grid = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;
/** x to the right, y down, from 0. */
export type Point = readonly [x: number, y: number];
/** Of a map that a value is read from. */
export type Address = `/${string}`;
/** Inclusive. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

export interface Seeded {
    /** What the map is drawn from; if left out, a random seed. */
    seed?: number | string;
}"""


def title(name):
    return "".join(word.capitalize() for word in name.split("/"))


def comment(text, indent=""):
    return f"{indent}/** {text.replace('*/', '* /')}. */"


def value_type(row, nullable):
    names = [f'"{choice}"' for choice in row.get("choices", [])] or [TYPES[row["type"]]]
    return " | ".join(["Address"] * bool(row.get("bases")) + names + ["null"] * nullable)


def member(row, optional, type_, indent="    "):
    return [comment(row["help"], indent), f"{indent}{row['name']}{'?' * optional}: {type_};"]


def lacks_value(field):
    return "default" not in field and not field["required"]


def request_fields(fields):
    return [line for f in fields
            for line in member(f, not f["required"], value_type(f, lacks_value(f)))]


def shown_fields(fields):
    """A list that was not given is null; other values without a default are computed."""
    lists = ("string", "integers", "points", "rows")
    return [line for f in fields
            for line in member(f, False, value_type(f, lacks_value(f) and f["type"] in lists))]


def table_type(part):
    columns = [line for c in part["columns"]
               for line in member(c, c["optional"], value_type(c, c["nullable"]), " " * 8)]
    return "\n".join(["{", *columns, "    }" + "[]" * (not part["single"])])


def part_type(part):
    if part["kind"] == "value":
        return value_type(part, part["nullable"])
    return {"grid": "Grid", "edges": "[number, number][]"}.get(part["kind"]) or table_type(part)


def generator_types(generator):
    name, seeded = title(generator["name"]), "" if generator["seedless"] else ", Seeded"
    yield comment(generator["summary"])
    yield f"export interface {name}Parameters extends Look{seeded} {{"
    yield from request_fields(generator["fields"])
    yield "}"
    yield "/** The parameters as an answer shows them, with all defaults. */"
    yield f"export interface {name}Shown {{"
    yield from shown_fields(generator["fields"])
    yield "}"
    yield f"export interface {name}Result {{"
    for part in generator["parts"]:
        yield from member(part, part["optional"], part_type(part))
    yield "}\n"


def all_types(tables):
    yield COMMON
    yield "/** How a map is written, and the version. */"
    yield "export interface Look {"
    yield "    /** Another version of the generator is refused. */"
    yield "    v?: number;"
    yield from request_fields(tables["look"])
    yield "}\n"
    for generator in tables["generators"]:
        yield from generator_types(generator)
    yield "/** What each generator takes, shows and makes. */"
    yield "export interface Maps {"
    for generator in tables["generators"]:
        name = title(generator["name"])
        yield (f'    "{generator["name"]}": {{ parameters: {name}Parameters; shown: {name}Shown; '
               f"result: {name}Result }};")
    yield "}"


listed = subprocess.run([sys.argv[1], "list", "--json"], check=True, stdout=subprocess.PIPE)
print("\n".join(all_types(json.loads(listed.stdout))))
