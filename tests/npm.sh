#!/bin/sh
# npm.sh: what tests want from npm, by the versions in tests/<name>/package.json, into
# build/npm/<name>. Done once: again where that file has changed.
#
#     tools=$(tests/npm.sh web)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
wanted=$root/tests/$1/package.json
tools=$root/build/npm/$1

if ! cmp -s "$wanted" "$tools/package.json" || ! [ -d "$tools/node_modules" ]; then
    echo "installing into build/npm/$1 from npm" >&2
    rm -rf "$tools"
    mkdir -p "$tools"
    cp "$wanted" "$tools/package.json"
    (cd "$tools" && npm install --no-audit --no-fund --ignore-scripts --loglevel=error) >&2 || {
        rm "$tools/package.json"
        exit 1
    }
fi
echo "$tools"
