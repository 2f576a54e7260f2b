"""What /openapi.json says, as far as the tests need it: generators, their parameters and results;
a check of values against schemas; values drawn from schemas, right and wrong.
"""
import re
from urllib.parse import quote

COMMON = ("v", "seed", "format", "scale", "color", "voxel", "columns", "tables",
          "labels", "grid_lines", "theme", "palette", "solution", "under", "margin", "maps", "collision")


class Generator:
    def __init__(self, contract, path, item):
        self.path = path
        body = contract.resolve(item["post"]["requestBody"])["content"]["application/json"]
        drawn = contract.document["paths"][path + ".{suffix}"]["get"]
        self.schema = contract.resolve(body["schema"])
        self.fields = {name: contract.resolve(schema)
                       for name, schema in self.schema["properties"].items()}
        self.required = self.schema.get("required", [])
        plain, drawings = (contract.resolve(operation["responses"]["200"])["content"]
                           for operation in (item["post"], drawn))
        self.answers = plain | drawings
        self.result = plain["application/json"]["schema"]
        self.formats = ["json"] + [{"txt": "text"}.get(name, name) for name in next(
            p["schema"]["enum"] for p in drawn["parameters"] if p.get("name") == "suffix")]
        self.seeded = "seed" in self.fields
        self.least = {name: self.example(contract, body)[name] for name in self.required}

    @staticmethod
    def example(contract, body):
        if "example" in body:
            return body["example"]
        return contract.resolve(next(iter(body["examples"].values())))["value"]

    def own_fields(self):
        return {name: schema for name, schema in self.fields.items() if name not in COMMON}

    def body(self, **more):
        """The smallest right request, and more."""
        return self.least | more

    def target(self, suffix="", **more):
        return self.path + suffix + query(self.body(**more))


class Contract:
    def __init__(self, document):
        self.document = document
        self.generators = [
            Generator(self, path, item) for path, item in document["paths"].items()
            if "post" in item and "get" in item]
        assert any(generator.path == "/regions" for generator in self.generators)

    def resolve(self, schema):
        while "$ref" in schema:
            place = self.document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                place = place[step.replace("~1", "/").replace("~0", "~")]
            schema = place
        return schema

    # ---- is a value what the schema says? ------------------------------------------------------

    def faults(self, schema, value, where=""):
        """Yields a sentence for each way in which `value` is not what `schema` says."""
        schema = self.resolve(schema)
        for keyword, expected in schema.items():
            check = getattr(self, "_" + keyword, None)
            if check:
                yield from check(expected, value, where, schema)

    def fits(self, schema, value):
        return not any(self.faults(schema, value))

    def _type(self, expected, value, where, _):
        names = expected if isinstance(expected, list) else [expected]
        if not any(TYPES[name](value) for name in names):
            yield f"{where}: {value!r:.80} is not of type {expected}"

    def _const(self, expected, value, where, _):
        if value != expected:
            yield f"{where}: {value!r:.80} is not {expected!r}"

    def _enum(self, expected, value, where, _):
        if value not in expected:
            yield f"{where}: {value!r:.80} is none of {expected}"

    def _minimum(self, expected, value, where, _):
        if TYPES["number"](value) and value < expected:
            yield f"{where}: {value} is under {expected}"

    def _maximum(self, expected, value, where, _):
        if TYPES["number"](value) and value > expected:
            yield f"{where}: {value} is over {expected}"

    def _minLength(self, expected, value, where, _):
        if isinstance(value, str) and len(value) < expected:
            yield f"{where}: {value!r} is shorter than {expected}"

    def _maxLength(self, expected, value, where, _):
        if isinstance(value, str) and len(value) > expected:
            yield f"{where}: {value!r} is longer than {expected}"

    def _pattern(self, expected, value, where, _):
        if isinstance(value, str) and not re.search(expected, value):
            yield f"{where}: {value!r:.80} does not match {expected}"

    def _minItems(self, expected, value, where, _):
        if isinstance(value, list) and len(value) < expected:
            yield f"{where}: {len(value)} items, fewer than {expected}"

    def _maxItems(self, expected, value, where, _):
        if isinstance(value, list) and len(value) > expected:
            yield f"{where}: {len(value)} items, more than {expected}"

    def _uniqueItems(self, expected, value, where, _):
        if expected and isinstance(value, list) and len(set(map(repr, value))) < len(value):
            yield f"{where}: an item stands twice"

    def _prefixItems(self, expected, value, where, _):
        if isinstance(value, list):
            for i, (schema, item) in enumerate(zip(expected, value)):
                yield from self.faults(schema, item, f"{where}/{i}")

    def _items(self, expected, value, where, schema):
        if isinstance(value, list) and isinstance(expected, dict):
            for i in range(len(schema.get("prefixItems", [])), len(value)):
                yield from self.faults(expected, value[i], f"{where}/{i}")

    def _required(self, expected, value, where, _):
        if isinstance(value, dict):
            yield from (f"{where}: no {name}" for name in expected if name not in value)

    def _properties(self, expected, value, where, _):
        if isinstance(value, dict):
            for name in expected.keys() & value.keys():
                yield from self.faults(expected[name], value[name], f"{where}/{name}")

    def _additionalProperties(self, expected, value, where, schema):
        if isinstance(value, dict) and expected is False:
            extra = value.keys() - schema.get("properties", {}).keys()
            yield from (f"{where}: {name} is not in the schema" for name in extra)

    def _allOf(self, expected, value, where, _):
        for schema in expected:
            yield from self.faults(schema, value, where)

    def _anyOf(self, expected, value, where, _):
        if not any(self.fits(schema, value) for schema in expected):
            yield f"{where}: {value!r:.80} fits no branch"

    def _oneOf(self, expected, value, where, _):
        if sum(self.fits(schema, value) for schema in expected) != 1:
            yield f"{where}: {value!r:.80} does not fit one branch"

    # ---- values drawn from a schema -------------------------------------------------------------

    def right(self, random, schema, room=40):
        """A value that fits; numbers of at most about twice the default, or `room`: small maps."""
        schema = self.resolve(schema)
        if isinstance(schema.get("default"), int):
            room = 2 * schema["default"]
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                branches = [s for s in schema[keyword] if s.get("type") != "null"]
                return self.right(random, random.choice(branches), room)
        if "enum" in schema:
            return random.choice([one for one in schema["enum"] if one is not None])
        if "const" in schema:
            return schema["const"]
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        # values themselves, not the address of another map that has them
        unwanted = {"null", "string"} if "x-grounds" in schema else {"null"}
        return getattr(self, "_draw_" + random.choice([n for n in names if n not in unwanted]))(
            random, schema, room)

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
        match = re.fullmatch(r"\^\[(.+)\][*+]?(\{\d*,?\d*\})?\$", schema.get("pattern", ""))
        letters = match[1].replace("\\", "") if match else "abcdefghijklmnopqrstuvwxyz0123456789"
        if match and "-" in letters:
            letters = [chr(c) for c in range(33, 127) if re.fullmatch(f"[{match[1]}]", chr(c))]
        least = max(schema.get("minLength", 1), 1)
        length = random.randint(least, min(schema.get("maxLength", room), max(room, least)))
        return "".join(random.choice(letters) for _ in range(length))

    def _draw_array(self, random, schema, room):
        least = schema.get("minItems", 0)
        count = random.randint(max(least, 1), min(schema.get("maxItems", 12), max(12, least)))
        first = schema.get("prefixItems", [])
        items = [self.right(random, first[i] if i < len(first) else schema["items"], room)
                 for i in range(count)]
        if schema.get("uniqueItems"):
            items = [item for i, item in enumerate(items) if item not in items[:i]]
        if items and isinstance(items[0], str):  # rows are equally long
            width = min(map(len, items))
            items = [item[:width] for item in items]
        return items

    def wrong(self, random, schema):
        """A value that does not fit."""
        schema = self.resolve(schema)
        pool = [0, -1, 1.5, 10**12, 1e300, True, False, "", "x" * 70, "\u00e9\u20ac", "no such",
                [], [[]], [{}], {}, {"a": 1}, [1, "x"], [[1, 2, 3]], ["#", 1], ["#", "##"]]
        for bound, step in (("minimum", -1), ("maximum", 1)):
            if bound in schema:
                pool += [schema[bound] + step] * 4
        return random.choice([value for value in pool if not self.fits(schema, value)])


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == value // 1,
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


# ---- parameters in a URL -----------------------------------------------------------------------

def spell(value):
    """A parameter's value as a URL has it, before escaping."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return ";".join(",".join(map(spell, point)) for point in value)
        return ("/" if value and isinstance(value[0], str) else ",").join(map(spell, value))
    return str(value)


def query(parameters):
    pairs = (f"{quote(name, safe='')}={quote(spell(value), safe=',;/')}"
             for name, value in parameters.items())
    return "?" + "&".join(pairs) if parameters else ""
