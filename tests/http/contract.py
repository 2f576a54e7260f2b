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

    # ---- is an answer what the document says? --------------------------------------------------

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

    # ---- is a value what the schema says? ------------------------------------------------------

    def faults(self, schema, value, where=""):
        """Yields a sentence for each way in which `value` is not what `schema` says."""
        schema = self.resolve(schema)
        for keyword, expected in schema.items():
            if keyword in CHECKS and not CHECKS[keyword](expected, value):
                yield f"{where}: {value!r:.80} is not right by {keyword} {expected}"
            elif keyword == "allOf":
                for one in expected:
                    yield from self.faults(one, value, where)
            elif keyword in ("anyOf", "oneOf"):
                fitting = sum(self.fits(one, value) for one in expected)
                if not fitting or (keyword == "oneOf" and fitting > 1):
                    yield f"{where}: {value!r:.80} fits {fitting} branches"
        if isinstance(value, list):
            first = schema.get("prefixItems", [])
            for i, item in enumerate(value):
                yield from self.faults(first[i] if i < len(first) else schema.get("items") or {}, item, f"{where}/{i}")
        if isinstance(value, dict):
            known = schema.get("properties", {})
            for name in value:
                if name in known:
                    yield from self.faults(known[name], value[name], f"{where}/{name}")
                elif schema.get("additionalProperties") is False:
                    yield f"{where}: {name} is not in the schema"

    def fits(self, schema, value):
        return not any(self.faults(schema, value))

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
        lengths = {schema.get(name, 1) + step for name, step in (("minItems", 0), ("minItems", -1), ("maxItems", 0), ("maxItems", 1))}
        lists = [list(within[:n]) for n in lengths if 0 < n <= len(within) and n <= 5000]
        least = schema.get("minItems", 1)
        return lists + [[element] * least for element in (self.bounds(item) if item.get("type") == "integer" else [])
                        if least == 1 or not schema.get("uniqueItems")]


def own_types(schema):
    """Its types but null, and but the address of another map that has such a value."""
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return [name for name in names if name not in ({"null", "string"} if "x-grounds" in schema else {"null"})]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and value == value // 1,
    "number": is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}

# By keyword: whether a value is as expected; one of another type always is.
CHECKS = {
    "type": lambda names, value: any(TYPES[name](value) for name in ([names] if isinstance(names, str) else names)),
    "const": lambda expected, value: value == expected,
    "enum": lambda expected, value: value in expected,
    "minimum": lambda least, value: not is_number(value) or value >= least,
    "maximum": lambda most, value: not is_number(value) or value <= most,
    "minLength": lambda least, value: not isinstance(value, str) or len(value) >= least,
    "maxLength": lambda most, value: not isinstance(value, str) or len(value) <= most,
    "pattern": lambda pattern, value: not isinstance(value, str) or re.search(pattern, value),
    "minItems": lambda least, value: not isinstance(value, list) or len(value) >= least,
    "maxItems": lambda most, value: not isinstance(value, list) or len(value) <= most,
    "uniqueItems": lambda unique, value: not (unique and isinstance(value, list)) or len(set(map(repr, value))) == len(value),
    "required": lambda names, value: not isinstance(value, dict) or set(names) <= value.keys(),
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
