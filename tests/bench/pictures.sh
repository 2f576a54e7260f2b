#!/usr/bin/env bash
# pictures.sh BUILD: drawing a map as PNG beside librsvg, which draws our SVG of it. CPU seconds, in one run.
#
# Both draw and pack, and neither makes the map: ours is the median of nine in a process that runs, librsvg's the best
# of five processes less the best of as many that draw an empty sheet of one pixel. What it reads is text, and that is
# part of it.
set -euo pipefail
build=$1
drawing=$(mktemp --suffix=.svg)
trap 'rm -f "$drawing"' EXIT

peer() {
    local best=999 took TIMEFORMAT='%U %S'
    for _ in 1 2 3 4 5; do
        took=$({ time rsvg-convert --unlimited "$drawing" >/dev/null; } 2>&1 | tail -n 1)
        best=$(awk -v b="$best" -v t="$took" 'BEGIN {split(t, a, " "); s = a[1] + a[2]; print s < b ? s : b}')
    done
    echo "$best"
}

echo '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' >"$drawing"
empty=$(peer)
echo "librsvg, an empty sheet: $(awk -v e="$empty" 'BEGIN {printf "%.0f", e * 1e3}') ms, taken off below"

for address in '/regions?width=1000&height=1000&count=100' '/regions' '/areas' '/islands' '/starlanes' \
    '/starlanes?stars=10000' '/puzzle/generate'; do
    "$build/mapwright" "$address" seed=1 -o "$drawing"
    ours=$("$build/bench/make" -n 9 -f png "$address" |
        sed -E 's/^([0-9.]+) s.*\| png ([0-9.]+) s +([0-9]+) bytes.*/\1 \2 \3/')
    echo "$ours $(peer) $address" | awk -v empty="$empty" '{ printf \
        "%8.2f ms made | %7.2f ms drawn, %8d bytes | librsvg %8.1f ms | %6.1f times | %s\n",
        $1 * 1e3, $2 * 1e3, $3, ($4 - empty) * 1e3, ($4 - empty) / $2, $5 }'
done
