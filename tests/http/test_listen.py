"""Where it listens: both families of addresses by default, or a socket with a path."""
import os
import socket

import pytest

from client import Connection
from server import PATIENCE, Server, run

PATH = "mapwright.sock"


class OnSocket(Server):
    """A server that listens at a path in that folder."""

    def __init__(self, folder, *flags):
        self.path = str(folder / PATH)
        super().__init__(f"--listen=unix:{self.path}", *flags)

    def await_port(self, port):
        self.await_said(self.errors, f"serving on unix:{self.path}".encode())

    def connect(self, timeout=PATIENCE):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(timeout)
        client.connect(self.path)
        return Connection.over(client)


class OnHost(Server):
    """A server that may not listen on 127.0.0.1."""

    def await_port(self, port):
        self.await_said(self.errors, b"serving on http://")

    def reach(self, host):
        return Connection.over(socket.create_connection((host, self.port), PATIENCE))


@pytest.mark.parametrize("flags, hosts, others", [
    ([], ["127.0.0.1", "::1"], []),
    (["--host=*"], ["127.0.0.1", "::1"], []),
    (["--host=0.0.0.0"], ["127.0.0.1"], ["::1"]),
    (["--host=::1"], ["::1"], ["127.0.0.1"])])
def test_address_families(flags, hosts, others):
    with OnHost(*flags) as server:
        for host in hosts:
            with server.reach(host) as connection:
                assert connection.ask("GET", "/healthz", None, {"X-Request-Id": host}).status == 200
        for host in others:
            with pytest.raises(ConnectionRefusedError):
                server.reach(host)
        assert run("--health", f"--port={server.port}", *flags).returncode == 0
    clients = {line["id"]: line["client"] for line in server.log_lines()}
    assert [clients[host] for host in hosts] == hosts, "an address is logged in its own family"


def test_a_socket_with_a_path(tmp_path):
    """Every thread serves it; proxies that connect to it are trusted; it is removed at the end."""
    with OnSocket(tmp_path, "--threads=3") as server:
        for i in range(20):
            reply = server.get(f"/regions.svg?width=60&height=60&seed={i}", X_Forwarded_For="192.0.2.7")
            assert reply.status == 200 and reply.body.rstrip().endswith(b"</svg>")
        assert os.stat(server.path).st_mode & 0o777 == 0o666
        assert run("--health", f"--listen=unix:{server.path}").returncode == 0
    assert {line["client"] for line in server.log_lines() if line["path"] != "/healthz"} == {"192.0.2.7"}
    assert not os.path.exists(server.path)
    result = run("--health", f"--listen=unix:{server.path}")
    assert result.returncode == 1 and f"no answer from {server.path}" in result.stderr


def test_an_abandoned_socket_is_replaced(tmp_path):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / PATH))
    left.close()
    with OnSocket(tmp_path) as server:
        assert server.get("/healthz").status == 200
        result = run(f"--listen=unix:{server.path}")
        assert result.returncode == 1 and f"--listen: {server.path}: Address already in use" in result.stderr
        assert server.get("/healthz").status == 200, "the other has left it alone"


def test_a_regular_file_is_not_replaced(tmp_path):
    (tmp_path / PATH).write_text("mine")
    result = run(f"--listen=unix:{tmp_path / PATH}")
    assert result.returncode == 1 and "Address already in use" in result.stderr
    assert (tmp_path / PATH).read_text() == "mine"


@pytest.mark.parametrize("where", ["/run/x.sock", "unix:", "unix:x.sock", "tcp:8080", "unix:/" + "x" * 107])
def test_wrong_values_of_listen(where):
    result = run(f"--listen={where}")
    assert result.returncode == 2 and "must be unix:/path, of 107 characters at most" in result.stderr
