"""A service, and a go-between that says something else first, and counts what it is asked."""
import http.server
import json
import pathlib
import sys
import threading
import urllib.error
import urllib.request

import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))

from server import NO_HURRY, Server  # noqa: E402

WAIT = {"Retry-After": "1"}
BUSY = (503, {"Content-Type": "application/problem+json"} | WAIT, json.dumps({
    "type": "/problems/busy", "title": "The server is busy", "status": 503, "detail": "too many wait", "instance": "x"}))
MANY = (429, {"Content-Type": "application/problem+json"} | WAIT, json.dumps({
    "type": "/problems/too-many-requests", "title": "Too many", "status": 429, "detail": "wait", "instance": "x"}))
PAGE = "<!DOCTYPE html><title>Bad Gateway</title><h1>Bad Gateway</h1>"


def page(status):
    """What stands before a service says when that is not there, or somebody else who listens."""
    return status, {"Content-Type": "text/html; charset=utf-8"} | WAIT, PAGE


class Between(http.server.ThreadingHTTPServer):
    """Gives the answers in `first`, then hands requests on to the service and counts them."""
    daemon_threads = True

    def __init__(self, service):
        super().__init__(("127.0.0.1", 0), Handler)
        self.service, self.first, self.asked, self.refused = service, [], 0, 0
        self.base = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        if self.server.first and self.command != "OPTIONS":
            self.server.refused += 1
            status, headers, text = self.server.first.pop(0)
            return self.send(status, headers | {"Access-Control-Allow-Origin": "*"}, text.encode())
        self.server.asked += self.command != "OPTIONS"
        kept = {name: self.headers[name] for name in ("Content-Type", "Accept") if name in self.headers}
        request = urllib.request.Request(self.server.service + self.path, body, kept, method=self.command)
        try:
            with urllib.request.urlopen(request) as reply:
                return self.send(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            return self.send(error.code, error.headers, error.read())

    def send(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "date", "server", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_OPTIONS = answer

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def server():
    with Server(*NO_HURRY) as server:
        yield server


@pytest.fixture
def between(server):
    with Between(f"http://127.0.0.1:{server.port}") as between:
        threading.Thread(target=between.serve_forever, args=(0.05,), daemon=True).start()
        yield between
        between.shutdown()
