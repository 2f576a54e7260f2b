#!/usr/bin/env bash
# starlanes.sh: /starlanes by itself, against the naive way, and against Delaunator on the same stars.
#
#   starlanes.sh BUILD      BUILD holds bench/starlanes; Delaunator is put into BUILD/bench/peers
#
# Delaunator triangulates, which is less than a map: ours is the whole request without output.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
peers=$build/bench/peers
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "starlanes: node and npm are missing"
    exit 1
fi
mkdir -p "$peers"
[ -d "$peers/node_modules/delaunator" ] ||
    npm install --silent --no-audit --no-fund --prefix "$peers" delaunator >/dev/null

"$build/bench/starlanes"
for n in 1000 10000 100000; do
    "$build/bench/starlanes" stars $n >"$peers/stars"
    theirs=$(node "$here/peers/delaunator.mjs" "$peers/node_modules" "$peers/stars")
    ours=$("$build/bench/starlanes" time $n)
    awk -v n=$n -v o="$ours" -v t="$theirs" 'BEGIN {
        printf "%-12s %7d stars %9.3f ms | Delaunator %9.3f ms: %5.2f of its time (at most 5 at 100000, aim 1.5)\n",
            "generated", n, o * 1e3, t * 1e3, o / t }'
done
