"""Flags and environment; the log."""
import json
import os
import socket
import subprocess
import threading

import pytest

from client import Connection, request
from server import BINARY, PATIENCE, Server, free_port


def run(*words, **environment):
    return subprocess.run([BINARY, *words], capture_output=True, timeout=PATIENCE, text=True,
                          check=False, env=os.environ | environment)


def test_help_lists_the_flags():
    result = run("--help")
    assert result.returncode == 0
    for flag in ("--port", "--host", "--threads", "--workers", "--queue", "--cache-bytes",
                 "--max-body", "--deadline-ms", "--memory"):
        assert flag in result.stdout
    assert "MAPWRIGHT_" in result.stdout


def test_version():
    result = run("--version")
    assert result.returncode == 0 and any(c.isdigit() for c in result.stdout)


def test_health():
    """By the settings that the service has, without a program beside it."""
    with Server() as server:
        result = run("--health", f"--port={server.port}")
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        assert run("--health", MAPWRIGHT_PORT=str(server.port)).returncode == 0
    result = run("--health", f"--port={server.port}")
    assert result.returncode == 1
    assert result.stderr == f"mapwrightd: no answer from 127.0.0.1 port {server.port}: Connection refused\n"


def answer_once(listener, said):
    with listener.accept()[0] as asker:
        asker.recv(4096)
        asker.sendall(said)


def test_health_of_what_is_something_else():
    for said in (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", b"SSH-2.0-x\r\n"):
        with socket.create_server(("127.0.0.1", 0)) as other:
            thread = threading.Thread(target=answer_once, args=(other, said))
            thread.start()
            result = run("--health", f"--port={other.getsockname()[1]}")
            thread.join()
        first = said.decode().split("\r")[0]
        assert result.returncode == 1 and f"is not alive: it says '{first}'" in result.stderr


def test_health_at_the_port_of_the_operator():
    admin = free_port()
    with Server(f"--admin-port={admin}") as server:
        server.await_port(admin)
        assert run("--health", f"--port={server.port}", f"--admin-port={admin}").returncode == 0
        assert run("--health", f"--port={free_port()}", f"--admin-port={admin}").returncode == 0


@pytest.mark.parametrize("flags", [
    ["--prot=80"], ["--port"], ["--port="], ["--port=abc"], ["--port=70000"], ["--port=-1"],
    ["--workers=1x"], ["--max-body=lots"], ["--queue=99999999999999999999"], ["extra"], ["-x"]])
def test_wrong_flags(flags):
    result = run(*flags)
    assert result.returncode == 2
    assert result.stderr.strip() and not result.stdout


def test_wrong_environment():
    result = run(MAPWRIGHT_PORT="many")
    assert result.returncode == 2
    assert "MAPWRIGHT_PORT: 'many' must be an integer from 1 to 65535\n" in result.stderr


def test_all_mistakes_at_once():
    """By the names that were used; those that are not known, with the one that was meant."""
    result = run("--threads=0", "--wokers=2", "--trusted-proxies=localhost", "--keys-file=/nowhere",
                 MAPWRIGHT_PORT="many", MAPWRIGHT_CACHE_BYTE="1M")
    assert result.returncode == 2 and not result.stdout
    lines = result.stderr.splitlines()
    assert len(lines) == 6 and all(line.startswith("mapwrightd: ") for line in lines)
    for words in ("MAPWRIGHT_PORT: 'many' must be", "--threads: '0' must be",
                  "'--wokers=2': did you mean --workers?",
                  "--trusted-proxies: 'localhost' must be addresses or networks, as 10.0.0.0/8",
                  "--keys-file: '/nowhere' must be a file that can be read",
                  "MAPWRIGHT_CACHE_BYTE is no setting: did you mean MAPWRIGHT_CACHE_BYTES?"):
        assert words in result.stderr


def test_contradictions():
    result = run("--memory=1M", "--workers=8")
    assert result.returncode == 2 and "--memory: must be at least 256K for each of --workers" in result.stderr
    port = free_port()
    result = run(f"--port={port}", f"--admin-port={port}")
    assert result.returncode == 1 and f"port {port}: Address already in use" in result.stderr


def test_unknown_variables_are_told_and_do_no_harm():
    with Server(environment={"MAPWRIGHT_SERVICE_HOST": "10.0.0.1"}) as server:
        assert server.get("/healthz").status == 200
        assert b"MAPWRIGHT_SERVICE_HOST is no setting" in server.said(server.errors)


# What Kubernetes sets for services called mapwright and mapwright-admin, and Docker for links.
LINKS = {"MAPWRIGHT_SERVICE_HOST": "10.96.7.7", "MAPWRIGHT_SERVICE_PORT": "8080", "MAPWRIGHT_SERVICE_PORT_HTTP": "8080",
         "MAPWRIGHT_PORT": "tcp://10.96.7.7:8080", "MAPWRIGHT_PORT_8080_TCP": "tcp://10.96.7.7:8080",
         "MAPWRIGHT_PORT_8080_TCP_PROTO": "tcp", "MAPWRIGHT_PORT_8080_TCP_PORT": "8080",
         "MAPWRIGHT_PORT_8080_TCP_ADDR": "10.96.7.7", "MAPWRIGHT_NAME": "/game/mapwright",
         "MAPWRIGHT_ENV_PATH": "/bin", "MAPWRIGHT_ADMIN_PORT": "tcp://[fd00::7]:8081"}


def test_variables_of_links_are_told_and_do_no_harm():
    with Server(environment=LINKS) as server:
        assert server.get("/healthz").status == 200
        told = server.said(server.errors).decode()
        for name in ("MAPWRIGHT_PORT", "MAPWRIGHT_ADMIN_PORT"):
            assert f"{name}: '{LINKS[name]}' is ignored: Kubernetes and Docker set that" in told
        assert all(name in told for name in LINKS)
        assert run("--health", f"--port={server.port}", **LINKS).returncode == 0


@pytest.mark.parametrize("value", ["http://host:80", "tcp:/host:80", "host:80"])
def test_other_addresses_are_no_port(value):
    result = run(MAPWRIGHT_PORT=value)
    assert result.returncode == 2 and f"MAPWRIGHT_PORT: '{value}' must be an integer" in result.stderr


def test_the_address_of_a_service_is_no_other_setting():
    for word in ("--port=tcp://10.96.7.7:8080", "--threads=1"):
        result = run(word, MAPWRIGHT_THREADS="tcp://10.96.7.7:8080")
        assert result.returncode == 2 and "must be an integer" in result.stderr


def test_environment_is_read_and_flags_win():
    with Server(environment={"MAPWRIGHT_MAX_BODY": "1K", "MAPWRIGHT_PORT": "1"}) as server:
        assert server.post("/regions", "{" + " " * 2000 + "}").status == 413


def test_port_in_use():
    """A second server on the same port would take half of the first one's clients."""
    with Server() as server:
        server.await_said(server.errors, f"serving on http://localhost:{server.port}/".encode())
        result = run(f"--port={server.port}")
        assert result.returncode not in (0, 2)
        assert f"MAPWRIGHT_PORT={server.port + 1} make run" in result.stderr
        result = run(f"--port={free_port()}", f"--admin-port={server.port}")
        assert f"by --admin-port={server.port + 1} or MAPWRIGHT_ADMIN_PORT={server.port + 1}," in result.stderr
        assert server.get("/healthz").status == 200


def test_out_of_the_box():
    with Server() as server:
        assert server.get("/regions").status == 200


def test_admin_port():
    port = free_port()
    with Server(f"--admin-port={port}") as server:
        server.await_port(port)
        with Connection(port) as connection:
            for path, status in (("/healthz", 200), ("/readyz", 200), ("/metrics", 200),
                                 ("/regions", 404)):
                connection.send(request("GET", path))
                assert connection.reply().status == status
        assert server.get("/regions").status == 200


HOSTILE = [
    ("GET", '/no"where\\', "a\"b\\c"), ("GET", "/regions?seed=%22%0a%00", "tab\there"),
    ("GET", "/\u00e9\u00ff", "\u00ff\u00fe"), ("GET", "/x?" + "y" * 5000, "z" * 3000),
    ("POST", "/regions", "{}"), ("FOO", "/regions", "</script>")]


def test_log_has_a_line_for_each_request():
    with Server() as server:
        for i in range(20):
            server.get(f"/regions?seed={i % 3}", X_Request_Id=f"line-{i}")
        for path in ("/healthz", "/nowhere", "/regions?width=0"):
            server.get(path, X_Request_Id="line" + path[:5].replace("/", "-"))
        server.stop()
        lines = {line["id"]: line for line in server.log_lines() if "id" in line}
        assert {f"line-{i}" for i in range(20)} <= lines.keys()
        assert lines["line-nowh"]["status"] == 404
        assert lines["line-3"]["method"] == "GET" and lines["line-3"]["path"].startswith("/regions")


def test_log_is_json_whatever_comes():
    with Server() as server:
        for method, target, identity in HOSTILE:
            try:
                server.ask(method, target, b"{}" if method == "POST" else None,
                           {"X-Request-Id": identity})
            except Exception:  # what is answered to these, others judge
                pass
        server.get("/healthz", X_Request_Id="the-last")
        server.stop()
        lines = server.said(server.log).decode("utf-8").splitlines()
        assert all(isinstance(json.loads(line), dict) for line in lines)
        assert any("the-last" in line for line in lines)


def test_log_has_refusals_too():
    """Also of what never was a request."""
    with Server() as server:
        assert server.get("/" + "x" * 20000).status == 414
        with server.connect() as connection:
            connection.send(b"\x16\x03\x01\r\n\r\n")
            assert connection.reply().status == 400
        for status in (400, 414):
            server.await_count(f'mapwright_requests_total{{route="other",status="{status}"}}', 1)
        server.stop()
        statuses = [line["status"] for line in server.log_lines()]
        assert statuses.count(414) == statuses.count(400) == 1


def test_log_off():
    with Server("--log=off") as server:
        server.get("/regions", X_Request_Id="not-to-be-seen")
        server.stop()
        assert b"not-to-be-seen" not in server.said(server.log)
