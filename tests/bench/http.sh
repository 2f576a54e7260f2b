#!/usr/bin/env bash
# http.sh: cache hits of the service against bare libmicrohttpd and nginx, in one run.
#
#   http.sh BUILD [SECONDS [ROUNDS]]
#
# A POST of some 200 bytes, an answer of about 1 KB, two I/O threads each, the same fields and bytes from all. Rounds
# are interleaved, so that a busy neighbour hits all alike; other load can only slow a round down, so
# the best one counts. Who may keeps neighbours out: all of it runs in real time then, in turns, and is not
# preempted by them. It listens on and calls the loopback address only.
set -euo pipefail
if [ -z "${TURNS-}" ] && chrt -r 10 true 2>/dev/null; then
    TURNS=1 exec chrt -r 10 "$0" "$@"
fi
build=$1 seconds=${2:-3} rounds=${3:-4}
here=$(dirname "$0")
work=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT

export BODY='{"width": 12, "height": 12, "count": 5, "grid": "hex", "wrap": "none", "variation": 0.25, "roughness": 0.5,                                                                "seed": "a cache hit"}'
"$build/mapwrightd" --port 18200 --threads 2 --log off >"$work/log" &
pids="$pids $!"
ours=$!
for _ in $(seq 50); do
    curl -s localhost:18200/healthz >/dev/null && break
    sleep 0.1
done
curl -s -d "$BODY" localhost:18200/regions >/dev/null
curl -s -D "$work/head" -d "$BODY" localhost:18200/regions >"$work/body"
"$build/bench/bare" 18201 2 "$work/body" "$work/head" &
pids="$pids $!"
bare=$!
cat >"$work/nginx.conf" <<CONF
daemon off; worker_processes 2; pid $work/pid; error_log $work/error;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 100000000; client_body_temp_path $work/t; proxy_temp_path $work/t;
  fastcgi_temp_path $work/t; uwsgi_temp_path $work/t; scgi_temp_path $work/t; etag off;
  server { listen 127.0.0.1:18202 reuseport; location / { default_type application/json;
    $(sed -nE "s/\r\$//; s/^([A-Z][A-Za-z-]*): (.*)\$/add_header \1 '\2';/p" "$work/head" | grep -vE '^add_header (Date|Content-(Length|Type))')
    return 200 '$(tr -d '\n' <"$work/body")'; } } }
CONF
nginx -c "$work/nginx.conf" 2>/dev/null &
pids="$pids $!"
nginx=$!
sleep 1

ticks() { # PID -> CPU ticks of it and its children
    cat "/proc/$1/stat" /proc/"$1"/task/*/children 2>/dev/null | awk 'NR == 1 {sub(/^.*\) /, ""); t = $12 + $13; next} {for (i = 1; i <= NF; i++) print $i} END {print -t}' |
        {
            local sum=0
            while read -r n; do if [ "$n" -le 0 ]; then sum=$((sum - n)); else sum=$((sum + $(ticks "$n"))); fi; done
            echo "$sum"
        }
}

echo "answer of $(wc -c <"$work/body") bytes, $rounds rounds of $seconds s"
for connections in 16 64 256; do
    : >"$work/rows"
    for _ in $(seq "$rounds"); do
        for row in "bare 18201 $bare" "ours 18200 $ours" "nginx 18202 $nginx"; do
            read -r name port pid <<<"$row"
            before=$(ticks "$pid")
            rate=$(wrk -t1 -c"$connections" -d"${seconds}s" -s "$here/post.lua" "http://127.0.0.1:$port/regions" | awk '/Requests\/sec/ {r = $2} /requests in/ {n = $1} /Non-2xx/ {print "errors" > "/dev/stderr"} END {print r, n}')
            echo "$name $rate $(($(ticks "$pid") - before))" >>"$work/rows"
        done
    done
    awk -v c="$connections" '
        {cpu = $3 ? $4 * 10000 / $3 : 0}
        $2 > best[$1] {best[$1] = $2}
        !($1 in least) || cpu < least[$1] {least[$1] = cpu}
        END {printf "%4d connections: ours %7.0f/s (%.1f us CPU), bare %7.0f/s (%.1f us), nginx %7.0f/s (%.1f us); ours to bare %.2f, CPU %.2f\n",
            c, best["ours"], least["ours"], best["bare"], least["bare"], best["nginx"], least["nginx"], best["ours"] / best["bare"], least["ours"] / least["bare"]}' "$work/rows"
done
