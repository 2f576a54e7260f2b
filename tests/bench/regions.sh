#!/usr/bin/env bash
# regions.sh: /regions against METIS on the same hexagonal graph, in one run.
#
#   regions.sh BUILD      BUILD holds bench/make
#
# CPU of gpmetis as a whole process (it reads the graph and writes the result) and its own figure for the
# partitioning alone; ours is the median of making the map in a warm block. METIS divides to within a
# few cells; ours to the cell.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v gpmetis >/dev/null || {
    echo "regions: gpmetis is missing (package metis)"
    exit 1
}

# A hexagonal lattice in the format of gpmetis: the number of cells and of borders, then the neighbours of each cell.
graph() { # WIDTH HEIGHT
    awk -v w="$1" -v h="$2" 'BEGIN {
        print w * h, (w - 1) * h + (2 * w - 1) * (h - 1)
        for (y = 0; y < h; y++)
            for (x = 0; x < w; x++) {
                line = x ? y * w + x : ""
                if (x < w - 1) line = line " " y * w + x + 2
                for (to = y - 1; to <= y + 1; to += 2)
                    for (left = x - 1 + y % 2; left <= x + y % 2; left++)
                        if (to >= 0 && to < h && left >= 0 && left < w) line = line " " to * w + left + 1
                print line
            }
    }'
}

row() { # WIDTH HEIGHT COUNT FLOOR AIM
    local graph=$work/$1x$2
    [ -f "$graph" ] || graph "$1" "$2" >"$graph"
    local best=999 part=999
    for seed in 1 2 3; do
        local TIMEFORMAT='%U %S' times metis
        times=$({ time gpmetis -contig -ufactor=1 -seed=$seed "$graph" "$3" >"$work/out"; } 2>&1 | tail -n 1)
        metis=$(awk '/Partitioning:/ {print $2}' "$work/out")
        best=$(awk -v b="$best" -v t="$times" 'BEGIN {split(t, a, " "); s = a[1] + a[2]; print s < b ? s : b}')
        part=$(awk -v b="$part" -v m="$metis" 'BEGIN {print m < b ? m : b}')
    done
    local ours
    ours=$("$build/bench/make" -n 9 "/regions?width=$1&height=$2&count=$3" | awk '{print $1, $7}')
    awk -v o="$ours" -v m="$best" -v p="$part" -v name="$1x$2 into $3" -v floor="$4" -v aim="$5" 'BEGIN {
        split(o, a, " ")
        printf "%-20s ours %8.2f ms %5.1f bytes/cell | gpmetis %8.1f ms: %5.1f times | its partitioning alone %8.1f ms: %5.1f times (floor %s, aim %s)\n",
            name, a[1] * 1e3, a[2], m * 1e3, m / a[1], p * 1e3, p / a[1], floor, aim }'
}

row 1000 1000 100 15 45
row 1000 1000 1000 12 35
row 100 100 12 6 20

echo "land with water beside as much land without:"
"$build/bench/make" -n 9 '/regions?count=100&mask=/areas?width=1000%26height=1000%26area=500000%26seed=1' \
    '/regions?width=1000&height=500&count=100'
