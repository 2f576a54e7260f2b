#!/bin/sh
# lint.sh: the OpenAPI document, judged by others. Spectral and Redocly must find nothing, and its examples must
# fit its schemas (check.mjs).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$("$root/tests/npm.sh" openapi)
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

cp "$root/openapi.yaml" "$root/openapi.json" "$root/tests/openapi/spectral.yaml" "$root/tests/openapi/redocly.yaml" "$root"/tests/openapi/*.mjs "$tools"
cd "$tools"
node_modules/.bin/spectral lint --fail-severity=hint -r spectral.yaml openapi.yaml
said=$(node_modules/.bin/redocly lint --config redocly.yaml --format=json openapi.yaml 2>redocly.log) || {
    cat redocly.log
    echo "$said"
    exit 1
}
node check.mjs "$said"
