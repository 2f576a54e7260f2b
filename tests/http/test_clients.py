"""Who asks: told from the address, or by a proxy that is trusted; limits and keys for each."""
import pytest

from server import Server


def clients(server):
    """Who asked, by request id, as the log says after the end."""
    server.stop()
    return {line["id"]: line["client"] for line in server.log_lines()}


FORWARDED = {
    "none": None, "one": "192.0.2.1", "spoofed": "203.0.113.9, 192.0.2.1",
    "hops": "192.0.2.1, 10.0.0.7", "fields": ["203.0.113.9", "192.0.2.1", "10.0.0.7"],
    "six": "2001:db8::7", "bad": "192.0.2.1, unknown, 10.0.0.7"}


@pytest.mark.parametrize("flags, expected", [
    ([], dict.fromkeys(FORWARDED, "127.0.0.1")),
    (["--trusted-proxies=10.0.0.0/8"], dict.fromkeys(FORWARDED, "127.0.0.1")),
    (["--trusted-proxies=127.0.0.1,10.0.0.0/8"],
     {"none": "127.0.0.1", "one": "192.0.2.1", "spoofed": "192.0.2.1", "hops": "192.0.2.1",
      "fields": "192.0.2.1", "six": "2001:db8::7", "bad": "10.0.0.7"})])
def test_forwarded_addresses_only_of_trusted_proxies(flags, expected):
    with Server(*flags) as server, server.connect() as connection:
        for name, value in FORWARDED.items():
            connection.ask("GET", "/regions?seed=1", None,
                           {"X-Forwarded-For": value, "X-Request-Id": name})
        found = clients(server)
        assert {name: found[name] for name in FORWARDED} == expected
