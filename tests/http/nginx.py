"""nginx in front of copies of the service, by the configuration in deploy/."""
import re
import subprocess
import tempfile
import time

from client import Connection
from server import PATIENCE, ROOT, free_port

AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr error;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


def site(port, copies):
    """deploy/nginx.conf with the ports of the test."""
    with open(f"{ROOT}/deploy/nginx.conf") as file:
        text = file.read()
    text, servers = re.subn(
        r"server 127\.0\.0\.1:8080 (.*);",
        lambda match: "\n".join(f"server 127.0.0.1:{copy} {match[1]};" for copy in copies), text)
    text, listens = re.subn("listen 80;", f"listen 127.0.0.1:{port};", text)
    assert servers == listens == 1
    return text


class Nginx:
    """`with Nginx([port, port]) as nginx: nginx.connect()`"""

    def __init__(self, copies):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory()
        path = f"{self.folder.name}/nginx.conf"
        with open(path, "w") as file:
            file.write(AROUND.format(folder=self.folder.name, site=site(self.port, copies)))
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-p", self.folder.name, "-c", path],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def connect(self):
        return Connection(self.port, PATIENCE)

    def __enter__(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.connect().close()
                return self
            except OSError:
                time.sleep(0.01)
        raise AssertionError("nginx does not listen")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.folder.cleanup()
