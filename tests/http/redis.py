"""A Redis of our own, and a way to it that can be slow, silent or lying."""
import socket
import subprocess
import tempfile
import threading
import time

from server import PATIENCE, Server, free_port


class Redis(Server):
    """`with Redis("--maxmemory", "2mb") as redis:`; nothing of it is kept on disk."""

    def __init__(self, *flags, port=None, password=None, tls=None):
        """`tls`: a certificate of the server, as of `certify`."""
        self.port = port or free_port()
        self.password = password
        if tls:
            flags = ["--tls-port", str(self.port), "--tls-cert-file", f"{tls}.crt", "--tls-key-file", f"{tls}.key",
                     "--tls-auth-clients", "no", *flags]
        self.log, self.errors = (tempfile.TemporaryFile("a+b") for _ in range(2))
        more = ["--requirepass", password] if password else []
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0" if tls else str(self.port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no",
             *more, *flags], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.errors)
        self.await_port(self.port)

    def said_to(self, *words, database=0):
        """What redis-cli prints."""
        secret = ["-a", self.password, "--no-auth-warning"] if self.password else []
        return subprocess.run(["redis-cli", "-p", str(self.port), "-n", str(database), *secret, *words],
                              capture_output=True, check=True, timeout=PATIENCE).stdout

    def keys(self, kind="*", database=0):
        return self.said_to("--raw", "keys", f"mapwright:{kind}:*", database=database).decode().split()

    def dump(self, name):
        return self.said_to("--raw", "get", name)[:-1]

    def restore(self, name, value):
        subprocess.run(["redis-cli", "-p", str(self.port), "-x", "set", name], input=value, capture_output=True,
                       check=True, timeout=PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()


def certify(folder, name, host, ca=None):
    """`name`.crt and `name`.key for that host or address, signed by the CA of that name, or a CA of its own."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{folder}/{name}.key"]
    kind = "IP" if host[0].isdigit() else "DNS"
    by = ["-CA", f"{folder}/{ca}.crt", "-CAkey", f"{folder}/{ca}.key", "-addext", f"subjectAltName={kind}:{host}",
          "-addext", "basicConstraints=critical,CA:FALSE"]
    subprocess.run(["openssl", "req", "-x509", *key, "-subj", f"/CN={host}", "-days", "2", "-out",
                    f"{folder}/{name}.crt", *(by if ca else [])], check=True, capture_output=True, timeout=PATIENCE)
    return f"{folder}/{name}"


class Way:
    """A port that leads to another. `change` is what becomes of each piece that comes back: bytes, or
    None, where the piece is held for good."""

    def __init__(self, to):
        self.to, self.change, self.held = to, lambda piece: piece, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for one in self.sockets:
            one.close()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                return
            self.sockets += [near, far]
            threading.Thread(target=self.pass_on, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(far, near, True), daemon=True).start()

    def pass_on(self, source, target, back):
        try:
            while piece := source.recv(1 << 16):
                changed = self.change(piece) if back else piece
                if changed is None:
                    self.held += 1
                else:
                    target.sendall(changed)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def silent(piece):
    return None


def slow(piece):
    time.sleep(0.2)
    return piece


def garbled(chance, nonsense=0.02):
    """Bytes that differ here and there, behind the head of an answer; or that no Redis ever says."""

    def change(piece):
        if chance.random() < nonsense:
            return chance.choice([b"+OK\r\n" * 9, b"*2147483647\r\n", b"$99999999999\r\n", b"\r\n\r\n", b"?",
                                  chance.randbytes(300), b"$-1\r\n" * 5, b":7\r\n" + piece])
        piece = bytearray(piece)
        for _ in range(chance.randrange(4)):
            piece[chance.randrange(len(piece))] ^= 1 << chance.randrange(8)
        return bytes(piece)

    return change
