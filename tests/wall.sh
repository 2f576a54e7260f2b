#!/bin/sh
# The wall: what libmapwright wants from outside must stand in symbols.txt, and it has no variables that
# outlive a call.
#
#     tests/wall.sh build/release/libmapwright.a
set -eu
archive=$1
allowed=$(dirname "$0")/symbols.txt

wanted=$(mktemp) defined=$(mktemp)
trap 'rm -f "$wanted" "$defined"' EXIT
# «archive[object]: symbol U» to «symbol object»
nm -A -P -u "$archive" | sed 's/^[^[]*\[\(.*\)\]: \([^ ]*\) .*/\2 \1/' | sort -u >"$wanted"
nm -P -g --defined-only "$archive" | sed -n 's/^\([^ ]*\) [A-Z].*/\1/p' | sort -u >"$defined"
if ! [ -s "$wanted" ] || ! [ -s "$defined" ]; then
    echo "$archive: no symbols to look at"
    exit 2
fi

strays=$(grep -v '^#' "$allowed" | sort -u - "$defined" | join -v 1 "$wanted" - |
    while read -r symbol object; do
        echo "$archive: $object wants $symbol, which is not in tests/symbols.txt"
    done)
variables=$(size -A "$archive" | awk -v archive="$archive" '
    $2 == "(ex" { object = $1 }
    ($1 ~ /^\.(data|bss|tdata|tbss)(\..*)?$/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0) || $1 == "COMMON" {
        print archive ": " object " has " $2 " bytes of variables in " $1
    }')
if [ -n "$strays$variables" ]; then
    printf '%s\n%s\n' "$strays" "$variables" | sed '/^$/d'
    exit 1
fi
echo "wall: $archive wants nothing that it may not have, and keeps nothing"
