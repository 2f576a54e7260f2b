#!/usr/bin/python3
"""Lines and branches that ran, by room: a table from gcovr's summary, which stands on stdin.

    gcovr --json-summary=- ... | tests/coverage.py
"""
import json
import sys
from collections import Counter


def percent(covered, total):
    return f"{100 * covered / total:6.1f}" if total else "     -"


def row(name, sums):
    words = [f"{name:22}"]
    for kind in ("line", "branch"):
        covered, total = sums[f"{kind}_covered"], sums[f"{kind}_total"]
        words.append(f"{covered:6} of {total:6} {percent(covered, total)} %")
    return "   ".join(words)


rooms, whole = {}, Counter()
for file in json.load(sys.stdin)["files"]:
    room = rooms.setdefault(file["filename"].rpartition("/")[0], Counter())
    for kind in ("line_covered", "line_total", "branch_covered", "branch_total"):
        room[kind] += file[kind]
        whole[kind] += file[kind]

print(f"{'room':22}   {'lines':>25}   {'branches':>25}")
for name in sorted(rooms):
    print(row(name, rooms[name]))
print(row("all", whole))
