"""A small HTTP/1.1 client on raw sockets: every byte sent is the test's, every byte got is judged.

Each answer passes `judge`, which holds what is promised of all answers whatever was asked, so that
no test need say it again.
"""
import json
import re
import socket

PATIENCE = 180  # seconds after which a wait is a hang

JSON = {"Content-Type": "application/json"}
TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"

# Every problem type, and an answer of each (method, path, status, media type) that any test has met, for
# tests at the end: each type has its page, and each answer is as the OpenAPI document says.
problem_types = set()
met = {}


class Reply:
    def __init__(self, version, status, headers, body, interim=()):
        self.version, self.status = version, status
        self.headers, self.body = headers, body
        self.interim = list(interim)  # statuses of the 1xx answers before it

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        """The value of a header that may stand once, or None."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} stands {len(values)} times"
        return values[0] if values else None

    def tokens(self, name):
        """The members of a list header, in lower case."""
        return {token.strip().lower() for value in self.all(name) for token in value.split(",")}

    @property
    def media(self):
        return (self.header("Content-Type") or "").split(";")[0].strip()

    def json(self):
        return json.loads(self.body)

    def pointers(self):
        return sorted(error["pointer"] for error in self.json().get("errors", []))

    def problem(self, status, slug, *pointers):
        """Asserts that it is this problem, at these parameters; its details, those of the parameters last."""
        assert self.status == status, self
        told = self.json()
        assert (told["type"], self.pointers()) == (f"/problems/{slug}", sorted(pointers)), self
        return " ".join([told["detail"], *(error["detail"] for error in told.get("errors", []))])

    def __repr__(self):
        return f"<{self.status} {self.media} {self.body[:300]!r}>"


class Gone(Exception):
    """The server closed the connection before a whole answer."""


class Connection:
    """One connection. `ask` for the usual; `send` and `reply` where bytes matter."""

    def __init__(self, port, timeout=PATIENCE):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    @classmethod
    def over(cls, connected):
        """One that speaks through a socket which is there, as of TLS."""
        connection = cls.__new__(cls)
        connection.socket, connection.buffer = connected, b""
        return connection

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError as error:
            raise Gone("connection reset") from error
        if not data:
            raise Gone(f"connection closed after {self.buffer[:300]!r}")
        self.buffer += data

    def _until(self, mark):
        while mark not in self.buffer:
            self.more()
        taken, self.buffer = self.buffer.split(mark, 1)
        return taken

    def _exactly(self, length):
        parts, have = [self.buffer], len(self.buffer)
        while have < length:
            self.buffer = b""
            self.more()
            parts.append(self.buffer)
            have += len(self.buffer)
        data = b"".join(parts)
        self.buffer = data[length:]
        return data[:length]

    def _chunks(self):
        body = b""
        while size := int(self._until(b"\r\n").split(b";")[0], 16):
            body += self._exactly(size)
            assert self._until(b"\r\n") == b""
        while self._until(b"\r\n"):
            pass
        return body

    def _head(self):
        lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        match = re.fullmatch(r"(HTTP/1\.[01]) (\d{3}) .*", lines[0])
        assert match, f"bad status line {lines[0]!r}"
        headers = []
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            assert colon and re.fullmatch(TOKEN, name), f"bad header {line!r}"
            headers.append((name, value.strip()))
        return match[1], int(match[2]), headers

    def reply(self, method="GET"):
        """The next final answer; 1xx before it are kept in `interim`."""
        interim = []
        while True:
            version, status, headers = self._head()
            if status >= 200:
                break
            interim.append(status)
        reply = Reply(version, status, headers, b"", interim)
        if method == "HEAD" or status in (204, 304):
            pass
        elif "chunked" in reply.tokens("Transfer-Encoding"):
            reply.body = self._chunks()
        else:
            assert reply.header("Content-Length") is not None, "an answer without a length"
            reply.body = self._exactly(int(reply.header("Content-Length")))
        judge(method, reply)
        return reply

    def ask(self, method, target, body=None, headers=None):
        self.send(request(method, target, body, headers))
        reply = self.reply(method)
        kind = (method, target.split("?")[0], reply.status, reply.media)
        coded, known = reply.header("Content-Encoding"), met.get(kind)
        if not coded and (not known or len(reply.body) < len(known.body)):  # large ones take minutes to judge
            met[kind] = reply
        return reply

    def at_end(self):
        """Waits until the server closes; whatever came before that."""
        try:
            while True:
                self.more()
        except Gone:
            taken, self.buffer = self.buffer, b""
            return taken


def request(method, target, body=None, headers=None):
    """The bytes of a request. A dict as body is sent as JSON."""
    lines = {"Host": "localhost"}
    if isinstance(body, dict):
        body = json.dumps(body)
        lines |= JSON
    if isinstance(body, str):
        body = body.encode()
    if body is not None:
        lines["Content-Length"] = str(len(body))
    lines |= headers or {}
    text = f"{method} {target} HTTP/1.1\r\n"
    for name, value in lines.items():
        for one in value if isinstance(value, list) else [value]:
            text += f"{name}: {one}\r\n" if one is not None else ""
    return (text + "\r\n").encode("latin-1") + (body or b"")


# ---- what holds for every answer ---------------------------------------------------------------

LINES = re.compile("^text/|json|xml|yaml|javascript")  # media that end with a newline


def judge(method, reply):
    assert reply.header("X-Request-Id"), f"no X-Request-Id: {reply} {reply.headers}"
    assert reply.header("Access-Control-Allow-Origin") == "*", "a browser game may not read it"
    assert reply.header("Cross-Origin-Resource-Policy") == "cross-origin", "a page with COEP may not show it"
    assert reply.header("X-Content-Type-Options") == "nosniff", "a browser may guess what it is"
    if reply.body and LINES.search(reply.media) and not reply.header("Content-Encoding"):
        assert reply.body.endswith(b"\n"), f"no newline at the end: {reply}"
    assert reply.media != "text/html" or reply.status == 200, f"an error in HTML: {reply}"
    assert reply.media != "text/html" or reply.header("Referrer-Policy") == "no-referrer", "it tells its address"
    if reply.status == 304:
        assert reply.header("ETag"), "304 without ETag"
    elif reply.status >= 400:
        judge_problem(method, reply)


def judge_problem(method, reply):
    assert reply.media == "application/problem+json", reply
    if reply.status == 405:
        assert reply.tokens("Allow"), "405 without Allow"
    if reply.status == 503:
        assert int(reply.header("Retry-After")) > 0
    if method == "HEAD":
        return
    problem = reply.json()
    names = list(problem)
    if problem["detail"] == "out of memory" and reply.status == 503:
        return  # there was none for more
    public = "public" in reply.tokens("Cache-Control")  # and given to other requests by caches
    members = ["type", "title", "status", "detail"] + ([] if public else ["instance"])
    assert names == members + (["errors"] if "errors" in problem else []), names
    assert re.fullmatch(r"/problems/[a-z0-9-]+", problem["type"]), problem
    assert problem["title"] and problem["detail"], problem
    assert problem["status"] == reply.status, problem
    assert public or problem["instance"] == reply.header("X-Request-Id"), problem
    for error in problem.get("errors", []):
        assert list(error) == ["pointer", "detail"], error
        assert re.fullmatch(r"(/([^~/]|~[01])*)*", error["pointer"]), error
        assert error["detail"], error
    if "errors" in problem:
        assert problem["errors"], "an empty list of errors"
    problem_types.add(problem["type"])
