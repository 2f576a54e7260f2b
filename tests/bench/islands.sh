#!/usr/bin/env bash
# islands.sh: /islands against numpy and scipy, in one run.
#
#   islands.sh BUILD      BUILD holds bench/make and bench/islands
#
# CPU time of a cell (and round): the automaton on packed bits against numpy on bytes, and components with
# their sizes against scipy.ndimage.label and bincount. Then whole maps, whose cost must grow with the cells.
set -euo pipefail
build=$1
here=$(dirname "$0")
/usr/bin/python3 -c 'import numpy, scipy.ndimage' 2>/dev/null ||
    {
        echo "islands: numpy or scipy is missing (packages python3-numpy, python3-scipy)"
        exit 1
    }

for side in 1024 4096; do
    ours=$("$build/bench/islands" "$side")
    peer=$(/usr/bin/python3 "$here/islands.py" "$side")
    awk -v o="$ours" -v p="$peer" -v side="$side" 'BEGIN {
        split(o, a, " "); split(p, b, " ")
        printf "automaton %dx%d  ours %6.2f Gcell-rounds/s | numpy %6.3f: %5.0f times (floor 30, aim 60 Gcell-rounds/s)\n",
            side, side, 1 / a[2], 1 / b[2], b[2] / a[2]
        printf "labels    %dx%d  ours %6.2f Gcell/s        | scipy %6.3f: %5.1f times (floor 0.4, aim 1 Gcell/s)\n",
            side, side, 1 / a[4], 1 / b[4], b[4] / a[4] }'
done
echo "whole maps (floor 100 us for the first and 3 s for the last, at 24 bytes a cell; aim 50 us and 1.5 s):"
"$build/bench/make" -n 501 "/islands"
"$build/bench/make" -n 51 "/islands?width=256&height=256&islands=1024,1479"
"$build/bench/make" -n 9 "/islands?width=1024&height=1024&islands=16384,23665"
"$build/bench/make" -n 3 "/islands?width=4096&height=4096&islands=262144,378624"
echo "the land as it is, half of it, after 200 rounds; and as many islands as it has at first:"
"$build/bench/make" -n 3 "/islands?width=4096&height=4096&order=false&land=0.5&iterations=200"
"$build/bench/make" -n 1 "/islands?width=4096&height=4096&order=false&land=0.3&iterations=0"
