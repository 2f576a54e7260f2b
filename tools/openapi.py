#!/usr/bin/env python3
"""openapi.py: writes the OpenAPI document of the service.

    tools/openapi.py build/release/mapwright [FOLDER]     (make openapi.yaml)

FOLDER, by default the current one, gets openapi.yaml for people and openapi.json for programs. The
service embeds both. Parameters, results, formats and problems come from `mapwright list --json`, and
examples are answers of `mapwright`; the rest of the document stands here.
"""
import json
import subprocess
import sys
from pathlib import Path

COLUMNS = 140  # of the YAML

DESCRIPTION = """\
A map is a pure function of its address: the same parameters and seed give the same bytes on every
machine. `self` in an answer is that address.

Every generator takes GET, with parameters in the query, and POST, with parameters as a JSON object.
Both also take `format` and the parameters of pictures; any other name is 400. `null` means left out.
Decimals are rounded to thousandths. A body is read as JSON if its type is application/json, any
+json, missing, or application/x-www-form-urlencoded, which curl -d sends. It must be UTF-8, with or
without a byte order mark. A POST may have a query too. A body may have 1 MiB, else 413; the operator
can raise that (--max-body): 200,000 positions need 4 MiB, a mask of 4096 by 4096 cells 17 MiB. HEAD
is GET without the body, OPTIONS lists the methods and serves CORS, other methods are 405.

QUERY (RFC 10008), which this version of OpenAPI cannot describe, is POST that is safe to repeat and
to cache: If-None-Match gives 304, and the body needs a Content-Type. OPTIONS, 405 and 415 announce it
by Accept-Query.

Without a suffix the answer is JSON unless `format` or `Accept` asks for another format, as a suffix
does. If suffix and `format` differ, the answer is 422. For generated clients each path has one type.
openapi-typescript needs --default-non-nullable=false, because parameters with a default may be left
out.

Answers to requests with `seed` and `v` may be cached for ever, without `v` for a week, and a 400 or
422 that time does not change for a day, by anybody. If-None-Match gives 304, or 412 for POST; If-Match with another ETag gives 412.

With `Prefer: respond-async` (RFC 7240) a slow map is answered by 202, with a `Location` to ask for it
later; with `respond-async, wait=5` only after 5 seconds. Without `Prefer` there is no 202. With
`Accept: text/event-stream` the progress comes as events: `progress`, then `done`, `failed` with the
problem, or `draining` if the server shuts down.

Every answer has `X-Request-Id`, the request's own (up to 128 printable characters) or a new one, which
identifies the request in logs. Maps also have `Vary`, `Cache-Status` (RFC 9211) and `Server-Timing`.
Coordinates are [x, y], x to the right, y down, from 0; grids are rows, cells[y][x]. In a URL # is
written %23. Answers may be compressed by gzip or zstd.

Rows, points and indices may be given as the address of another map: {"mask":
"/areas?count=3&seed=4"}. Rows are read from its cells, with # for each cell that has a label; points
from the places of its rows; indices from its highlighted rows. `of` picks some by label or id:
/areas?count=3&seed=4&of=1,3. The canonical form of that address is part of `self`. Without a seed it
gets one from the outer seed. Its errors are reported at the parameter. A map may be built on eight
others at most. In a URL the address is percent-encoded. `x-grounds` lists the generators that a
parameter may be read from.

Problems are application/problem+json."""

# Requests whose answers are small enough to read.
EXAMPLES = {
    "regions": {"width": 5, "height": 3, "count": 2, "seed": 7},
    "areas": {"width": 7, "height": 5, "area": 9, "seed": 7},
    "islands": {"width": 7, "height": 4, "islands": [2, 2], "size": [3, 5], "seed": 7},
    "starlanes": {"stars": 5, "width": 100, "height": 100, "homeworlds": 2, "seed": 7},
    "puzzle/solve": {"grid": ["A.B.", "C.D.", ".A.B", ".C.D"]},
    "puzzle/generate": {"width": 4, "height": 4, "seed": 7},
}

JSON_TYPES = {"integer": "integer", "number": "number", "boolean": "boolean", "choice": "string",
              "string": "string"}  # all others are arrays

INTEGER = {"type": "integer"}
STRING = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}


def ref(kind, name):
    return {"$ref": f"#/components/{kind}/{name}"}


# What stands in several places: YAML has it once, under a name, and refers to it elsewhere.
shared = {}


def share(name, value):
    shared[id(value)] = name
    return value


def title(name):
    """PuzzleSolve of puzzle/solve, GridLines of grid_lines."""
    return "".join(word.capitalize() for word in name.replace("/", "_").split("_"))


def nullable(type_, null):
    return {"type": [type_, "null"] if null else type_}


def choices(row, null):
    return {"enum": row["choices"] + [None] * null} if row["choices"] else {}


def sentence(row):
    return {"description": row["help"] + "."}


def array_of(schema, length):
    """Not `prefixItems`, as Spectral wants `items`, and clients make longer tuples of both."""
    return {"type": "array", "items": schema, "minItems": length, "maxItems": length}


# ---- values in answers ---------------------------------------------------------------------------

ITEMS = {"integers": INTEGER, "rows": STRING, "points": ref("schemas", "Point")}


def items(row):
    return {"items": ITEMS[row["type"]]} if row["type"] in ITEMS else {}


def value_schema(row, null):
    if row["type"] in ("point", "box"):
        return ref("schemas", title(row["type"]))
    return nullable(JSON_TYPES.get(row["type"], "array"), null) | choices(row, null) | items(row)


def answered_field(field):
    """A parameter as an answer shows it. A value that came from another map is that address."""
    may_lack = field["type"] in ("string", "integers", "points", "rows")
    null = may_lack and "default" not in field and not field["required"]
    if not field["bases"]:
        return value_schema(field, null)
    return {"type": ["array", "string"] + ["null"] * null, "pattern": "^/"} | items(field)


def column_schema(column):
    return sentence(column) | value_schema(column | {"choices": []}, column["nullable"])


def row_schema(columns):
    return {"type": "object",
            "required": [c["name"] for c in columns if not c["optional"]],
            "properties": {c["name"]: column_schema(c) for c in columns}}


def row_name(part):
    return title(part["name"].removesuffix("s"))


def part_schema(part):
    if part["kind"] == "value":
        return sentence(part) | value_schema(part, part["nullable"])
    if part["single"]:
        return ref("schemas", row_name(part))
    element = {"table": row_name(part), "grid": "Cells", "edges": "Edge"}[part["kind"]]
    return sentence(part) | {"type": "array", "items": ref("schemas", element)}


def answer_schema(generator):
    name, seeded = generator["name"], not generator["seedless"]
    fields = {f["name"]: answered_field(f) for f in generator["fields"]}
    return {
        "type": "object",
        "required": ["id", "self", "generator", "version"] + ["seed"] * seeded +
                    ["parameters", "result"],
        "properties": {
            "id": ref("schemas", "Id"),
            "self": ref("schemas", "Self"),
            "generator": {"const": name},
            "version": {"type": "integer", "description": "Raised when the same request gives another map."},
            **({"seed": ref("schemas", "Seed")} if seeded else {}),
            "parameters": {"description": "The request with all defaults.", "type": "object",
                           "required": list(fields), "properties": fields},
            "result": ref("schemas", title(name) + "Result"),
        }}


def result_schema(generator):
    return {"type": "object",
            "required": [p["name"] for p in generator["parts"] if not p["optional"]],
            "properties": {p["name"]: part_schema(p) for p in generator["parts"]}}


# ---- values in requests --------------------------------------------------------------------------

def element_schema(field):
    integer = {"type": "integer", "minimum": field["least"], "maximum": field["most"]}
    if field["type"] == "integers":
        return integer
    if field["type"] == "points":
        return array_of(integer, 2)
    return {"type": "string", "pattern": f"^{field['class']}+$",
            "minLength": field["least"], "maxLength": field["most"]}


def bounds(field):
    if field["type"] in ("integer", "number"):
        return {"minimum": field["least"], "maximum": field["most"]}
    if field["type"] == "string":
        return {"minLength": field["least_count"], "maxLength": field["most_count"]}
    if field["type"] in ("integers", "points", "rows"):
        return ({"minItems": field["least_count"], "maxItems": field["most_count"]} |
                ({"uniqueItems": True} if field["distinct"] else {}) |
                {"items": element_schema(field)})
    return {}


def field_schema(field, null):
    """A parameter in a JSON body, or (without null) most of those in a query."""
    schema = nullable(JSON_TYPES.get(field["type"], "array"), null)
    if field["bases"]:
        schema = {"type": ["array", "string"] + ["null"] * null, "pattern": "^/",
                  "x-grounds": field["bases"]}
    default = {"default": field["default"]} if "default" in field else {}
    return schema | bounds(field) | choices(field, null) | default


def query_schema(field):
    """Points and rows are one string in a URL."""
    if field["type"] == "points":
        number = "-?[0-9]+" if field["least"] < 0 else "[0-9]+"
        point = f"{number},{number}"
        return {"type": "string", "pattern": f"^(/.*|{point}(;{point})*)$"}
    if field["type"] == "rows":
        row = field["class"] + "+"
        return {"type": "string", "pattern": f"^(/.*|{row}(/{row})*)$"}
    return field_schema(field, False)


def request_schema(generator):
    fields = generator["fields"]
    required = [f["name"] for f in fields if f["required"]]
    more = ["Version"] if generator["seedless"] else ["Version", "Seed"]
    return ({"type": "object"} | ({"required": required} if required else {}) | {"properties": {
        **{f["name"]: sentence(f) | field_schema(f, not f["required"]) for f in fields},
        **{{"Version": "v"}.get(name, name.lower()):
           {"anyOf": [ref("schemas", name), {"type": "null"}]} for name in more}}})


def query_parameter(field, example):
    parameter = {"name": field["name"], "in": "query"} | sentence(field)
    if field["required"]:
        parameter["required"] = True
    if field["type"] == "integers":
        parameter |= {"style": "form", "explode": False}
    parameter["schema"] = query_schema(field)
    if field["name"] in example:
        value = example[field["name"]]
        parameter["example"] = "/".join(value) if field["type"] == "rows" else value
    return parameter


# ---- answers -------------------------------------------------------------------------------------

def header_refs(*names):
    return {"headers": {name: ref("headers", name) for name in names}}


LATER = {"202": ref("responses", "Later")}
MAP_HEADERS = header_refs("ETag", "Cache-Control", "Content-Location", "Content-Disposition")
share("MapHeaders", MAP_HEADERS["headers"])
PROBLEM = ref("responses", "Problem")


def responses(success, **more):
    return {"200": success, **more, "400": PROBLEM, "default": PROBLEM}


def map_response(generator, example):
    return {"description": "The map.", **MAP_HEADERS, "content": {"application/json": {
        "schema": ref("schemas", title(generator["name"]) + "Answer"), "example": example}}}


def common_responses(tables):
    maps = [ref("schemas", title(g["name"]) + "Answer") for g in tables["generators"]]
    return {
        "KeptMap": {"description": "The map.", **MAP_HEADERS,
                    "content": {"application/json": {"schema": {"anyOf": maps}}}},
        # Bytes for all clients: some would parse every type if one of them were JSON.
        "Drawing": {"description": "The map in the format of `suffix`.", **MAP_HEADERS, "content": {
            f["media"].partition(";")[0]:
                {"schema": {"description": f"{f['name']}: {f['help']}.", **BINARY}}
            for f in tables["formats"] if f["name"] != "json"}},
        "Later": {"description": "The map is being made: `Location` says where it will be. Only for requests with `Prefer`.",
                  **header_refs("Location", "Retry-After"),
                  "content": {"application/json": {"schema": ref("schemas", "Later")}}},
        "Problem": {
            "description": "What is wrong, and what would be right.",
            **header_refs("Cache-Control", "Retry-After", "RateLimit", "RateLimit-Policy",
                          "WWW-Authenticate"),
            "content": {"application/problem+json": {"schema": ref("schemas", "Problem"), "example": {
                "type": "/problems/invalid-parameter", "title": "A parameter is wrong", "status": 400,
                "detail": "a parameter is wrong",
                "errors": [{"pointer": "/width",
                            "detail": "must be an integer from 1 to 4096"}]}}}},
    }


HEADERS = {
    "ETag": "Identifies these bytes: another for each map, format, look and coding.",
    "Cache-Control":
        "max-age=31536000, immutable with seed and v, as the bytes never change; max-age=604800 "
        "without v, as another version may give another map; no-store without a seed, where the "
        "generator has one. Errors that time does not change: public, max-age=86400.",
    "Content-Location":
        "The address that gives exactly these bytes again, with seed, format and all; "
        "/maps/{id} where that is too long.",
    "Content-Disposition":
        "A name for a file with the map: generator, seed and suffix; the map's `id` if there is no "
        "seed or it does not fit a file name.",
    "Retry-After": "Seconds after which to try again.",
    "WWW-Authenticate": "A key is needed, sent as Bearer.",
    "RateLimit":
        "If the operator limits requests: how many may still be sent (r), and in how many seconds "
        "the full quota is available again (t).",
    "RateLimit-Policy":
        "If the operator limits requests: how many (q) a client may send in how many seconds (w).",
    "Location": "Where the map is, or will be.",
}
HEADER_EXAMPLES = {
    "Content-Disposition": 'inline; filename="regions-7.json"',
    "RateLimit": '"default";r=99;t=1',
    "RateLimit-Policy": '"default";q=100;w=2',
}
HEADER_SCHEMAS = {"Retry-After": INTEGER, "Location": STRING | {"format": "uri-reference"}}


def header_component(name):
    example = {"example": HEADER_EXAMPLES[name]} if name in HEADER_EXAMPLES else {}
    return {"description": HEADERS[name], "schema": HEADER_SCHEMAS.get(name, STRING)} | example


# ---- common schemas ------------------------------------------------------------------------------

def described(schema, description):
    return schema | {"description": description}


PROBLEM_KIND = {
    "type": ref("schemas", "ProblemType"),
    "title": described(STRING, "The kind of problem."),
    "status": described(INTEGER, "The HTTP status.") | {"minimum": 400, "maximum": 599},
}


def common_schemas(tables):
    return {
        "Id": described(STRING, "The UUID (version 5) of `self`.") | {"format": "uuid"},
        "Self": described(STRING, "The address of the map.") | {"format": "uri-reference"},
        "Version": {"description": "The generator's version that you rely on. If the server has "
                                   "another, it answers 410.",
                    "type": "integer", "minimum": 1, "maximum": 2147483647},
        "Seed": {"description": "What the map is drawn from: an integer, or a string of up to 64 "
                                'bytes. 7 and "7" are the same seed. If a request has none, the '
                                "server picks an integer.",
                 "type": ["integer", "string"], "minimum": 0, "maximum": 9007199254740991,
                 "minLength": 1, "maxLength": 64},
        "Cells": {"description": "A row of a grid.", "type": "array", "items": INTEGER},
        "Point": described(array_of(INTEGER, 2), "[x, y]"),
        "Edge": described(array_of(INTEGER, 2), "[a, b]: indices, the smaller first."),
        "Box": described(array_of(INTEGER, 4), "[x0, y0, x1, y1], inclusive."),
        "Later": {
            "type": "object", "description": "A map that is being made.",
            "required": ["id", "self", "state", "progress"],
            "properties": {
                "id": ref("schemas", "Id"),
                "self": ref("schemas", "Self"),
                "state": described(STRING, "Whether it waits for a worker.") |
                         {"enum": ["waiting", "running"]},
                "progress": {"type": "number", "description": "The share of the expected work that "
                             "is done. It never decreases.", "minimum": 0, "maximum": 1}}},
        "Problem": {
            "type": "object", "description": "Problem details (RFC 9457).",
            "required": ["type", "title", "status", "detail"],
            "properties": PROBLEM_KIND | {
                "detail": described(STRING, "What is wrong this time, and what would be right."),
                "instance": described(STRING, "The request's id, as in `X-Request-Id`. Not in "
                                              "answers that caches share."),
                "errors": {
                    "type": "array", "description": "Every wrong parameter, or the reasons.",
                    "items": {
                        "type": "object", "required": ["pointer", "detail"],
                        "properties": {
                            "pointer": described(STRING, "JSON pointer (RFC 6901) of the member, "
                                "empty for the whole. It reaches into lists, as in /sizes/1 or "
                                "/mask/0; at most ten elements of a list are reported."),
                            "detail": described(STRING, "What would be right.")}}}}},
        "ProblemPage": {
            "type": "object", "description": "A kind of problem.",
            "required": ["type", "title", "status", "meaning"],
            "properties": PROBLEM_KIND | {
                "meaning": described(STRING, "When it occurs, and what to do.")}},
        "ProblemType": {
            "description": "The page that explains the problem.", "type": "string",
            "enum": ["/problems/" + p["slug"] for p in tables["problems"]]},
    }


# ---- paths ---------------------------------------------------------------------------------------

def operation(name, tag, summary, description, answers, **more):
    return {"operationId": name, "tags": [tag], "summary": summary, "description": description,
            **more, "responses": answers}


def look_fields(tables):
    """The parameters of pictures, without the format."""
    used = {name for f in tables["formats"] for name in f["look"]}
    return [f for f in tables["look"] if f["name"] in used and f["name"] != "format"]


def suffix_parameter(generator, tables):
    suffixes = [f["suffix"] for f in tables["formats"]
                if f["name"] in generator["formats"] and f["name"] != "json"]
    return {"name": "suffix", "in": "path", "required": True, "schema": STRING | {"enum": suffixes}}


DRAWING_ANSWERS = share("DrawingAnswers", responses(ref("responses", "Drawing"), **LATER))


def map_paths(generator, tables):
    name = generator["name"]
    kind, summary = title(name), generator["summary"]
    used = {look for f in tables["formats"] if f["name"] in generator["formats"] for look in f["look"]}
    own = share(kind, [ref("parameters", kind + title(f["name"])) for f in generator["fields"]] +
                 [ref("parameters", "V")] +
                 [ref("parameters", "Seed")] * (not generator["seedless"]) +
                 [PREFER])
    looks = [ref("parameters", title(f["name"])) for f in look_fields(tables) if f["name"] in used]
    answers = share(kind + "Answers", responses(ref("responses", kind), **LATER))
    return {
        f"/{name}": {
            "get": operation(f"get{kind}", "maps", summary, generator["about"], answers,
                             parameters=own),
            "post": operation(f"post{kind}", "maps", summary, "The same with parameters in JSON.",
                              answers, parameters=[PREFER], requestBody=ref("requestBodies", kind))},
        f"/{name}.{{suffix}}": {
            "parameters": own,
            "get": operation(f"get{kind}As", "maps", "in another format",
                             "A picture or file. POST gives it too.",
                             DRAWING_ANSWERS,
                             parameters=[suffix_parameter(generator, tables)] + looks)},
    }


PREFER = ref("parameters", "Prefer")
MAP_ID = [ref("parameters", "MapId")]
KEPT_MAP_PATH = {"/maps/{id}": {
    "get": operation(
        "getMap", "maps", "a recent map again",
        "While it is in the cache; later 404, but its `self` always gives it again. A suffix asks "
        "for a format: /maps/{id}.svg. While a map is being made for nobody who waits, 202; then, "
        "for at least a minute, the map or the problem. If a copy of the service ends, so does its "
        "work, unless it shares a store with others: then 404, and `self` makes the map again.",
        responses(ref("responses", "KeptMap"), **LATER),
        parameters=MAP_ID),
    "delete": operation(
        "endMap", "maps", "stop making it",
        "Ends what the same client asked for by `Prefer: respond-async`, in any format, on whichever "
        "copy of the service. The work goes on if others wait for the same map. 409 if the map is "
        "ready.",
        {"204": {"description": "The request for the map is forgotten."}, "400": PROBLEM, "default": PROBLEM},
        parameters=MAP_ID),
}}


def page(name, summary, description, answer, **content):
    """An operation for what is served beside the maps. `content`: a schema for each media type."""
    media = {type_: {"schema": schema} for type_, schema in content.items()}
    return {"get": operation(name, "service", summary, description,
                             responses({"description": answer, "content": media}))}


def text_page(name, summary, description):
    return page(name, summary, description, "A line of text.", **{"text/plain": STRING})


def tiles_page(name, what):
    return page(name, f"Tiles, {what}", f"The image that a `tmj` of {what} refers to: put it beside "
                "the map.", "The tiles.", **{"image/png": BINARY})


def json_object(**properties):
    return {"type": "object", "required": list(properties), "properties": properties}


SERVICE_PATHS = {
    "/": page("getHome", "Help", "What the service can do, and how; for browsers, a page to try it.",
              "The help, or the page.", **{"text/plain": STRING, "text/html": STRING}),
    "/healthz": text_page("getHealth", "Alive", "Answers as long as the server lives."),
    "/readyz": text_page("getReadiness", "Ready", "Whether the server takes requests: 503 while it "
                         "shuts down."),
    "/metrics": page("getMetrics", "Metrics", "In Prometheus's text format, or in OpenMetrics if "
                     "`Accept` names that.", "What the server counts and measures.",
                     **{"text/plain": STRING, "application/openmetrics-text": STRING}),
    "/version": page("getVersion", "Versions", "Of the server and of its generators.",
                     "Names, versions and limits.", **{"application/json": json_object(
                         name=STRING, version=STRING,
                         generators={"type": "object",
                                     "description": "The version of each generator, by its name.",
                                     "additionalProperties": INTEGER | {"minimum": 1}},
                         limits={"type": "object",
                                 "description": "How large a map may be here, where that is less than its "
                                                "generator allows: cells of a map, stars, cells of a board.",
                                 "properties": {name: INTEGER | {"minimum": 1}
                                                for name in ("cells", "stars", "board")}})}),
    "/openapi.yaml": page("getOpenapiYaml", "OpenAPI, YAML", "This document.", "This document.",
                          **{"application/yaml": {"type": "object"}}),
    "/openapi.json": page("getOpenapiJson", "OpenAPI, JSON", "This document.", "This document.",
                          **{"application/json": {"type": "object"}}),
    "/mapwright-hex.png": tiles_page("getHexTiles", "hexagons"),
    "/mapwright-square.png": tiles_page("getSquareTiles", "squares"),
    "/problems": page("listProblems", "Problems", "All that an answer may report.",
                      "All kinds of problems.", **{"application/json": json_object(
                          problems={"type": "array", "items": ref("schemas", "ProblemPage")})}),
    "/problems/{slug}": page("getProblem", "Problem", "What a problem means.", "A kind of problem.",
                             **{"application/json": ref("schemas", "ProblemPage")}),
}
SERVICE_PATHS["/problems/{slug}"]["get"]["parameters"] = [
    {"name": "slug", "in": "path", "description": "The end of a problem's `type`.",
     "required": True, "schema": STRING}]


# ---- the document --------------------------------------------------------------------------------

def parameter_components(tables):
    parameters = {}
    for generator in tables["generators"]:
        example = EXAMPLES.get(generator["name"], {"seed": 7})
        for field in generator["fields"]:
            parameters[title(generator["name"]) + title(field["name"])] = query_parameter(field, example)
    parameters["V"] = {"name": "v", "in": "query", "schema": ref("schemas", "Version")}
    parameters["Seed"] = {"name": "seed", "in": "query", "schema": ref("schemas", "Seed"), "example": 7}
    for field in look_fields(tables):
        parameters[title(field["name"])] = query_parameter(field, {})
    parameters["Prefer"] = {
        "name": "Prefer", "in": "header", "schema": STRING, "example": "respond-async, wait=5",
        "description": "With `respond-async` (RFC 7240) a slow map is answered by 202, with `wait` after that "
                       "many seconds."}
    parameters["MapId"] = {"name": "id", "in": "path", "description": "The `id` of an answer.",
                           "required": True, "schema": STRING | {"format": "uuid"}}
    return parameters


def schema_components(tables):
    schemas, rows = {}, {}
    for generator in tables["generators"]:
        kind = title(generator["name"])
        schemas[kind + "Request"] = request_schema(generator)
        schemas[kind + "Answer"] = answer_schema(generator)
        schemas[kind + "Result"] = result_schema(generator)
        for part in generator["parts"]:
            if part["kind"] == "table":
                rows.setdefault(row_name(part), row_schema(part["columns"]))
                assert rows[row_name(part)] == row_schema(part["columns"]), "two tables of one name"
    return schemas | rows | common_schemas(tables)


def request_body(generator):
    needed = {"required": True} if any(f["required"] for f in generator["fields"]) else {}
    return {"description": "The parameters. An empty body means {}.", **needed,
            "content": {"application/json": {
                "schema": ref("schemas", title(generator["name"]) + "Request"),
                "example": EXAMPLES.get(generator["name"], {"seed": 7})}}}


def document(tables, answer_of):
    generators = {title(g["name"]): g for g in tables["generators"]}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Mapwright",
            "version": tables["version"],
            "summary": "Maps for games, as a pure function",
            "description": DESCRIPTION,
            "contact": {"name": "Mapwright"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server that this document comes from"}],
        "security": [{}, {"key": []}],
        "tags": [{"name": "maps", "description": "The maps."},
                 {"name": "service", "description": "The pages around them."}],
        "paths": {
            **{path: item for g in generators.values() for path, item in map_paths(g, tables).items()},
            **KEPT_MAP_PATH, **SERVICE_PATHS},
        "components": {
            "schemas": schema_components(tables),
            "parameters": parameter_components(tables),
            "requestBodies": {name: request_body(g) for name, g in generators.items()},
            "headers": {name: header_component(name) for name in HEADERS},
            "securitySchemes": {"key": {
                "type": "http", "scheme": "bearer",
                "description": "If the operator gave out keys, maps are for those who have one."}},
            "responses": {
                **{name: map_response(g, answer_of(g["name"])) for name, g in generators.items()},
                **common_responses(tables)},
        },
    }


# ---- YAML ----------------------------------------------------------------------------------------

def is_plain(text):
    """Whether every YAML parser reads the text as the same string without quotes."""
    words = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
    return (text[:1].isalpha() or text[:1] in ("/", "$")) and text.isascii() and text == text.strip() \
        and all(c.isalnum() or c in "$/ .'_-+;()^=`" for c in text) and text.lower() not in words


def pieces(value):
    """The members of an object, or the items of a list, each on one line."""
    if isinstance(value, dict):
        return [f"{in_line(key)}: {in_line(member)}" for key, member in value.items()]
    return [in_line(item) for item in value]


def in_line(value):
    if isinstance(value, (dict, list)):
        return ("{%s}" if isinstance(value, dict) else "[%s]") % ", ".join(pieces(value))
    return value if isinstance(value, str) and is_plain(value) else json.dumps(value, ensure_ascii=False)


def filled(head, value, indent):
    """Behind `head`, with as many members or items on a line as it takes."""
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = [f"{head} {opening}"]
    for i, piece in enumerate(pieces(value)):
        piece += "," if i + 1 < len(value) else closing
        space = " " * (i > 0)
        if len(lines[-1]) + len(space + piece) > COLUMNS:
            lines.append(indent + "  " + piece)
        else:
            lines[-1] += space + piece
    return lines


written = set()  # of what is shared


def member_lines(head, member, indent):
    """A member or item. Objects go on a few lines, or their members on lines of their own."""
    if isinstance(member, str) and "\n" in member:
        return [f"{head} |-"] + [(indent + "  " + line).rstrip() for line in member.split("\n")]
    if not isinstance(member, (dict, list)):
        return [f"{head} {in_line(member)}"]
    if id(member) in shared:
        if id(member) in written:
            return [f"{head} *{shared[id(member)]}"]
        written.add(id(member))
        return filled(f"{head} &{shared[id(member)]}", member, indent)
    lines = filled(head, member, indent)
    if max(map(len, lines)) <= COLUMNS and (isinstance(member, list) or len(lines) <= 2):
        return lines
    below = list(lines_of(member, indent + "  "))
    if head.endswith("-"):  # the first stands beside the dash
        return [f"{head} {below[0].lstrip()}"] + below[1:]
    return [head] + below


def lines_of(value, indent=""):
    """Every member of an object, or item of a list, on lines of its own."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        head = indent + (f"{in_line(key)}:" if isinstance(value, dict) else "-")
        if key == "example":
            yield f"{head} {json.dumps(member, ensure_ascii=False, separators=(',', ':'))}"
        else:
            yield from member_lines(head, member, indent)


# ---- the whole -----------------------------------------------------------------------------------

def spelled(value):
    """As a shell has it: true, 1,2 or ab/cd."""
    if isinstance(value, list):
        return ("/" if isinstance(value[0], str) else ",").join(map(str, value))
    return str(value)


def main(command, folder="."):
    def run(*words):
        return json.loads(subprocess.run([command, *words], check=True, stdout=subprocess.PIPE).stdout)

    def answer_of(name):
        example = EXAMPLES.get(name, {"seed": 7})
        return run(name, "format=json", *(f"{key}={spelled(value)}" for key, value in example.items()))

    made = document(run("list", "--json"), answer_of)
    folder = Path(folder)
    (folder / "openapi.yaml").write_text("\n".join(lines_of(made)) + "\n")
    (folder / "openapi.json").write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n")


main(*sys.argv[1:])
