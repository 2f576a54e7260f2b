FROM debian:bookworm-slim AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends gcc make libc6-dev libmicrohttpd-dev libjansson-dev \
    uuid-dev zlib1g-dev libzstd-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Makefile openapi.yaml ./
COPY deploy/mapwright.1 deploy/
COPY include include
COPY src src
RUN make && make install DESTDIR=/out PREFIX=/usr

FROM debian:bookworm-slim
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libmicrohttpd12 libjansson4 libuuid1 zlib1g libzstd1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --no-create-home --shell /usr/sbin/nologin mapwright
COPY --from=build /out/usr/bin/mapwrightd /out/usr/bin/mapwright /usr/bin/
USER mapwright
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["/bin/bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${MAPWRIGHT_PORT:-8080} && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["/usr/bin/mapwrightd"]
