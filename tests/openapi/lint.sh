#!/bin/sh
# lint.sh: the OpenAPI document, judged by others. Spectral and Redocly must have nothing to say, and what
# the document promises must be what the command (check.mjs) and a server (live.mjs) do.
#
#   tests/openapi/lint.sh [command [server]]    by default those in build/release
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
command=$(realpath "${1:-$root/build/release/mapwright}")
server=$(realpath "${2:-$root/build/release/mapwrightd}")
tools=$root/build/npm
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

mkdir -p "$tools"
if ! cmp -s "$root/tests/openapi/package.json" "$tools/package.json" || [ ! -d "$tools/node_modules" ]; then
    echo "installing the linters from npm into build/npm"
    rm -rf "$tools/node_modules"
    cp "$root/tests/openapi/package.json" "$tools/package.json"
    (cd "$tools" && npm install --no-audit --no-fund --ignore-scripts --loglevel=error) || {
        rm -f "$tools/package.json"
        exit 1
    }
fi

"$command" openapi >"$tools/openapi.yaml"
"$command" openapi json >"$tools/openapi.json"
cp "$root/tests/openapi/spectral.yaml" "$root/tests/openapi/redocly.yaml" "$root"/tests/openapi/*.mjs "$tools"
cd "$tools"
node_modules/.bin/spectral lint --fail-severity=hint -r spectral.yaml openapi.yaml
said=$(node_modules/.bin/redocly lint --config redocly.yaml --format=json openapi.yaml 2>redocly.log) || {
    cat redocly.log
    echo "$said"
    exit 1
}
node check.mjs "$command" "$root/openapi.yaml" "$said"
node live.mjs "$server"
