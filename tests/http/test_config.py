"""Flags, environment and addresses to listen at."""
import os
import socket

import pytest

from client import Connection
from server import PATIENCE, Server, free_port, run


def test_help_and_version():
    for flag, words in (("--help", ("--port=8080", "--memory", "MAPWRIGHT_")), ("--version", ("mapwrightd ", "."))):
        result = run(flag)
        assert result.returncode == 0 and all(word in result.stdout for word in words)


def test_health():
    """With the settings of the service; the admin port is asked where there is one."""
    admin = free_port()
    with Server(f"--admin-port={admin}") as server:
        server.await_port(admin)
        with Connection(admin) as connection:
            for path, status in (("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/regions", 404)):
                assert connection.ask("GET", path).status == status
        assert server.get("/regions").status == 200
        result = run("--health", f"--port={server.port}")
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        assert run("--health", MAPWRIGHT_PORT=str(server.port)).returncode == 0
        assert run("--health", f"--port={free_port()}", f"--admin-port={admin}").returncode == 0
    result = run("--health", f"--port={server.port}")
    assert result.returncode == 1
    assert result.stderr == f"mapwrightd: no answer from 127.0.0.1 port {server.port}: Connection refused\n"


def test_all_mistakes_at_once():
    """With the names that were used, and suggestions for unknown ones."""
    result = run("--threads=0", "--wokers=2", "--trusted-proxies=localhost", "--keys-file=/nowhere",
                 MAPWRIGHT_PORT="many", MAPWRIGHT_CACHE_BYTE="1M")
    assert result.returncode == 2 and not result.stdout
    lines = result.stderr.splitlines()
    assert len(lines) == 6 and all(line.startswith("mapwrightd: ") for line in lines)
    for words in ("MAPWRIGHT_PORT: 'many' must be", "--threads: '0' must be",
                  "'--wokers=2': did you mean --workers?",
                  "--trusted-proxies: 'localhost' must be addresses or networks, as 10.0.0.0/8",
                  "--keys-file: '/nowhere' must be a file that can be read",
                  "MAPWRIGHT_CACHE_BYTE is no setting: did you mean --cache-bytes?"):
        assert words in result.stderr


@pytest.mark.parametrize("flags, code, said", [
    (["--memory=1M", "--workers=8"], 2, "--memory: must be at least 256K for each of --workers"),
    *(([f"--listen={where}"], 2, "must be unix:/path, of 107 characters at most")
      for where in ("/run/x.sock", "unix:x.sock", "unix:/" + "x" * 107))])
def test_contradictions(flags, code, said):
    result = run(*flags)
    assert result.returncode == code and said in result.stderr


# What Kubernetes sets for services called mapwright and mapwright-admin, and Docker for links.
LINKS = {"MAPWRIGHT_SERVICE_HOST": "10.96.7.7", "MAPWRIGHT_SERVICE_PORT_HTTP": "8080",
         "MAPWRIGHT_PORT": "tcp://10.96.7.7:8080", "MAPWRIGHT_PORT_8080_TCP_ADDR": "10.96.7.7",
         "MAPWRIGHT_NAME": "/game/mapwright", "MAPWRIGHT_ENV_PATH": "/bin",
         "MAPWRIGHT_ADMIN_PORT": "tcp://[fd00::7]:8081"}


def test_variables_of_kubernetes_are_reported_and_ignored():
    with Server(environment=LINKS) as server:
        told = server.said(server.errors).decode()
        for name in ("MAPWRIGHT_PORT", "MAPWRIGHT_ADMIN_PORT"):
            assert f"{name}: '{LINKS[name]}' is ignored: Kubernetes and Docker set that" in told
        assert all(name in told for name in LINKS)
        assert run("--health", f"--port={server.port}", **LINKS).returncode == 0


def test_port_in_use():
    """A second server on the same port would take half of the first one's clients."""
    with Server() as server:
        server.await_said(server.errors, f"serving on http://localhost:{server.port}/".encode())
        result = run(f"--port={server.port}")
        assert result.returncode == 1 and f"MAPWRIGHT_PORT={server.port + 1} make run" in result.stderr
        result = run(f"--port={free_port()}", f"--admin-port={server.port}")
        assert f"by --admin-port={server.port + 1} or MAPWRIGHT_ADMIN_PORT={server.port + 1}," in result.stderr
        assert server.get("/healthz").status == 200


# ---- where it listens ------------------------------------------------------------------------------

class OnHost(Server):
    """A server that may not listen on 127.0.0.1."""

    def await_port(self, port):
        self.await_said(self.errors, b"serving on http://")

    def reach(self, host):
        return Connection.over(socket.create_connection((host, self.port), PATIENCE))


@pytest.mark.parametrize("flags, hosts, others", [
    ([], ["127.0.0.1", "::1"], []), (["--host=0.0.0.0"], ["127.0.0.1"], ["::1"]),
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


class OnSocket(Server):
    """A server that listens at a path."""

    def __init__(self, path, *flags):
        self.path = str(path)
        super().__init__(f"--listen=unix:{path}", *flags)

    def await_port(self, port):
        self.await_said(self.errors, f"serving on unix:{self.path}".encode())

    def connect(self, timeout=PATIENCE):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(timeout)
        client.connect(self.path)
        return Connection.over(client)


def test_a_socket_with_a_path(tmp_path):
    """One that was abandoned is replaced; every thread serves it; proxies that connect to it are trusted; it is
    removed at the end."""
    path = tmp_path / "mapwright.sock"
    with socket.socket(socket.AF_UNIX) as abandoned:
        abandoned.bind(str(path))
    with OnSocket(path, "--threads=3") as server:
        for i in range(20):
            assert server.get(f"/regions?seed={i}", X_Forwarded_For="192.0.2.7").status == 200
        assert os.stat(path).st_mode & 0o777 == 0o666
        assert run("--health", f"--listen=unix:{path}").returncode == 0
        result = run(f"--listen=unix:{path}")
        assert result.returncode == 1 and f"--listen: {path}: Address already in use" in result.stderr
        assert server.get("/healthz").status == 200, "the other has left it alone"
    assert {line["client"] for line in server.log_lines() if line["path"] == "/regions"} == {"192.0.2.7"}
    assert not path.exists() and f"no answer from {path}" in run("--health", f"--listen=unix:{path}").stderr


def test_a_regular_file_is_not_replaced(tmp_path):
    path = tmp_path / "mapwright.sock"
    path.write_text("mine")
    result = run(f"--listen=unix:{path}")
    assert result.returncode == 1 and "Address already in use" in result.stderr and path.read_text() == "mine"
