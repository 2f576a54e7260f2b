#!/usr/bin/env bash
# pictures.sh BUILD: PNG beside librsvg, which draws our SVG of the same map. CPU seconds, in one run.
#
# Ours is making and drawing together, the median of nine; librsvg's is a whole process, the best of three.
set -euo pipefail
build=$1
drawing=$(mktemp --suffix=.svg)
trap 'rm -f "$drawing"' EXIT

peer() {
    local best=999 took TIMEFORMAT='%U %S'
    for _ in 1 2 3; do
        took=$({ time rsvg-convert --unlimited "$drawing" >/dev/null; } 2>&1 | tail -n 1)
        best=$(awk -v b="$best" -v t="$took" 'BEGIN {split(t, a, " "); s = a[1] + a[2]; print s < b ? s : b}')
    done
    echo "$best"
}

for address in '/regions?width=1000&height=1000&count=100' '/regions' '/areas' '/islands' '/starlanes' \
    '/starlanes?stars=10000' '/puzzle/generate'; do
    "$build/mapwright" "$address" seed=1 -o "$drawing"
    ours=$("$build/bench/make" -n 9 -f png "$address" |
        sed -E 's/^([0-9.]+) s.*\| png ([0-9.]+) s +([0-9]+) bytes.*/\1 \2 \3/')
    echo "$ours $(peer) $address" | awk '{ printf \
        "%8.2f ms made + %7.2f ms drawn, %8d bytes | librsvg %8.1f ms | %6.1f times | %s\n",
        $1 * 1e3, $2 * 1e3, $3, $4 * 1e3, $4 / ($1 + $2), $5 }'
done
