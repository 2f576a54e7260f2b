#!/bin/sh
# check.sh: programs as one would write them, against the document, by two generators of clients:
# openapi-typescript with openapi-fetch, and orval. Each must compile under tsc --strict, and get from a
# real server what its types promise.
#
#   tests/clients/check.sh [server]    by default that in build/release
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
server=$(realpath "${1:-$root/build/release/mapwrightd}")
tools=$("$root/tests/npm.sh" clients)

cd "$tools"
rm -rf made out
mkdir made
cp "$root"/tests/clients/*.ts "$root"/tests/clients/*.cjs "$root/tests/clients/tsconfig.json" "$root/openapi.yaml" .

port=$(node -e 'const s = require("net").createServer().listen(0, () => s.close(console.log(s.address().port)))')
"$server" --port="$port" --log=off >served 2>&1 &
trap 'kill $!' EXIT
export BASE="http://localhost:$port"
curl -s --retry 50 --retry-connrefused --retry-delay 1 "$BASE/readyz" >ready
echo "export const base = \"$BASE\";" >made/base.ts

quiet() { "$@" >log 2>&1 || { cat log && exit 1; }; }
quiet node_modules/.bin/openapi-typescript openapi.yaml --default-non-nullable=false -o made/fetch.ts
if [ -n "${SHORT:-}" ]; then # one generator
    sed -i 's/, "orval.ts"//' tsconfig.json
    set -- fetch
else
    quiet node_modules/.bin/orval --config orval.config.cjs
    set -- fetch orval
fi
node_modules/.bin/tsc -p .
for program in "$@"; do
    node "out/$program.js" >"told.$program"
    cmp told.fetch "told.$program"
done
cat told.fetch
