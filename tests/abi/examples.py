#!/usr/bin/python3
"""examples.py FOLDER: the examples of the public headers as programs, FOLDER/<n>.c, to compile and run.

An example is a block of C in the comment at the top of a header: lines that are indented by four more
spaces and end in ; { or }. What an example takes for granted is declared before it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GIVEN = """
#include <mapwright_host.h>
#include <stdio.h>

int main(void)
{
    FILE *file = tmpfile();
    static _Alignas(64) char block[16 << 20];
    const struct mw_limits given = {.memory = block, .size = sizeof block};
    const struct mw_arg *args = NULL;
    size_t count = 0;
    struct mw_bytes bytes = {NULL, 0};
    (void)given, (void)args, (void)count;
"""


def examples(header):
    comment = re.search(r"/\*\n(.*?)\*/", header.read_text(), re.S)[1]
    for block in re.findall(r"(?:^ \*     .*\n)+", comment, re.M):
        code = [line[7:] for line in block.splitlines()]
        if any(line.rstrip().endswith((";", "{", "}")) for line in code):
            yield "\n".join(code)


def main():
    written = 0
    for header in sorted((ROOT / "include").glob("*.h")):
        for code in examples(header):
            opens = "" if "mw_open" in code else "struct mw_run *run = mw_open(&given);\n"
            made = "" if "bytes =" not in code else "if (!bytes.at) return 1;\n"
            made += "" if "fwrite" not in code else "if (ftell(file) < 1000) return 1;\n"
            text = f"{GIVEN}{opens}{code}\n{made}(void)bytes;\nreturn mw_problems(run)->count != 0 || fclose(file);\n}}\n"
            (pathlib.Path(sys.argv[1]) / f"{written}.c").write_text(text)
            written += 1
    if written < 2:
        sys.exit(f"the headers have {written} examples")
    print(written)


main()
