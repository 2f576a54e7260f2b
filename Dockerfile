# make image, or docker build --build-arg REVISION=$(git rev-parse HEAD) -t mapwright .
# Of any processor that Debian knows: docker build --platform linux/arm64 .
FROM debian:bookworm-slim AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends gcc make libc6-dev libmicrohttpd-dev libjansson-dev \
    uuid-dev zlib1g-dev libzstd-dev libhiredis-dev libgnutls28-dev nettle-dev esbuild clang lld binaryen \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Makefile openapi.yaml openapi.json ./
COPY deploy/mapwright.1 deploy/mapwrightd.8 deploy/mapwright.bash deploy/_mapwright deploy/mapwright.fish deploy/mapwright.pc deploy/mapwrightd.service deploy/
COPY include include
COPY src src
RUN make install DESTDIR=/out PREFIX=/usr STRIP=1

FROM debian:bookworm-slim
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Mapwright" \
      org.opencontainers.image.description="Maps for games over HTTP: the same for the same seed" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libmicrohttpd12 libjansson4 libuuid1 zlib1g libzstd1 libhiredis0.14 libgnutls30 libnettle8 ca-certificates \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*
COPY --from=build /out/usr/bin/mapwrightd /out/usr/bin/mapwright /usr/bin/
# Nobody in particular: it writes nothing, so that its file system may be read-only.
USER 65534:65534
EXPOSE 8080
STOPSIGNAL SIGTERM
# By the environment and the flags that the service itself was started with: `docker run mapwright --port=9000`.
# An OCI image has no such field: podman and buildah keep it with --format docker.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2s CMD ["xargs", "-0", "-a", "/proc/1/cmdline", "/bin/sh", "-c", \
  "while [ $# -gt 0 ]; do word=$1; shift; [ \"${word##*/}\" = mapwrightd ] && break; done; exec /usr/bin/mapwrightd --health \"$@\"", \
  "sh"]
ENTRYPOINT ["/usr/bin/mapwrightd"]
