"""Requests drawn from openapi.json, right and wrong: each answer is of a promised kind."""
import json
import random

from contract import CONTRACT, query

ROUNDS = 60
MAPS = 20  # the laws make many more, without HTTP


def right_body(chance, generator):
    """Required parameters are those of the example, as a schema does not describe all of a board."""
    names = [name for name in generator.own_fields if name not in generator.required]
    drawn = sorted(chance.sample(names, chance.randint(0, min(5, len(names)))))
    drawn += ["seed"] * (generator.seeded and chance.random() < 0.8)
    return generator.body(**{name: CONTRACT.right(chance, generator.fields[name]) for name in drawn})


def test_right_requests(server, generator):
    """Requests that fit the schema: 200, or 422 if parameters contradict each other; never 400."""
    chance, made = random.Random(20), 0
    choices = [generator.body(seed=7, **{name: value}) for name, field in generator.own_fields.items()
               for value in field.get("enum", [True, False] if "boolean" in field.get("type", "") else [])
               if value is not None]
    for body in choices + [right_body(chance, generator) for _ in range(MAPS)]:
        post, get = server.post(generator.path, body), server.get(generator.path + query(body))
        assert {post.status, get.status} <= {200, 422}, (body, post, get)
        if "seed" in body or not generator.seeded:
            assert get.status == post.status and (get.body == post.body or post.status == 422), body
        for answer in (reply.json() for reply in (post, get) if reply.status == 200):
            made += 1
            assert not CONTRACT.faults(generator.result, answer), body
            for name, value in body.items():
                told = answer["seed"] if name == "seed" else answer["parameters"][name]
                assert told == value or str(told) == str(value), (name, body)
    assert made > len(choices) + MAPS / 5, "too few are made to prove anything"


def test_wrong_requests(server, generator):
    """Some members spoiled, some unknown: 400 with a pointer to each of them and to no other."""
    chance = random.Random(21)
    for _ in range(ROUNDS):
        body = right_body(chance, generator)
        spoiled = set(chance.sample(sorted(generator.own_fields) + ["seed"] * generator.seeded, chance.randint(1, 3)))
        body |= {name: CONTRACT.wrong(chance, generator.fields[name]) for name in spoiled}
        if chance.random() < 0.3:
            spoiled.add("unknown")
            body["unknown"] = chance.choice([None, 1, "x", [], {}])
        reply = server.post(generator.path, body)
        assert reply.status == 400, (body, reply)
        assert {pointer.split("/")[1] for pointer in reply.pointers()} == spoiled, (body, reply)


def test_mangled_requests(server, generator):
    """Right bodies and addresses with a few bytes changed: anything but 5xx, and nothing breaks. A # ends
    the connection, as what is malformed does."""
    chance = random.Random(22)
    characters = [code for code in range(33, 127) if code != ord("#")]
    with server.connect() as connection:
        for _ in range(ROUNDS):
            body = right_body(chance, generator)
            text, address = bytearray(json.dumps(body).encode()), bytearray((generator.path + query(body)).encode())
            for _ in range(chance.randint(1, 4)):
                text[chance.randrange(len(text))] = chance.randrange(256)
                address[chance.randrange(1, len(address))] = chance.choice(characters)
            assert connection.ask("POST", generator.path, bytes(text)).status < 500, text
            assert connection.ask("GET", address.decode()).status < 500, address
    assert server.get("/regions?seed=alive").status == 200
