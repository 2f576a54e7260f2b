"""Requests drawn from /openapi.json, right and wrong: each answer is of a promised kind."""
import json
import random

from contract import query

ROUNDS = 100
MAPS = 30  # the laws make many more, without HTTP


def some_of(chance, generator):
    """The names of a few parameters that need not be given."""
    names = [name for name in generator.own_fields() if name not in generator.required]
    return sorted(chance.sample(names, chance.randint(0, min(5, len(names)))))


def right_body(contract, chance, generator):
    """Required parameters are those of the example, as a schema does not describe all of a board."""
    body = generator.body()
    for name in some_of(chance, generator):
        body[name] = contract.right(chance, generator.fields[name])
    if generator.seeded and chance.random() < 0.8:
        body["seed"] = contract.right(chance, generator.fields["seed"])
    return body


def judge_map(contract, generator, body, reply):
    answer = reply.json()
    assert not list(contract.faults(generator.result, answer)), body
    for name, value in body.items():
        told = answer["seed"] if name == "seed" else answer["parameters"][name]
        assert told == value or str(told) == str(value), (name, body)
    if generator.path == "/regions":
        judge_regions(answer["result"])


def judge_regions(result):
    """Sizes and places only; property tests judge the rest."""
    cells = [cell for row in result["cells"] for cell in row]
    assert len(cells) == result["width"] * result["height"]
    for region in result["regions"]:
        assert cells.count(region["id"]) == region["size"]
        x, y = region["capital"]
        assert result["cells"][y][x] == region["id"]
        assert region["neighbors"] == sorted(set(region["neighbors"]))
        for other in region["neighbors"]:
            assert region["id"] in result["regions"][other - 1]["neighbors"]
    assert sum(region["size"] for region in result["regions"]) == sum(cell > 0 for cell in cells)


def test_right_requests(server, contract):
    """Requests that fit the schema: 200, or 422 if parameters contradict each other; never 400."""
    chance = random.Random(20)
    for generator in contract.generators:
        made = 0
        for _ in range(MAPS):
            body = right_body(contract, chance, generator)
            post = server.post(generator.path, body)
            get = server.get(generator.path + query(body))
            if "seed" in body or not generator.seeded:
                assert get.status == post.status, (body, post, get)
                assert get.body == post.body or post.status == 422, body
            for reply in (post, get):
                assert reply.status in (200, 422), (body, reply)
                if reply.status == 200:
                    made += 1
                    judge_map(contract, generator, body, reply)
        assert made > MAPS / 5, "too few are made to prove anything"


def test_wrong_requests(server, contract):
    """Some members spoiled, some unknown: 400 with a pointer to each of them and to no other."""
    chance = random.Random(21)
    for generator in contract.generators:
        for _ in range(ROUNDS):
            body = right_body(contract, chance, generator)
            spoiled = set(chance.sample(sorted(generator.own_fields()), chance.randint(1, 3)))
            for name in spoiled:
                body[name] = contract.wrong(chance, generator.fields[name])
            if chance.random() < 0.3:
                spoiled.add("unknown")
                body["unknown"] = chance.choice([None, 1, "x", [], {}])
            reply = server.post(generator.path, body)
            assert reply.status == 400, (body, reply)
            assert {pointer.split("/")[1] for pointer in reply.pointers()} == spoiled, (body, reply)


def test_mangled_requests(server, contract):
    """Right bodies and addresses with a few bytes changed: anything but 5xx, and nothing breaks. A # ends
    the connection, as what is malformed does."""
    chance = random.Random(22)
    characters = [code for code in range(33, 127) if code != ord("#")]
    for generator in contract.generators:
        with server.connect() as connection:
            for _ in range(ROUNDS):
                body = right_body(contract, chance, generator)
                text = bytearray(json.dumps(body).encode())
                address = bytearray((generator.path + query(body)).encode())
                for _ in range(chance.randint(1, 4)):
                    text[chance.randrange(len(text))] = chance.randrange(256)
                    address[chance.randrange(1, len(address))] = chance.choice(characters)
                assert connection.ask("POST", generator.path, bytes(text)).status < 500, text
                assert connection.ask("GET", address.decode()).status < 500, address


def test_the_server_is_alive(server):
    assert server.process.poll() is None
    assert server.get("/regions?seed=alive").status == 200
