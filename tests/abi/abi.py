#!/usr/bin/python3
"""abi.py LIBRARY [RECORD]: what a program that was built against the headers in include/ relies on.

The functions that the header declares, which must be those that the library shows, and of all types of the header their sizes, the places of
their members and the values of their names, as the compiler sees them. Without RECORD it is printed;
with it, what differs is told. New names at the end of a list break nobody; whatever else differs breaks
programs that are there: then the number in SONAME (Makefile) goes up. Either way `make abi` writes the
record anew.
"""
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = "include/mapwright_host.h"  # which includes mapwright.h


def say(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def read_entries():
    """Entries of the debugging information: offset -> (depth, tag, attributes), in order."""
    with tempfile.NamedTemporaryFile(suffix=".o") as object_file:
        say("gcc", "-std=c11", "-Iinclude", "-g", "-gdwarf-4", "-fno-eliminate-unused-debug-types", "-x", "c",
            "-c", "-o", object_file.name, HEADER)
        text = say("readelf", "--debug-dump=info", object_file.name)
    entries, attributes = {}, {}
    for line in text.splitlines():
        if head := re.match(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \((\w+)\)", line):
            attributes = {}
            entries[int(head[2], 16)] = int(head[1], 16), head[3].removeprefix("DW_TAG_"), attributes
        elif one := re.match(r" +<\w+> +DW_AT_(\w+) *: (.*)", line):
            attributes[one[1]] = re.sub(r"\(.*?offset.*?\): |\t.*", "", one[2]).strip()
    return entries


class Header:
    def __init__(self):
        self.entries = read_entries()
        self.order = list(self.entries)

    def children(self, at):
        depth = self.entries[at][0]
        for other in self.order[self.order.index(at) + 1:]:
            if self.entries[other][0] <= depth:
                return
            if self.entries[other][0] == depth + 1:
                yield other

    def type_of(self, attributes):
        """As it is written in C, nearly."""
        if "type" not in attributes:
            return "void"
        at = int(attributes["type"].strip("<>"), 16)
        _, tag, own = self.entries[at]
        if tag == "pointer_type":
            return self.type_of(own) + " *"
        if tag == "const_type":
            return self.type_of(own) + " const"
        if tag == "array_type":
            most = [self.entries[child][2].get("upper_bound") for child in self.children(at)]
            return self.type_of(own) + "".join(f"[{'' if n is None else int(n, 0) + 1}]" for n in most)
        if tag == "subroutine_type":
            taken = ", ".join(self.type_of(self.entries[child][2]) for child in self.children(at))
            return f"{self.type_of(own)} ({taken})"
        kind = {"structure_type": "struct ", "union_type": "union ", "enumeration_type": "enum "}.get(tag, "")
        return kind + own.get("name", "(unnamed)")

    def lay_out(self, at, indent="    ", base=0):
        for child in self.children(at):
            _, tag, own = self.entries[child]
            if tag == "enumerator":
                yield f"{indent}{own['name']} = {own['const_value']}"
            elif tag == "member":
                place = base + int(own.get("data_member_location", "0").split()[0], 0)
                inner = int(own["type"].strip("<>"), 16)
                yield f"{indent}{place:4} {own['name']}: {self.type_of(own)}"
                if "name" not in self.entries[inner][2] and self.entries[inner][1] in ("union_type", "structure_type"):
                    yield from self.lay_out(inner, indent + "    ", place)

    def types(self):
        """Those that begin with mw_, and the values that have no type of their own."""
        for at, (depth, tag, own) in self.entries.items():
            if depth != 1 or tag not in ("structure_type", "union_type", "enumeration_type") or "declaration" in own:
                continue
            name, rows = own.get("name", ""), list(self.lay_out(at))
            if tag == "enumeration_type" and any(" MW_" in row for row in rows):
                yield f"enumeration {name or '(unnamed)'}: {', '.join(row.strip() for row in rows)}"
            elif name.startswith("mw_"):
                size = int(own["byte_size"], 0)
                yield "\n".join([f"{tag.removesuffix('_type')} {name}: {size} bytes", *rows])


def read_functions():
    with tempfile.NamedTemporaryFile() as aux:
        say("gcc", "-std=c11", "-Iinclude", "-fsyntax-only", "-aux-info", aux.name, "-x", "c", HEADER)
        text = aux.read().decode()
    declared = re.findall(r"/\* include/\w+\.h:.*\*/ (extern .*?(mw_\w+) \(.*)", text)
    return {name: prototype for prototype, name in declared}


def read_variables():
    text = "".join(header.read_text() for header in pathlib.Path("include").glob("*.h"))
    return {name: text for text, name in re.findall(r"^(extern .*?(mw_\w+)\[\];)", text, re.M)}


def read_symbols(library):
    """name -> version"""
    lines = say("nm", "-D", "--defined-only", "--with-symbol-versions", library).splitlines()
    return dict(line.split()[2].split("@@") for line in lines if " A " not in line)


def describe(library):
    yield re.search(r"soname: \[(.*)\]", say("readelf", "-d", library))[1]
    declared, shown = read_functions() | read_variables(), read_symbols(library)
    for name in sorted(declared.keys() ^ shown.keys()):
        sys.exit(f"abi: {name} is {'declared, but not shown' if name in declared else 'shown, but not declared'}")
    yield "\n".join(f"{shown[name]} {declared[name]}" for name in sorted(shown))
    types = sorted(Header().types())
    yield "\n".join(row for row in types if row.startswith("enumeration"))
    yield from (row for row in types if not row.startswith("enumeration"))


def main(library, record=None):
    now = "\n\n".join(describe(library)) + "\n"
    if not record:
        sys.stdout.write(now)
        return 0
    with open(record) as file:
        differences = list(difflib.unified_diff(file.read().splitlines(), now.splitlines(), record, "now", lineterm="", n=2))
    if differences:
        print("\n".join(differences))
        print("programs rely on this: if one that was built before would break, raise SONAME; then `make abi`")
    else:
        print(f"abi: {library} is as it is recorded")
    return bool(differences)


sys.exit(main(*sys.argv[1:]))
