#!/bin/sh
# All files must hold the same lines: tests/same.sh one.digest other.digest ...
set -eu
first=$1
faults=0
for other; do
    if ! diff -u "$first" "$other"; then
        faults=1
    fi
done
[ "$faults" = 0 ] || exit 1
echo "same: $# digests are $(sed -n '$s/ .*//p' "$first")"
