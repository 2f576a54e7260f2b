#!/bin/sh
# map.sh: a map from Mapwright in a shell. Needs curl 7.76 or later, and sha256sum.
#
#   ./map.sh islands                                     drawn in the terminal
#   ./map.sh regions width=60 count=8 seed=hello         the same for ever: kept, asked for once
#   ./map.sh starlanes seed=7 format=svg > starlanes.svg
#
# MAPWRIGHT says where the service is.
set -eu
base=${MAPWRIGHT:-http://localhost:8080}
kept=${XDG_CACHE_HOME:-$HOME/.cache}/mapwright

[ $# -gt 0 ] || {
    echo "usage: map.sh generator [name=value ...]" >&2
    exit 2
}
generator=$1
shift
name=$(printf '%s\n' "$base" "$generator" "$@" | sha256sum | cut -c-32)
case " $* " in *" seed="*) seeded=yes ;; *) seeded= ;; esac
case " $* " in *" format="*) ;; *) set -- "$@" format=text ;; esac
if [ "$seeded" ] && [ -f "$kept/$name" ]; then
    exec cat "$kept/$name"
fi

for pair; do # each name=value becomes --data-urlencode name=value
    shift
    set -- "$@" --data-urlencode "$pair"
done
mkdir -p "$kept"
new=$kept/$name.$$
trap 'rm -f "$new"' EXIT
# A busy service, or a proxy before it, says 429, 502, 503 or 504, and when to try again, which --retry
# heeds. A problem is JSON on one line; its errors name each wrong parameter. HTML is from somebody else.
media=$(curl -s --get --fail-with-body --retry 4 -o "$new" -w '%{http_code} %{content_type}' "$@" "$base/$generator") || failed=yes
case $media in *text/html*)
    echo "map.sh: ${media%% *} says something in HTML: is that Mapwright?" >&2
    exit 1
    ;;
esac
if [ "${failed:-}" ]; then
    [ -s "$new" ] || echo "{\"detail\": \"map.sh: nothing answers at $base\"}" >"$new"
    awk -F'"' '{
        for (i = 2; i < NF; i += 2) {
            if ($i == "pointer") name = substr($(i + 2), 2) ": "
            if ($i == "title" || $i == "detail") { print name $(i + 2); name = "" }
        }
    }' "$new" >&2
    exit 1
fi
cat "$new"
if [ "$seeded" ]; then
    mv "$new" "$kept/$name"
fi
