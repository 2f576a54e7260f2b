"""What openapi.json says: generators, their parameters and answers; values drawn from schemas, right and wrong.

Whether a value fits a schema is judged by python3-jsonschema.
"""
import json
import re
from urllib.parse import quote

from jsonschema import Draft202012Validator, RefResolver

from server import ROOT

# Of every generator, or of how a map is written: not of its address.
COMMON = ("v", "seed", "format", "scale", "color", "voxel", "columns", "tables",
          "labels", "grid_lines", "theme", "palette", "solution", "under", "margin", "maps", "collision")


class Generator:
    def __init__(self, contract, path, item):
        self.path, self.name = path, path[1:]
        body = contract.resolve(item["post"]["requestBody"])["content"]["application/json"]
        drawn = contract.document["paths"][path + ".{suffix}"]["get"]
        schema = contract.resolve(body["schema"])
        self.fields = {name: contract.resolve(field) for name, field in schema["properties"].items()}
        self.own_fields = {name: field for name, field in self.fields.items() if name not in COMMON}
        self.required = schema.get("required", [])
        plain, drawings = (contract.resolve(operation["responses"]["200"])["content"]
                           for operation in (item["post"], drawn))
        self.media = {media.split(";")[0] for media in plain | drawings}
        self.result = plain["application/json"]["schema"]
        self.suffixes = ["json", *next(p["schema"]["enum"] for p in drawn["parameters"] if p.get("name") == "suffix")]
        self.seeded = "seed" in self.fields
        examples = [contract.resolve(one)["value"] for one in body.get("examples", {}).values()]
        self.examples = examples + [body["example"]] * ("example" in body)
        self.least = {name: self.examples[-1][name] for name in self.required}

    @property
    def formats(self):
        return [{"txt": "text"}.get(suffix, suffix) for suffix in self.suffixes]

    def body(self, **more):
        """The smallest right request, and more; a seed only where there is one."""
        return {name: value for name, value in (self.least | more).items() if name != "seed" or self.seeded}

    def target(self, suffix="", **more):
        return self.path + suffix + query(self.body(**more))


class Contract:
    def __init__(self, document):
        self.document = document
        self.resolver, self.closed = RefResolver.from_schema(document), RefResolver.from_schema(close(document))
        self.generators = [Generator(self, path, item) for path, item in document["paths"].items()
                           if "post" in item and "get" in item]

    def resolve(self, schema):
        while "$ref" in schema:
            schema = self.resolver.resolve(schema["$ref"])[1]
        return schema

    def described(self, method, path, status):
        """What the document says of an answer, as {"headers", "content"}; None: nothing of that path or
        method. What only clients get who ask by a header stands in its description."""
        plain = re.sub(r"^(/maps/)[^.]*", r"\1{id}", re.sub(r"^(/problems/).+", r"\1{slug}", path))
        path, dot, _ = plain.partition(".") if plain not in self.document["paths"] else (plain, "", "")
        drawn = path.replace("/maps/{id}", "/regions") + ".{suffix}"  # all formats are the same there
        items = [self.document["paths"].get(one) for one in (path, drawn)]
        if not items[0] or method.replace("HEAD", "GET").lower() not in items[0]:
            return None
        operations = [item["get" if item is items[1] else method.replace("HEAD", "GET").lower()]
                      for item in items if item]
        found = [operation["responses"].get(str(status)) or (status >= 400 and operation["responses"].get("default"))
                 for operation in operations]
        if not any(found) and re.search(rf"\b{status}\b", self.document["info"]["description"]):
            return {}
        found = [self.resolve(response) for response in found if response]
        assert found, f"{method} {path} {status} is not documented"
        return {"headers": found[0].get("headers", {}),
                "content": {media: one for response in found for media, one in response.get("content", {}).items()}}

    def faults(self, schema, answer):
        """A sentence for each way in which an answer is not what `schema` says, by the first elements of its lists;
        it has no members but those that are described."""
        validator = Draft202012Validator(close(schema), resolver=self.closed)
        return [f"{list(error.path)}: {error.message:.200}"
                for error in validator.iter_errors(begun(answer))]

    def fits(self, schema, value):
        return Draft202012Validator(schema, resolver=self.resolver).is_valid(value)

    # ---- values drawn from a schema -------------------------------------------------------------

    def right(self, random, schema, room=40):
        """A value that fits; numbers of at most half more than the default, or `room`: small maps."""
        schema = self.resolve(schema)
        if isinstance(schema.get("default"), int):
            room = min(3 * schema["default"] // 2, room)
        for branches in filter(None, map(schema.get, ("oneOf", "anyOf"))):
            return self.right(random, random.choice([one for one in branches if one.get("type") != "null"]), room)
        if "enum" in schema:
            return random.choice([one for one in schema["enum"] if one is not None])
        return getattr(self, "_draw_" + random.choice(own_types(schema)))(random, schema, room)

    def _draw_integer(self, random, schema, room):
        least = schema.get("minimum", 0)
        return random.randint(least, min(schema.get("maximum", room), max(room, least)))

    def _draw_number(self, random, schema, room):
        least = schema.get("minimum", 0)
        return round(random.uniform(least, min(schema.get("maximum", room), least + room)), 3)

    def _draw_boolean(self, random, _schema, _room):
        return random.random() < 0.5

    def _draw_string(self, random, schema, room):
        """Rows of a board, seeds: of the characters that the pattern, if it is a class, takes."""
        match = re.fullmatch(r"\^(\[.+\])[*+]?(\{\d*,?\d*\})?\$", schema.get("pattern", ""))
        letters = [chr(c) for c in range(33, 127) if re.fullmatch(match[1] if match else "[a-z0-9]", chr(c))]
        least = max(schema.get("minLength", 1), 1)
        length = random.randint(least, min(schema.get("maxLength", room), max(room, least)))
        return "".join(random.choice(letters) for _ in range(length))

    def _draw_array(self, random, schema, room):
        least, first = schema.get("minItems", 0), schema.get("prefixItems", [])
        count = random.randint(max(least, 1), min(schema.get("maxItems", 12), max(12, least)))
        items = [self.right(random, first[i] if i < len(first) else schema["items"], room) for i in range(count)]
        if schema.get("uniqueItems"):
            items = [item for i, item in enumerate(items) if item not in items[:i]]
        if items and isinstance(items[0], str):  # rows are equally long
            items = [item[:min(map(len, items))] for item in items]
        return items

    def wrong(self, random, schema):
        """A value that does not fit."""
        pool = [0, -1, 1.5, 10**12, 1e300, True, False, "", "x" * 70, "\u00e9\u20ac", "no such",
                [], [[]], [{}], {}, {"a": 1}, [1, "x"], [[1, 2, 3]], ["#", 1], ["#", "##"]]
        return random.choice([value for value in pool + self.bounds(schema) if not self.fits(schema, value)])

    def bounds(self, schema):
        """Values at the bounds of a number, a text or a list of these, and just beyond."""
        schema = self.resolve(schema)
        found = [schema[name] + step for name, step in (("minimum", 0), ("minimum", -1), ("maximum", 0), ("maximum", 1))
                 if name in schema]
        if "maxLength" in schema and "pattern" not in schema:
            found += ["x" * schema["maxLength"], "x" * (schema["maxLength"] + 1)]
        if "items" in schema and "array" in schema["type"]:
            found += self._bounds_of_list(schema)
        return found

    def _bounds_of_list(self, schema):
        item = self.resolve(schema["items"])
        within = range(item["minimum"], item["maximum"]) if item.get("type") == "integer" else (
            [[n, 0] for n in range(6000)] if item.get("type") == "array" else [])
        lengths = {schema.get(name, 1) + step for name in ("minItems", "maxItems") for step in (-1, 0, 1)}
        lists = [list(within[:n]) for n in lengths if 0 < n <= len(within) and n <= 5000]
        least = schema.get("minItems", 1)
        return lists + [[element] * least for element in (self.bounds(item) if item.get("type") == "integer" else [])
                        if least == 1 or not schema.get("uniqueItems")]


def close(node):
    """With `additionalProperties: false` wherever there are properties."""
    if isinstance(node, list):
        return [close(one) for one in node]
    if not isinstance(node, dict):
        return node
    more = {"additionalProperties": False} if isinstance(node.get("properties"), dict) else {}
    return more | {name: close(one) for name, one in node.items()}


def begun(value, most=20):
    """With so many elements of each list."""
    if isinstance(value, dict):
        return {name: begun(one) for name, one in value.items()}
    return [begun(one) for one in value[:most]] if isinstance(value, list) else value


def own_types(schema):
    """Its types but null, and but the address of another map that has such a value."""
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return [name for name in names if name not in ({"null", "string"} if "x-grounds" in schema else {"null"})]


def spell(value):
    """A parameter's value as a URL has it, before escaping."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        separator = {list: ";", str: "/"}.get(type(value[0]) if value else int, ",")
        return separator.join(map(spell, value))
    return str(value)


def query(parameters):
    pairs = (f"{quote(name, safe='')}={quote(spell(value), safe=',;/')}" for name, value in parameters.items())
    return "?" + "&".join(pairs) if parameters else ""


with open(f"{ROOT}/openapi.json") as file:
    CONTRACT = Contract(json.load(file))
