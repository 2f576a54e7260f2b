"""Two copies behind nginx, started anew one after the other under load: nothing is lost."""
import os
import threading
import time

from nginx import Nginx
from server import PATIENCE, Server, free_port

REQUESTS = int(os.environ.get("ROLLING_REQUESTS", 2000))
CLIENTS = 8


class Copy:
    """A copy of the service that always has the same port."""

    def __init__(self):
        self.port = free_port()
        self.start()

    def start(self):
        self.server = Server("--drain-delay-ms=200", "--trusted-proxies=127.0.0.1", "--log=off",
                             "--queue=2000", "--wait-ms=60000", "--deadline-ms=60000",
                             port=self.port)

    def restart(self):
        assert self.server.stop() == 0
        self.start()


class Load:
    """Clients that ask by GET and POST, for maps kept and new, until all is asked and `enough`."""

    def __init__(self, nginx):
        self.nginx, self.enough = nginx, threading.Event()
        self.answered, self.lost = [0] * CLIENTS, []
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def ask(self, connection, client, i):
        if i % 4 == 0:
            return connection.ask("POST", "/regions", {"seed": f"{client} {i}"})
        if i % 4 == 1:
            return connection.ask("GET", f"/areas?seed={client}-{i}")
        return connection.ask("GET", f"/regions?seed={i % 16}")

    def run(self, client):
        connection, i = self.nginx.connect(), 0
        while i * CLIENTS < REQUESTS or not self.enough.is_set():
            i += 1
            try:
                reply = self.ask(connection, client, i)
                good, close = reply.status == 200, "close" in reply.tokens("Connection")
            except Exception as error:  # a page of nginx's own, a connection that is gone
                reply, good, close = error, False, True
            self.answered[client] += good
            if not good:
                self.lost.append(reply)
            if close:
                connection.close()
                connection = self.nginx.connect()
        connection.close()

    def finish(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(PATIENCE)


def test_a_rolling_restart_loses_nothing():
    copies = [Copy(), Copy()]
    with Nginx([copy.port for copy in copies]) as nginx:
        load = Load(nginx)
        rounds, end = 0, time.monotonic() + PATIENCE
        while rounds < 1 or sum(load.answered) < REQUESTS:
            for copy in copies:
                copy.restart()
                time.sleep(0.2)
            rounds += 1
            assert time.monotonic() < end
        load.finish()
    for copy in copies:
        copy.server.stop()
    print(f"{sum(load.answered)} answered, {len(load.lost)} lost, {rounds} rounds")
    assert not load.lost, load.lost[:5]
    assert sum(load.answered) >= REQUESTS
