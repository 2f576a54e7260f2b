"""A server of our own: started on a free port, stopped by SIGTERM, its last words read."""
import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time

from client import PATIENCE, Connection

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.abspath(os.environ.get("MAPWRIGHTD") or f"{ROOT}/build/release/mapwrightd")
NO_HURRY = ["--deadline-ms=3000000", "--wait-ms=3000000"]

SANITIZER = re.compile(rb"(Address|Thread|Leak|Memory|UndefinedBehavior)Sanitizer|runtime error:")


def free_port():
    """Below those that the kernel gives to clients, so that nobody takes it before the server."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.randrange(10000, 32000)))
                return probe.getsockname()[1]
            except OSError:
                continue


def until(condition, what="it never comes"):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(0.02)


def run(*words, **environment):
    """A run of the server's program that ends by itself."""
    return subprocess.run([BINARY, *words], capture_output=True, timeout=PATIENCE, text=True,
                          check=False, env=os.environ | environment)


class Server:
    """`Server("--workers=1")`; as a context it is stopped at the end and its exit judged. Options
    are those of subprocess."""

    def __init__(self, *flags, environment=None, port=None, **options):
        self.port = port or free_port()
        self.log, self.errors = (tempfile.TemporaryFile("a+b") for _ in range(2))
        options = {"stdout": self.log, "stderr": self.errors} | options
        self.process = subprocess.Popen(
            [BINARY, f"--port={self.port}", *flags], stdin=subprocess.DEVNULL,
            env=os.environ | (environment or {}), **options)
        self.await_port(self.port)

    def await_port(self, port):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, f"it ended at once: {self.said(self.errors)!r}"
            try:
                return Connection(port).close()
            except OSError:
                time.sleep(0.01)
        raise AssertionError("it does not listen")

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure:
            self.process.kill()
        self.stop()

    def connect(self, timeout=PATIENCE):
        return Connection(self.port, timeout)

    def ask(self, method, target, body=None, headers=None):
        with self.connect() as connection:
            return connection.ask(method, target, body, headers)

    def get(self, target, **headers):
        return self.ask("GET", target, None, {k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, target, body=None, **headers):
        return self.ask("POST", target, body, {k.replace("_", "-"): v for k, v in headers.items()})

    def metric(self, name, absent=None):
        """The value of a metric, summed over all labels but those that are named."""
        total, found = 0.0, False
        name, _, labels = name.rstrip("}").partition("{")
        labels = set(labels.split(",")) if labels else set()
        for line in self.get("/metrics").body.decode().splitlines():
            match = re.fullmatch(r"([a-z0-9_]+)(\{.*\})? (\S+)", line)
            if match and name == match[1]:
                named = labels <= set((match[2] or "")[1:-1].split(","))
                total, found = total + named * float(match[3]), True
        assert found or absent is not None, f"no metric {name}"
        return total if found else absent

    def await_metric(self, name, least):
        # what is counted by labels is not there before the first of them has ended
        until(lambda: self.metric(name, absent=0) >= least, f"{name} stays below {least}")

    def await_count(self, name, count):
        """For what is counted once an answer was taken, which its client may be the first to know."""
        self.await_metric(name, count)
        assert self.metric(name) == count

    def said(self, stream):
        stream.seek(0)
        return stream.read()

    def await_said(self, stream, text):
        until(lambda: text in self.said(stream), lambda: f"{text} is not said, but {self.said(stream)}")

    def log_lines(self, event="request"):
        lines = [json.loads(line) for line in self.said(self.log).decode().splitlines()]
        return [line for line in lines if line["event"] == event]

    def hold_up(self, seconds):
        """It gets no time, as on a machine that sleeps."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Asks it to end, as an orchestrator does; it must, with 0 and without complaint."""
        if self.process.poll() is None:
            self.terminate()
        return self.ended()

    def ended(self, due=0):
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("it does not end on SIGTERM") from None
        last_words = self.said(self.errors)
        assert not SANITIZER.search(last_words), last_words.decode(errors="replace")
        if code != -signal.SIGKILL:
            assert code == due, f"exit code {code}: {last_words[-2000:]!r}"
        return code
