#!/bin/sh
# debian_node.sh: prints a folder to put first on PATH, in which `node` is the one of Debian 12, which
# the tests must pass with. Where the machine has another, Debian's is unpacked into build/node.
#
#     PATH=$(tests/debian_node.sh):$PATH
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
place=$root/build/node
node=$(command -v node)
npm=$(realpath "$(command -v npm)")

case $(node --version) in
v18.*) dirname "$node" && exit ;;
esac
if ! "$place/bin/node" --version >/dev/null 2>&1; then
    echo "unpacking the Node of Debian into build/node" >&2
    rm -rf "$place"
    mkdir -p "$place/bin" "$place/deb"
    cd "$place/deb"
    apt-get update -qq
    version=$(apt-cache show --no-all-versions libnode108 | sed -n 's/^Version: //p')
    apt-get -qq -o APT::Sandbox::User=root download "nodejs=$version" libnode108 \
        libbrotli1 libc-ares2 libicu72 libnghttp2-14 libssl3 libuv1 \
        node-acorn node-cjs-module-lexer node-undici
    for package in *.deb; do dpkg-deb -x "$package" "$place"; done
    # Some of its built-in modules are read from there, wherever it lies itself; this needs root.
    mkdir -p /usr/share/nodejs
    cp -r "$place"/usr/share/nodejs/. /usr/share/nodejs
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' \
        "$(echo "$place"/usr/lib/*-linux-gnu)" "$place/usr/bin/node" >"$place/bin/node"
    # The npm of the machine may be too new for Debian's Node, so it keeps its own.
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$node" "$npm" >"$place/bin/npm"
    chmod +x "$place/bin/node" "$place/bin/npm"
fi
echo "$place/bin"
