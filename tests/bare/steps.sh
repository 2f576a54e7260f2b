#!/usr/bin/env bash
# steps.sh: runs the commands of the README one after the other, on a fresh Debian 12; see run. The file
# `first` holds those of its first block, `second` what is asked from another terminal.
set -euo pipefail
trap 'exit 130' INT TERM # it is the first process there, which signals end only if it says so
cd /root
PATIENCE=1800 # seconds until the service must answer

# `make run` serves until it is stopped, so it is left in the background, and asked.
serve_and_ask() {
    set -m
    eval "$1" &
    local service=$! seconds=0
    set +m
    until (: </dev/tcp/localhost/8080) 2>/dev/null; do
        kill -0 "$service" || wait "$service"
        [ $((seconds++)) -lt "$PATIENCE" ] || { echo "it does not serve" && kill -- "-$service" && exit 1; }
        sleep 1
    done
    eval "$(</root/second)"
    kill -- "-$service"
    wait "$service" || : # make says that it was ended
    for ((seconds = 0; seconds < 60; seconds++)); do
        kill -0 -- "-$service" 2>/dev/null || return 0
        sleep 1
    done
    echo "it does not stop" && exit 1
}

mapfile -t lines <first
for line in "${lines[@]}"; do
    echo "\$ $line"
    case $line in
    "make run"*) serve_and_ask "$line" ;;
    *) eval "$line" ;;
    esac
done
echo "\$ make test"
make test
