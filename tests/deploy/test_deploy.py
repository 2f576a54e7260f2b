"""What is in deploy/ is read by the tools it is for, and speaks of the programs as they are."""
import glob
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess

import pytest
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("BUILD") or f"{ROOT}/build/release")
DEPLOY = f"{ROOT}/deploy"


def run(*words, **more):
    more = {"timeout": 600} | more
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT, **more)


def read(name):
    with open(f"{DEPLOY}/{name}") as file:
        return file.read()


def settings():
    """{"port": "8080", …} as --help tells."""
    told = run(f"{BUILD}/mapwrightd", "--help").stdout
    return dict(re.findall(r"^  --([a-z-]+)=(\S*)", told, re.M))


# ---- manual pages ---------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["mapwright.1", "mapwrightd.8"])
def test_manual_pages_are_well_formed(page):
    result = run("mandoc", "-Tlint", "-W", "warning", f"{DEPLOY}/{page}")
    assert (result.returncode, result.stdout) == (0, "")


def test_the_page_of_the_service_tells_its_settings():
    """As `make manual` writes it."""
    assert run(f"{DEPLOY}/manual.py", f"{BUILD}/mapwrightd").stdout == read("mapwrightd.8")
    shown = run("mandoc", "-Tascii", f"{DEPLOY}/mapwrightd.8").stdout
    plain = re.sub(".\b", "", shown)
    assert settings() and all(f"--{name}" in plain for name in settings())


# ---- systemd --------------------------------------------------------------------------------------


def test_the_unit_leaves_little_open():
    result = run("systemd-analyze", "security", "--offline=yes", "--threshold=20",
                 f"{DEPLOY}/mapwrightd.service")
    assert result.returncode == 0, result.stdout[-200:]
    exposure = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", result.stdout)[1])
    assert exposure < 2


def test_the_unit_is_understood(tmp_path):
    """As it is installed."""
    result = run("make", "-s", "install", f"B={BUILD}", "-o", "all", f"DESTDIR={tmp_path}", "PREFIX=/usr")
    assert result.returncode == 0, result.stderr
    unit = tmp_path / "usr/lib/systemd/system/mapwrightd.service"
    assert f"ExecStart=/usr/bin/mapwrightd\n" in unit.read_text()
    here = tmp_path / "mapwrightd.service"
    here.write_text(unit.read_text().replace("/usr/bin/mapwrightd", f"{tmp_path}/usr/bin/mapwrightd"))
    result = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(here))
    assert (result.returncode, result.stderr) == (0, "")


def test_all_that_was_installed_goes_again(tmp_path):
    words = ("make", "-s", f"B={BUILD}", "-o", "all", f"DESTDIR={tmp_path}", "PREFIX=/usr")
    assert run(*words, "install", "STRIP=1").returncode == 0
    assert run(f"{tmp_path}/usr/bin/mapwright", "list").returncode == 0
    assert run(*words, "uninstall").returncode == 0
    assert not [file for _, _, files in os.walk(tmp_path) for file in files]


# ---- installation ---------------------------------------------------------------------------------

# In a namespace of its own, whose /usr/local and /etc are not the machine's.
INSTALL = """
set -e
mount -t tmpfs none /usr/local
cp -a /etc {folder}/etc && mount --bind {folder}/etc /etc
make -s install B={build} -o all >&2
cd {folder}
cc {root}/examples/map.c -o map $(PKG_CONFIG_PATH= pkg-config --cflags --libs mapwright)
./map
python3 -c 'import ctypes; ctypes.CDLL("libmapwright.so.0")'
"""


def test_what_is_installed_is_found(tmp_path):
    """By a C program, by pkg-config and by Python, without another step."""
    steps = INSTALL.format(folder=tmp_path, build=BUILD, root=ROOT)
    result = run("unshare", "-rm", "sh", "-c", steps)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("island 1 has ")
    assert (tmp_path / "islands.png").read_bytes() == \
        subprocess.run([f"{BUILD}/mapwright", "/islands.png?seed=7"], capture_output=True).stdout


@pytest.mark.skipif("SHORT" in os.environ, reason="the tarball is built in make test-all")
def test_the_tarball_builds_without_git(tmp_path):
    digests = set()
    for _ in range(2):
        made = run("make", "-s", "dist")
        assert made.returncode == 0, made.stderr
        [tarball] = glob.glob(f"{ROOT}/build/mapwright-*.tar.gz")
        digests.add(hashlib.sha256(open(tarball, "rb").read()).hexdigest())
    assert len(digests) == 1, "the same commit gives the same bytes"
    run("tar", "-xzf", tarball, "-C", str(tmp_path), "--strip-components=1", "--one-top-level=dist")
    built = run("make", "-s", "-C", f"{tmp_path}/dist", "CFLAGS=-O0", "INFO=", "WASM=", "build/release/mapwright",
                timeout=1200)
    assert built.returncode == 0, built.stderr
    words = ["regions", "seed=7", "format=json"]
    assert run(f"{tmp_path}/dist/build/release/mapwright", *words).stdout == run(f"{BUILD}/mapwright", *words).stdout


@pytest.mark.skipif("SHORT" in os.environ, reason="packages are built in make test-all")
def test_the_packages_for_debian(tmp_path):
    made = run("make", "deb", timeout=1800)
    assert made.returncode == 0, made.stderr[-2000:]
    folder = f"{ROOT}/build/deb"
    changes = glob.glob(f"{folder}/*.changes")
    judged = run("lintian", "--fail-on=error,warning", *changes)
    assert judged.returncode == 0, judged.stdout
    names = {os.path.basename(path).split("_")[0] for path in glob.glob(f"{folder}/*.deb")}
    assert {"mapwright", "mapwrightd", "libmapwright0", "libmapwright-dev"} <= names
    for package in glob.glob(f"{folder}/*.deb"):
        run("dpkg-deb", "-x", package, str(tmp_path))
    words = ["regions", "seed=7", "format=json"]
    assert run(f"{tmp_path}/usr/bin/mapwright", *words).stdout == run(f"{BUILD}/mapwright", *words).stdout
    assert "ExecStart=/usr/bin/mapwrightd\n" in (tmp_path / "lib/systemd/system/mapwrightd.service").read_text()
    run("dpkg-deb", "-e", *glob.glob(f"{folder}/mapwrightd_*.deb"), f"{tmp_path}/control")
    assert "enable 'mapwrightd.service'" in (tmp_path / "control/postinst").read_text()


@pytest.mark.parametrize("file, pattern", [
    ("CHANGES.md", r"\n## \[(.*?)\] - 20"), ("Dockerfile", r"\nARG VERSION=(.*)"), ("openapi.yaml", r'\n  version: "(.*)"'),
    ("deploy/debian/changelog", r"^mapwright \((.*)\) "), ("deploy/compose.yaml", "mapwright:([0-9].*)"),
    ("deploy/README.md", "mapwright:([0-9]\\S*)"), ("deploy/kubernetes/base/deployment.yaml", "mapwright:([0-9].*)"),
    ("deploy/kubernetes/overlays/production/kustomization.yaml", "newTag: (.*)}"),
    ("bindings/unity/package.json", '"version": "(.*)"'), ("packages/mapwright/package.json", '"version": "(.*)"')])
def test_the_version_is_that_of_the_header(file, pattern):
    """`make version` writes it; CHANGES.md begins with it."""
    version = re.search(r'MW_VERSION "(.*)"', read("../include/mapwright.h"))[1]
    assert re.search(pattern, read(f"../{file}"))[1] == version


@pytest.mark.skipif("SHORT" in os.environ, reason="compiled in make test-all")
def test_the_library_compiles_for_macos():
    """But for setjmp.h of the host."""
    sources = {*glob.glob(f"{ROOT}/src/[lkgea]*/**/*.c", recursive=True)} - {f"{ROOT}/src/lib/escape.c"}
    sources -= {*glob.glob(f"{ROOT}/src/api/*")}
    done = run("clang", "-target", "arm64-apple-macos13", "-nostdlibinc", "-isystem", "src/wasm/include", "-fsyntax-only", "-w",
               "-std=c11", "-Iinclude", "-Isrc", *sources, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")


# ---- the workflow ---------------------------------------------------------------------------------

LINT = """{extends: default, rules: {line-length: {max: 120}, document-start: disable, comments: disable,
          truthy: {check-keys: false}, braces: {max-spaces-inside: 1}}}"""
WORKFLOW = "../.github/workflows/build.yml"


def test_the_workflow_is_well_formed():
    linted = run("yamllint", "--strict", "-d", LINT, f"{DEPLOY}/{WORKFLOW}")
    assert (linted.returncode, linted.stdout) == (0, "")
    flow = yaml.safe_load(read(WORKFLOW))
    assert {"name", "permissions", "jobs"} <= flow.keys() and flow[True].keys() == {"push", "pull_request"}
    for job in flow["jobs"].values():
        assert {"runs-on", "steps", "timeout-minutes"} <= job.keys() and set(job.get("needs", [])) <= flow["jobs"].keys()
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step) and step.keys() <= {"name", "if", "uses", "with", "run", "env"}
            assert "uses" not in step or re.fullmatch(r"[a-z]+/[a-z-]+@v\d+", step["uses"])


def test_the_workflow_asks_for_what_there_is():
    text = read(WORKFLOW)
    targets = set(re.findall(r"^([\w-]+)[^:=\n]*:(?!=)", read("../Makefile"), re.M))
    asked = set(re.findall(r"run: make ([a-z-]+)$", text, re.M))
    assert len(asked) > 5 and asked <= targets, asked - targets
    assert "run: .ci/run" in text and os.access(f"{ROOT}/.ci/run", os.X_OK)
    assert set(re.findall(r"\$\{\{ (\w+)\.", text)) == {"github", "vars", "secrets"}
    code = re.sub(r"^ *#.*", "", text, flags=re.M)
    assert not re.search(r"https?://|\b[a-z][\w-]*\.(io|com|org|net|dev)\b", code), "hosts are variables"


# ---- elsewhere than on Debian -----------------------------------------------------------------------


def test_elsewhere_it_says_what_is_needed():
    """The compiler is asked for headers where there is no dpkg."""
    assert run("make", "-s", "deps", "DPKG=").returncode == 0
    refused = run("make", "-s", "deps", "DPKG=", "CC=false")
    assert refused.returncode == 2 and "Docker or WSL" in refused.stdout
    assert re.search("libmicrohttpd, jansson.* does not find: microhttpd.h jansson.h ", refused.stdout, re.S)
    sources = "".join(open(file).read() for file in glob.glob(f"{ROOT}/src/srv/**/*.[ch]", recursive=True))
    for header in re.search("BUILD_HEADERS := (.*)", read("../Makefile"))[1].split():
        assert f"#include <{header}>" in sources


# ---- completion -----------------------------------------------------------------------------------

BASH = """
compopt() { :; }
. deploy/mapwright.bash
COMP_LINE=$1 COMP_POINT=${#1}
_${1%% *}
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What the shell itself does in a completion is played here: it offers what begins with the word.
ZSH = """
compadd() {
    local -a offered; local given
    while [[ $1 == -* && $1 != -- ]]; do [[ $1 == -a ]] && given=array; [[ $1 == -S ]] && shift; shift; done
    [[ $1 == -- ]] && shift
    [[ $given == array ]] && offered=(${(P)1}) || offered=($@)
    print -l -- ${(M)offered:#$PREFIX*}
}
_files() { print -l -- $PREFIX*(N) }
compset() { PREFIX=${PREFIX##${~2}} }
words=(${(z)1}); [[ $1 == *' ' ]] && words+=('')
CURRENT=$#words PREFIX=$words[-1] service=$words[1]
. deploy/_mapwright
"""
FISH = """
source deploy/mapwright.fish
complete -C$argv | string replace -r '\\t.*' ''
"""
SHELLS = {"bash": ["-c", BASH, "bash"], "zsh": ["-fc", ZSH, "zsh"], "fish": ["--no-config", "-c", FISH]}


@pytest.fixture(params=SHELLS)
def completed(request):
    """What the shell offers for the last word of a line. bash offers the part after `=`."""
    shell = request.param

    def ask(line):
        result = run(shell, *SHELLS[shell], line, env=os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}"})
        assert not result.stderr
        return {word.split("=")[-1] or word if "=" in line else word for word in result.stdout.split()}
    return ask


def test_completion(completed):
    assert completed("mapwright reg") == {"regions"}
    assert {"list", "islands", "puzzle/solve"} <= completed("mapwright ")
    assert "islands" in completed("mapwright -o map.svg "), "a generator may stand anywhere"
    assert completed("mapwright regions wi") == {"width="}
    assert {"width=", "seed="} <= completed("mapwright regions ")
    assert completed("mapwright regions width=10 ro") == {"roughness="}
    assert completed("mapwright regions --rou") == {"--roughness="}
    assert completed("mapwright regions grid=") == {"hex", "square"}
    assert completed("mapwright regions --grid=") == {"hex", "square"}
    assert {"dfs-backtrack", "dfs"} == completed("mapwright areas algorithm=dfs")
    assert completed("mapwright regions format=p") == {"png", "pdf"}
    assert completed("mapwright --he") == {"--help"}


@pytest.mark.parametrize("before", ["regions -o ", "regions --output ", "--output="])
def test_completion_of_files(completed, before):
    assert completed(f"mapwright {before}READ") == {"README.md"}


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_of_the_service(shell):
    for begun, whole in [("--cache", "--cache-bytes="), ("--heal", "--health")]:
        result = run(shell, *SHELLS[shell], f"mapwrightd {begun}",
                     env=os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}"})
        assert result.stdout.split() == [whole]


# ---- Kubernetes, Compose, Prometheus, nginx ---------------------------------------------------------


def manifests(text):
    """What Kubernetes' own schemas say of them."""
    tools = run(f"{ROOT}/tests/npm.sh", "deploy").stdout.strip()
    return run("node", f"{ROOT}/tests/deploy/manifests.mjs", input=text, env=os.environ | {"TOOLS": tools})


STORE = ["Deployment mapwright-store", "NetworkPolicy mapwright-store", "Service mapwright-store"]
BASE = ["Deployment mapwright", "NetworkPolicy mapwright", "PodDisruptionBudget mapwright", "Service mapwright"]


def test_manifests_are_what_kubernetes_takes():
    files = sorted(glob.glob(f"{DEPLOY}/kubernetes/base/[!k]*.yaml"))
    result = manifests("---\n".join(open(file).read() for file in files))
    assert result.returncode == 0, result.stdout
    assert sorted(result.stdout.splitlines()) == BASE
    scale = manifests(read("kubernetes/overlays/production/scale.yaml"))
    assert scale.stdout == "HorizontalPodAutoscaler mapwright\n"
    store = manifests("---\n".join(read(f"kubernetes/components/store/{name}.yaml") for name in ("store", "network")))
    assert sorted(store.stdout.splitlines()) == STORE


@pytest.mark.skipif(not shutil.which("kubectl"), reason="no kubectl")
@pytest.mark.parametrize("folder, more", [("base", []), ("overlays/production", [*STORE, "HorizontalPodAutoscaler mapwright"])])
def test_overlays_fit_their_base(folder, more):
    whole = run("kubectl", "kustomize", f"{DEPLOY}/kubernetes/{folder}")
    assert (whole.returncode, whole.stderr) == (0, "")
    result = manifests(whole.stdout)
    assert result.returncode == 0 and sorted(result.stdout.splitlines()) == sorted(BASE + more), result.stdout


def test_compose_is_understood():
    result = run("docker-compose", "-f", f"{DEPLOY}/compose.yaml", "config", "--services")
    assert (result.returncode, result.stderr) == (0, "")
    assert sorted(result.stdout.split()) == ["edge", "grafana", "one", "prometheus", "store", "two"]


def test_what_it_is_made_of():
    """Each library by the package that it is from, as the loader finds it."""
    result = run(f"{DEPLOY}/sbom.py", f"{BUILD}/mapwrightd")
    assert result.returncode == 0, result.stderr
    bom = json.loads(result.stdout)
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.5")
    versions = {one["name"]: one["version"] for one in bom["components"]}
    assert {"libmicrohttpd12", "libjansson4", "libuuid1", "zlib1g", "libzstd1", "libc6"} <= versions.keys()
    needed = [line for line in read("../Dockerfile").splitlines() if "libmicrohttpd12" in line][0]
    assert set(re.findall(r"\b(?:lib|zlib)\S+", needed)) <= versions.keys()
    for name, version in versions.items():
        assert run("dpkg-query", "-W", "-f", "${Version}", name).stdout == version


def test_prometheus_takes_its_files():
    result = run("promtool", "check", "config", "--syntax-only", f"{DEPLOY}/prometheus/prometheus.yml")
    assert result.returncode == 0, result.stderr


# ---- the image ---------------------------------------------------------------------------------------


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def health_command():
    """HEALTHCHECK of the Dockerfile, as Docker reads it."""
    text = read("../Dockerfile").replace("\\\n", "")
    (words,) = re.findall(r"^HEALTHCHECK (?:--\S+ )*CMD (\[.*\])$", text, re.M)
    return json.loads(words)


@pytest.fixture(name="check")
def _check(tmp_path):
    """Runs it in this build's stead of an image, where process 1 has these words."""
    def check(*first, **environment):
        (tmp_path / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in first))
        words = [word.replace("/usr/bin/mapwrightd", f"{BUILD}/mapwrightd")
                 .replace("/proc/1/cmdline", f"{tmp_path}/cmdline") for word in health_command()]
        return run(*words, env={"PATH": os.environ["PATH"]} | environment).returncode
    return check


def test_the_image_is_checked_where_it_listens(check):
    """By the words of the service, be it the first process or one of an init, and by the environment."""
    port, other = free_port(), free_port()
    service, init = "/usr/bin/mapwrightd", ["/sbin/docker-init", "--"]
    with subprocess.Popen([f"{BUILD}/mapwrightd", f"--port={port}"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        try:
            assert "serving on" in process.stderr.readline()
            for words in ([service, f"--port={port}"], [service, "--log=off", "--port", f"{port}"],
                          [*init, service, f"--port={port}"], ["mapwrightd", f"--port={port}"]):
                assert check(*words) == 0, words
                assert check(*words, MAPWRIGHT_PORT=str(other)) == 0, "flags count"
            for words in ([service], [*init, service], ["/sbin/init", "splash"]):
                assert check(*words, MAPWRIGHT_PORT=str(port)) == 0, words
                assert check(*words, MAPWRIGHT_PORT=str(other)) != 0, words
            assert check(service, f"--port={other}") != 0
            assert check(service, f"--port={port}", f"--admin-port={other}") != 0
        finally:
            process.terminate()
            process.communicate(timeout=600)


# ---- the names that all of it uses -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["compose.yaml", "mapwrightd.service", "nginx.conf", "mapwright.bash",
                                  "kubernetes/base/deployment.yaml", "kubernetes/overlays/production/edge.yaml",
                                  "kubernetes/components/store/copies.yaml", "README.md"])
def test_settings_are_those_that_there_are(name):
    known = settings()
    text = read(name)
    for variable in re.findall(r"MAPWRIGHT_([A-Z_]+[A-Z])", text):
        assert variable.lower().replace("_", "-") in known, variable
    for flag in re.findall(r"mapwrightd? --([a-z-]+)|MAPWRIGHTD --([a-z-]+)", text):
        assert set(flag) & (known.keys() | {"help", "health", "version"}), flag
