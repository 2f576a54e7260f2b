#!/usr/bin/env python3
"""What a program is made of, as CycloneDX 1.5: itself, and each library that it is linked with, by the
Debian package that it came in here. For what scans images for known faults.

    deploy/sbom.py build/release/mapwrightd > mapwright.cdx.json        (make sbom)
"""
import json
import os
import re
import subprocess
import sys


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def libraries(program):
    """The files of all libraries, those of libraries too."""
    return sorted(set(re.findall(r"=> (/\S+)|^\s+(/\S+)", said("ldd", program), re.M)))


def package_of(file):
    """As dpkg knows it; /lib may be a link to /usr/lib. None: it came by no package."""
    for name in (file, os.path.realpath(file), re.sub("^/usr", "", os.path.realpath(file))):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(": ")[0].split(",")[0]
    return None


def component(package):
    name, version, architecture, source = said(
        "dpkg-query", "-W", "-f", "${Package}\n${Version}\n${Architecture}\n${source:Package}", package).split("\n")
    return {"type": "library", "name": name, "version": version,
            "purl": f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}",
            "bom-ref": name, "properties": [{"name": "debian:source", "value": source}]}


def main(program):
    version = said(program, "--version").split()[-1]
    packages = {package_of(one or other) for one, other in libraries(program)} - {None}
    components = sorted((component(package) for package in packages), key=lambda one: one["name"])
    itself = {"type": "application", "name": "mapwright", "version": version, "bom-ref": "mapwright",
              "licenses": [{"license": {"id": "MIT"}}]}
    print(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                      "metadata": {"component": itself}, "components": components,
                      "dependencies": [{"ref": "mapwright", "dependsOn": [one["name"] for one in components]}]},
                     indent=1))


main(*sys.argv[1:])
