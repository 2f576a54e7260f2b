"""nginx in front of copies of the service, by the configuration in deploy/."""
import re
import subprocess
import tempfile

from server import ROOT, Server, free_port

AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error error;
events {{ worker_connections 4096; }}
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


def with_tls(text, port, folder):
    """With the lines that the file has for it, and a certificate of nobody's."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
                   check=True, capture_output=True)
    for there, here in ((r"# listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
                        (r"# (ssl_certificate) .*;", rf"\1 {folder}/certificate.pem;"),
                        (r"# (ssl_certificate_key) .*;", rf"\1 {folder}/key.pem;")):
        text, found = re.subn(there, here, text)
        assert found == 1, there
    return text


def site(port, copies, folder, rate):
    """deploy/nginx.conf with the ports and the folder of the test."""
    with open(f"{ROOT}/deploy/nginx.conf") as file:
        text = file.read()
    for there, here in ((r"server 127\.0\.0\.1:8080 (.*);",
                         lambda match: "\n".join(f"server 127.0.0.1:{copy} {match[1]};" for copy in copies)),
                        (r"\n    listen 80;", f"\n    listen 127.0.0.1:{port};"),
                        ("/var/cache/nginx/mapwright", f"{folder}/cache"),
                        ("rate=100r/s", f"rate={rate}r/s")):
        text, found = re.subn(there, here, text)
        assert found == 1, there
    return text


class Nginx(Server):
    """`with Nginx([port, port]) as nginx: nginx.get("/regions")`: a server as others. Clients of a
    test are one client to it, which may ask for as much as it likes, unless `rate` is given."""

    def __init__(self, copies, rate=100000, tls=False):
        self.folder = tempfile.TemporaryDirectory()
        self.port, self.tls_port, folder = free_port(), free_port(), self.folder.name
        self.certificate = f"{folder}/certificate.pem"
        text = site(self.port, copies, folder, rate)
        if tls:
            text = with_tls(text, self.tls_port, folder)
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(AROUND.format(folder=folder, site=text))
        self.log, self.errors = (tempfile.TemporaryFile("a+b") for _ in range(2))
        self.process = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", folder, "-e", f"{folder}/error", "-c", f"{folder}/nginx.conf"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.errors)
        self.await_port(self.port)
