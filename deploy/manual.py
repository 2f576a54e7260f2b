#!/usr/bin/env python3
"""manual.py: the manual page of mapwrightd, whose settings are those that `--help` tells.

    deploy/manual.py build/release/mapwrightd > deploy/mapwrightd.8        (make manual)
"""
import re
import subprocess
import sys

BEFORE = r""".TH MAPWRIGHTD 8 "2026-11-22" "Mapwright" "System Manager's Manual"
.SH NAME
mapwrightd \- maps for games over HTTP
.SH SYNOPSIS
.B mapwrightd
.RI [ \-\-NAME = VALUE " ...]"
.SH DESCRIPTION
Answers GET, POST and QUERY at the address of each map, such as
.BR /regions?width=60&seed=hello ,
with the map: the same bytes for the same address, on every machine.
What may be asked is told at
.BR /openapi.yaml ;
a browser gets a page at
.BR / .
.PP
It keeps what was asked for lately in memory, writes a line for each request to standard output, and nothing
else anywhere.
.B /healthz
says whether it is alive,
.B /readyz
whether it takes requests, and
.B /metrics
what Prometheus asks for.
.SH OPTIONS
"""

AFTER = r""".SH ENVIRONMENT
Each of these may be given in the environment as well:
.B \-\-max\-body
as
.BR MAPWRIGHT_MAX_BODY .
What is given as an option counts.
Other names that begin so are ignored with a warning, and so is a port that is the address of a service
.RB ( MAPWRIGHT_PORT=tcp://10.96.7.7:8080 ,
as Kubernetes and Docker set it).
.SH SIGNALS
.TP
.BR SIGTERM ", " SIGINT
For
.B \-\-drain\-delay\-ms
.B /readyz
says 503 while all else goes on; then each connection has a last answer, and it ends: a second after
.B \-\-drain\-ms
at the latest, whatever its workers do.
A second signal ends the delay.
.TP
.B SIGHUP
The file of keys is read again. Where it cannot be, the keys stay as they were.
.SH EXIT STATUS
.TP
.B 0
It ended as it was told to; with
.BR \-\-health ,
the service is alive.
.TP
.B 1
It could not begin: a port that is taken, no memory. With
.BR \-\-health ,
the service is not alive.
.TP
.B 2
A mistake in the settings; each has a line on standard error.
.TP
.B 3
It ended as it was told to, but a thread did not end and was left.
.SH EXAMPLES
.EX
mapwrightd \-\-port=8081 \-\-memory=1G
MAPWRIGHT_PORT=8081 mapwrightd \-\-health
.EE
.SH SEE ALSO
.BR mapwright (1)
"""


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def option(line):
    name, value, text = re.fullmatch(r"  (--[a-z-]+)(?:=(\S*))? +(\S.*)", line).groups()
    head = f".B {escaped(name)}" if value is None else f".BI {escaped(name)}= VALUE"
    default = f"Default: {escaped(value)}.\n" if value else ""
    return f".TP\n{head}\n{escaped(text[0].upper() + text[1:])}.\n{default}"


def main():
    told = subprocess.run([sys.argv[1], "--help"], capture_output=True, check=True, text=True).stdout
    lines = re.sub(r"\n {4,}", " ", told).splitlines()  # long ones are broken, and indented further on
    print(BEFORE + "".join(option(line) for line in lines if line.startswith("  --")) + AFTER, end="")


if __name__ == "__main__":
    main()
