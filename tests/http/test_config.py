"""Flags and environment; the log."""
import socket
import threading

from client import Connection, request
from server import Server, free_port, run


def test_help_and_version():
    for flag, words in (("--help", ("--port=8080", "--memory", "MAPWRIGHT_")), ("--version", ("mapwrightd ", "."))):
        result = run(flag)
        assert result.returncode == 0 and all(word in result.stdout for word in words)


def test_health():
    """With the settings of the service."""
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


def test_health_of_another_program():
    for said in (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", b"SSH-2.0-x\r\n"):
        with socket.create_server(("127.0.0.1", 0)) as other:
            thread = threading.Thread(target=answer_once, args=(other, said))
            thread.start()
            result = run("--health", f"--port={other.getsockname()[1]}")
            thread.join()
        first = said.decode().split("\r")[0]
        assert result.returncode == 1 and f"is not alive: it says '{first}'" in result.stderr


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


def test_contradictions():
    result = run("--memory=1M", "--workers=8")
    assert result.returncode == 2 and "--memory: must be at least 256K for each of --workers" in result.stderr
    port = free_port()
    result = run(f"--port={port}", f"--admin-port={port}")
    assert result.returncode == 1 and f"port {port}: Address already in use" in result.stderr


# What Kubernetes sets for services called mapwright and mapwright-admin, and Docker for links.
LINKS = {"MAPWRIGHT_SERVICE_HOST": "10.96.7.7", "MAPWRIGHT_SERVICE_PORT": "8080", "MAPWRIGHT_SERVICE_PORT_HTTP": "8080",
         "MAPWRIGHT_PORT": "tcp://10.96.7.7:8080", "MAPWRIGHT_PORT_8080_TCP": "tcp://10.96.7.7:8080",
         "MAPWRIGHT_PORT_8080_TCP_PROTO": "tcp", "MAPWRIGHT_PORT_8080_TCP_PORT": "8080",
         "MAPWRIGHT_PORT_8080_TCP_ADDR": "10.96.7.7", "MAPWRIGHT_NAME": "/game/mapwright",
         "MAPWRIGHT_ENV_PATH": "/bin", "MAPWRIGHT_ADMIN_PORT": "tcp://[fd00::7]:8081"}


def test_variables_of_kubernetes_are_reported_and_ignored():
    with Server(environment=LINKS) as server:
        assert server.get("/healthz").status == 200
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
        assert result.returncode not in (0, 2)
        assert f"MAPWRIGHT_PORT={server.port + 1} make run" in result.stderr
        result = run(f"--port={free_port()}", f"--admin-port={server.port}")
        assert f"by --admin-port={server.port + 1} or MAPWRIGHT_ADMIN_PORT={server.port + 1}," in result.stderr
        assert server.get("/healthz").status == 200


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
        for listening in (server.port, free_port()):  # --health asks the admin port
            assert run("--health", f"--port={listening}", f"--admin-port={port}").returncode == 0


def test_log_off():
    with Server("--log=off") as server:
        server.get("/regions", X_Request_Id="not-to-be-seen")
        server.stop()
        assert b"not-to-be-seen" not in server.said(server.log)
