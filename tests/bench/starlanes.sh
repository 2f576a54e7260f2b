#!/usr/bin/env bash
# starlanes.sh: /starlanes by itself, against the naive way, and against Delaunator on the same stars.
#
#   starlanes.sh BUILD [peers]      BUILD holds bench/starlanes; Delaunator is put into
#                                   BUILD/bench/peers; with «peers» that comparison alone
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

# The median of the figures on standard input, one a line.
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# compare NAME STARS PARAMETERS: both in turn, as a machine is not as fast all the time
compare() {
    "$build/bench/starlanes" stars "$2" "$3" >"$peers/stars"
    : >"$peers/ours"
    : >"$peers/theirs"
    for _ in 1 2 3 4 5; do
        node "$here/peers/delaunator.mjs" "$peers/node_modules" "$peers/stars" >>"$peers/theirs"
        "$build/bench/starlanes" time "$2" "$3" >>"$peers/ours"
    done
    awk -v name="$1" -v n="$2" -v o="$(median <"$peers/ours")" -v t="$(median <"$peers/theirs")" 'BEGIN {
        printf "%-12s %7d stars %9.3f ms | Delaunator %9.3f ms: %5.2f of its time (at most 5 at 100000, aim 1.5)\n",
            name, n, o * 1e3, t * 1e3, o / t }'
}

[ "${2-}" = peers ] || "$build/bench/starlanes"
for n in 1000 10000 100000; do
    compare "by default" $n ""
    compare "anywhere" $n "width=8388608&height=8388608&jitter=1"
done
