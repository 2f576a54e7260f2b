"""The command `mapwright`, as people and scripts use it: right uses, wrong uses, exit statuses.

MAPWRIGHT names the binary; build/release/mapwright by default. What is expected of every generator is
asked of every generator that `mapwright list` names.
"""
import fcntl
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import termios
import uuid

import pyte
import pytest
from maps import BINARY, ROOT

sys.path.append(str(ROOT / "tests/http"))
from contract import CONTRACT, spell  # noqa: E402

DONE, CANNOT, MISTAKEN, NO_MAP = range(4)


def run(*words, **more):
    return subprocess.run([BINARY, *words], capture_output=True, timeout=600, **more)


def lines(stream):
    return stream.decode().splitlines()


def made(*words):
    done = run(*words)
    assert (done.returncode, done.stderr) == (DONE, b""), done.stderr.decode()
    return done.stdout


def refused(status, *words, **more):
    """The lines on standard error of a command that must fail in that way and print nothing."""
    done = run(*words, **more)
    assert done.returncode == status, done.stderr.decode()
    assert done.stdout == b""
    said = lines(done.stderr)
    assert said and all(line.startswith("mapwright: ") for line in said)
    return [line[len("mapwright: "):] for line in said]


GENERATORS = {generator.name: generator for generator in CONTRACT.generators}
each_generator = pytest.mark.parametrize("name", GENERATORS)


def example(name):
    """The request that the OpenAPI document shows, as words."""
    return [f"{key}={spell(value)}" for key, value in GENERATORS[name].examples[-1].items()]


def formats(name):
    return GENERATORS[name].formats


# ---- what is there ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_explains_use_and_exit_statuses(word):
    said = made(word).decode()
    for part in ["usage:", "list", "--json", "--memory", "--output", "Exit status", *GENERATORS]:
        assert part in said
    assert max(map(len, said.splitlines())) <= 80, "a terminal holds it"
    assert said == made("list", word).decode()
    assert re.fullmatch(rb"mapwright \d+\.\d+\.\d+\n", made("--version")) and made("-V") == made("--version")
    assert [line.split()[0] for line in lines(made("list"))] == list(GENERATORS)


@each_generator
def test_help_of_a_generator_names_its_parameters_ranges_and_formats(name):
    said = made(name, "--help").decode()
    for key, field in GENERATORS[name].fields.items():
        assert re.search(rf"^  {key}[= ]", said, re.M), key
        if "default" in field:
            assert f"  {key}={spell(field['default'])} " in said
        for choice in field.get("enum", []):
            assert choice is None or choice in said
    for name_of_format in formats(name):
        assert re.search(rf"^  {name_of_format} ", said, re.M)
    assert max(map(len, said.splitlines())) <= 80, "a terminal holds it"
    assert said == made("--help", name).decode() == made("/" + name, "-h").decode()


# ---- maps ---------------------------------------------------------------------------------------------


@each_generator
def test_a_self_address_gives_the_same_bytes_in_every_format(name):
    words = example(name)
    address = json.loads(made(name, *words))["self"]
    answer = json.loads(made(name, *words))
    assert (answer["generator"], answer["id"]) == (name, str(uuid.uuid5(uuid.NAMESPACE_URL, address)))
    path, query = address.split("?", 1)
    for form in formats(name):
        bytes_of_form, suffix = made(name, *words, f"format={form}"), {"text": "txt"}.get(form, form)
        assert bytes_of_form == made(address, f"format={form}") == made(f"{path}.{suffix}?{query}")
        assert bytes_of_form == made(f"{address}&format={form}") == made(f"{path[1:]}.{form}", *words)
    assert made(address) == made(name, *words)


SHORT = ["regions", "width=10", "height=5", "count=2", "seed=7"]


@pytest.mark.parametrize("words, more", [
    ([*SHORT[:1], *reversed(SHORT[1:])], []), ([*SHORT, "-o", "-"], []), ([*SHORT, "--memory=4M"], []),
    (["/regions.svg?width=10&height=5", "count=2", "seed=7", "format=json"], []),
    (["/regions?width=9&height=5&count=2&width=10&seed=7"], []),
    (["regions", "width=9", "seed=1", "height=5", "count=2", "width=10", "seed=7"], []),
    (["HTTPS://maps.example/regions.svg?width=10&height=5&count=2&seed=7"], ["format=svg"]),
    ([*SHORT, "--grid_lines", "--format=svg"], ["grid_lines=true", "format=svg"]),
    (["--width=10", "--height", "5", "regions", "count=2", "--seed=7", "format=svg"], ["format=svg"]),
    (["/regions.svg?width=9&seed=7", "--height=5", "--width=10", "--", "count=2"], ["format=svg"]),
], ids=lambda words: " ".join(words[:4]))
def test_a_map_may_be_asked_for_in_many_ways(words, more):
    assert made(*words) == made(*SHORT, *more)


@pytest.mark.parametrize("words, seed", [
    (["/regions?width=4&height=2&count=1&mask=%23%23../%23%23..&seed=a%20b+c"], "a b c"),
    (["regions", "width=4", "height=2", "count=1", "mask=##../##..", "seed=a%20b+c"], "a%20b+c")])
def test_addresses_are_decoded_and_words_are_not(words, seed):
    answer = json.loads(made(*words))
    assert (answer["parameters"]["mask"], answer["seed"]) == (["##..", "##.."], seed)


@pytest.mark.parametrize("words, told", [
    (["width=6", "height=6", "count=2"], r"again: mapwright '(/regions\?[^']*seed=(\d+))'\n"),
    (["mask=" + "/".join(["#" * 60] * 60)], r"again: the same with (seed=(\d+))\n")])
def test_a_seed_left_out_is_drawn_and_told(words, told):
    """A long address is not told whole."""
    seeds = set()
    for _ in range(3):
        done = run("regions", *words)
        again, seed = re.fullmatch(told, done.stderr.decode()).groups()
        assert done.returncode == DONE and 0 <= int(seed) < 2**53
        assert made(*([again] if again[0] == "/" else ["regions", *words, again])) == done.stdout
        seeds.add(seed)
    assert len(seeds) == 3


# ---- files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, field, text, value", [
    *((["regions", "count=1"], "mask", text, "##../####") for text in (
        "##..\n####", "##..\r\n####\r\n", "##../####\n", ' \n["##..",\n "####"]')),
    (["regions", "width=10", "height=10", "count=3"], "sizes", "20\n30\n50\n", "20,30,50"),
    (["regions", "width=10", "height=10", "count=3"], "sizes", "[20, 30, 50]", "20,30,50"),
    (["starlanes"], "positions", "[[1,2],[30,40],[5,60]]\n", "1,2;30,40;5,60")])
def test_a_value_from_a_file(tmp_path, words, field, text, value):
    file = tmp_path / "value"
    file.write_bytes(text.encode())
    expected = made(*words, f"{field}={value}", "seed=7")
    assert made(*words, f"{field}=@{file}", "seed=7") == expected
    done = run(*words, f"{field}=@-", "seed=7", input=text.encode())
    assert (done.returncode, done.stdout) == (DONE, expected)


@pytest.mark.parametrize("text", ["[[1,2],[3,4]", '[[1,2],[3,4]],"seed":4'])
def test_json_that_is_none(tmp_path, text):
    file = tmp_path / "value.json"
    file.write_text(text)
    lines = refused(MISTAKEN, "starlanes", "seed=7", f"positions=@{file}")
    assert lines == ["positions: must be a JSON array in its file, or have an element or a row on each line"]


def test_a_file_without_end(tmp_path):
    """It is not read until memory is full; the longest value that a parameter takes is."""
    said = ["must be at most 67108864 bytes, more than any parameter needs"]
    assert refused(MISTAKEN, "regions", "mask=@/dev/zero") == [f"/dev/zero: {said[0]}"]
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        assert refused(MISTAKEN, "regions", "mask=@-", stdin=endless.stdout) == [f"standard input: {said[0]}"]
        endless.stdout.close()
    file, space = tmp_path / "value", " " * 60
    file.write_text("[" + ",".join(f"[{8388607 - n % 500},{space}{8388607 - n // 500}]" for n in range(200000)) + "]")
    assert refused(MISTAKEN, "starlanes", "homes=200000", "seed=7",
                   f"positions=@{file}")[0].startswith("homes"), "it was read"


def test_output_to_a_file_takes_the_format_from_its_suffix(tmp_path):
    for name, form in [("m.svg", "svg"), ("m.json", "json"), ("m.text", "text"), ("m.txt", "text"), ("m", "json"),
                       ("a.b/m", "json")]:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        for option in (["-o", str(file)], [f"-o{file}"], [f"--output={file}"]):
            assert made(*SHORT, *option) == b""
            assert file.read_bytes() == made(*SHORT, f"format={form}")
    assert made(*SHORT, "-o", str(tmp_path / "m.svg"), "format=text") == b""
    assert (tmp_path / "m.svg").read_bytes() == made(*SHORT, "format=text")


def test_every_parameter_is_an_option():
    for name in GENERATORS:
        words = [f"--{word}" for word in example(name)]
        assert made(name, *words, "--format=json") == made(name, *example(name), "format=json")


def test_a_refused_request_leaves_the_file_alone(tmp_path):
    file = tmp_path / "map.json"
    file.write_text("old")
    refused(MISTAKEN, "regions", "width=0", "-o", str(file))
    refused(NO_MAP, "regions", "width=2", "height=2", "count=5", "seed=7", "-o", str(file))
    assert file.read_text() == "old"


def full_at(size):
    """Files end there, as on a disk that is full then."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


LARGE = ["regions", "width=99", "height=99", "count=1", "seed=7"]


@pytest.mark.parametrize("size", [0, 1000, 20000])
def test_a_full_disk_leaves_the_old_file(tmp_path, size):
    file = tmp_path / "map.json"
    file.write_text("old")
    for path in (file, tmp_path / "new.json"):
        said = refused(CANNOT, *LARGE, "-o", str(path), **full_at(size))
        assert said == [f"cannot write {path}: File too large"]
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file], "nothing is left of what was written"


def test_permissions_of_a_file_are_kept(tmp_path):
    """A new one has those that the umask leaves."""
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text("old")
    old.chmod(0o604)
    for file in (old, new):
        done = run(*LARGE, "-o", str(file), preexec_fn=lambda: os.umask(0o027))
        assert done.returncode == DONE and file.read_bytes() == made(*LARGE)
    assert [file.stat().st_mode & 0o7777 for file in (old, new)] == [0o604, 0o640]
    assert sorted(tmp_path.iterdir()) == [new, old]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_of_a_file_is_kept(tmp_path):
    file = tmp_path / "map.json"
    file.write_text("old")
    os.chown(file, 65534, 65534)
    refused(CANNOT, *LARGE, "-o", str(file), **full_at(1000))
    assert file.read_text() == "old", "it is replaced, too"
    assert made(*LARGE, "-o", str(file)) == b""
    assert (file.stat().st_uid, file.stat().st_gid) == (65534, 65534)


def test_output_to_a_file_with_a_long_name(tmp_path):
    file = tmp_path / ("a" * 250 + ".json")
    assert made(*LARGE, "-o", str(file)) == b"" and file.read_bytes() == made(*LARGE)
    assert list(tmp_path.iterdir()) == [file]


def test_output_through_links(tmp_path):
    """By a symbolic link to what it names, there already or not; a second name of a file stays one."""
    there, absent, twin = (tmp_path / "there", tmp_path / "absent", tmp_path / "twin")
    there.mkdir()
    (there / "map.json").write_text("old")
    for link, target in ((tmp_path / "link.json", there / "map.json"), (tmp_path / "loose.json", absent)):
        link.symlink_to(target)
        assert made(*LARGE, "-o", str(link)) == b""
        assert link.is_symlink() and target.read_bytes() == made(*LARGE)
    twin.hardlink_to(absent)
    assert made(*SHORT, "-o", str(twin)) == b"" and absent.read_bytes() == twin.read_bytes() == made(*SHORT)


def test_output_to_what_is_no_file(tmp_path):
    """A pipe, and standard output by its name, whatever that is."""
    pipe, file = tmp_path / "pipe.json", tmp_path / "map.json"
    os.mkfifo(pipe)
    process = subprocess.Popen([BINARY, *LARGE, "-o", str(pipe)])
    assert pipe.read_bytes() == made(*LARGE) and process.wait(60) == DONE and pipe.is_fifo()
    assert made(*LARGE, "-o", "/dev/stdout", "format=json") == made(*LARGE)
    with open(file, "wb") as stream:
        inode = os.fstat(stream.fileno()).st_ino
        subprocess.run([BINARY, *LARGE, "-o", "/dev/stdout", "format=json"], stdout=stream, check=True)
    assert file.stat().st_ino == inode and file.read_bytes() == made(*LARGE), "written by whoever has it open"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_output_where_the_folder_takes_no_file(tmp_path):
    """One that may be written is, and one that may not is refused."""
    open_file, closed = tmp_path / "open.json", tmp_path / "closed.json"
    for file, mode in ((open_file, 0o666), (closed, 0o644)):
        file.write_text("old")
        file.chmod(mode)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    program = shutil.copy(BINARY, tmp_path)  # the tree may lie where nobody else may look
    nobody = {"user": 65534, "group": 65534, "extra_groups": [], "executable": program}
    assert run(*LARGE, "-o", str(open_file), **nobody).returncode == DONE
    assert open_file.read_bytes() == made(*LARGE)
    said = refused(CANNOT, *LARGE, "-o", str(closed), **nobody)
    assert said == [f"cannot write {closed}: Permission denied"] and closed.read_text() == "old"


@pytest.mark.parametrize("words", [["regions", "seed=7"], ["list", "--json"], ["--help"], ["--version"]])
def test_a_full_disk_or_a_closed_output_is_noticed(words, tmp_path):
    for redirection, said in ((">/dev/full", "cannot write: No space left on device"),
                              (">&-", "cannot write: Bad file descriptor")):
        done = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", BINARY, *words], stderr=subprocess.PIPE,
                              text=True)
        assert (done.returncode, done.stderr) == (CANNOT, f"mapwright: {said}\n")
    for file, said in (("/dev/full", "No space left on device"),
                       (tmp_path / "no" / "map.json", "No such file or directory")):
        assert refused(CANNOT, "regions", "seed=7", "-o", str(file)) == [f"cannot write {file}: {said}"]


@pytest.mark.parametrize("ignored, status", [(True, CANNOT), (False, -signal.SIGPIPE)])
def test_a_reader_that_leaves_is_noticed(ignored, status):
    reader, writer = os.pipe()
    os.close(reader)
    what = signal.SIG_IGN if ignored else signal.SIG_DFL
    done = subprocess.run([BINARY, "regions", "seed=7"], stdout=writer, stderr=subprocess.PIPE,
                          restore_signals=False, preexec_fn=lambda: signal.signal(signal.SIGPIPE, what))
    os.close(writer)
    assert done.returncode == status
    assert done.stderr == (b"mapwright: cannot write: Broken pipe\n" if ignored else b"")


# ---- a terminal -----------------------------------------------------------------------------------------


PAINT = re.compile(r"\x1b\[0(;48;5;\d+)?(;38;5;\d+)?m")


def on_terminal(*words, columns=0, told="stdout", **environment):
    """Exit code, what a terminal shows of stdout (or of the stream `told`), and the text of the other stream."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | environment
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {told: theirs}
    process = subprocess.Popen([BINARY, *words], env={name: value for name, value in kept.items() if value is not None},
                               **streams)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass  # that is the end
    os.close(ours)
    said = (process.stderr or process.stdout).read()
    return process.wait(), shown.replace(b"\r\n", b"\n"), said


def test_a_terminal_gets_text_in_colours():
    coloured = made(*SHORT, "format=text", "color=true")
    assert on_terminal(*SHORT) == on_terminal(*SHORT, NO_COLOR="") == (DONE, coloured, b"")
    assert on_terminal(*SHORT, "color=true", NO_COLOR="1")[1] == coloured
    assert on_terminal("/regions.txt?width=10&height=5&count=2&seed=7")[1] == coloured
    assert on_terminal(*SHORT, "format=json") == (DONE, made(*SHORT, "format=json"), b"")


def test_a_terminal_whose_user_wants_no_colours(tmp_path):
    plain = made(*SHORT, "format=text")
    assert on_terminal(*SHORT, "color=false") == (DONE, plain, b"")
    assert on_terminal("/regions?color=false", *SHORT[1:])[1] == plain
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
        assert on_terminal(*SHORT, **environment) == (DONE, plain, b"")
    assert on_terminal(*SHORT, "-o", str(tmp_path / "map.txt"))[0] == DONE
    assert (tmp_path / "map.txt").read_bytes() == plain


def screen_of(shown, columns):
    """What a terminal of so many columns shows, and as high as it wants to be; each line in its row."""
    lines = shown.decode().split("\n")
    screen = pyte.Screen(columns, len(lines) + 9)
    pyte.Stream(screen).feed(shown.decode().replace("\n", "\r\n"))
    plain = [PAINT.sub("", line) for line in lines]
    assert [row.rstrip() for row in screen.display[:len(plain)]] == [line.rstrip() for line in plain]
    return screen, len(plain) - 1


@pytest.mark.parametrize("words", [
    ["regions", "seed=7"], ["areas", "count=4", "seed=7"], ["islands", "width=90", "height=60", "seed=7"],
    ["starlanes", "stars=1000", "shape=spiral", "seed=7"], ["puzzle/generate", "width=40", "height=4", "seed=7"],
    ["puzzle/solve", "grid=A..B/.C../.CA./B..."],
    ["regions", "width=300", "height=100", "grid=square", "count=20", "seed=7"]],
    ids=" ".join)
def test_a_map_fits_the_terminal(words):
    for columns, tables, environment in ((133, "false", {}), (40, "true", {}), (40, "true", {"NO_COLOR": "1"})):
        status, shown, _ = on_terminal(*words, f"tables={tables}", columns=columns, **environment)
        assert status == DONE and (b"\x1b" in shown) == (not environment)
        screen_of(shown, columns)
    assert made(*words, "format=text") == on_terminal(*words, columns=80, NO_COLOR="1")[1]
    assert made(*words, "format=text", "columns=40") == on_terminal(*words, columns=40, NO_COLOR="1")[1]
    for columns, drawn in ((1, 20), (2000, 1000), (0, 80)):  # one that does not say how wide it is is 80 columns wide
        assert on_terminal(*words, columns=columns, NO_COLOR="1")[1] == made(*words, "format=text", f"columns={drawn}")


def test_the_coloured_map_has_no_stripes():
    """Not a blank of the terminal's own colour in a map that is all land, be it as it is or halved."""
    for words in (["regions", "seed=7"], ["regions", "width=80", "height=40", "seed=7"],
                  ["regions", "width=160", "height=80", "grid=square", "count=12", "seed=7"]):
        screen, rows = screen_of(on_terminal(*words, columns=80)[1], 80)
        for y in range(2, rows):
            assert all(screen.buffer[y][x].bg != "default" for x in range(80)), (words, y)


def test_the_picture_is_last_and_tables_are_asked_for():
    short, long = (made("starlanes", "seed=7", "format=text", *words).decode() for words in ([], ["tables=true"]))
    assert short.count("\n") < 60 and "lanes:" not in short and long.count("\n") > 140
    assert "lanes: 0-" in long and long.endswith(short.split("\n\n")[1])
    assert max(map(len, long.split("\n"))) <= 80
    for words in (["islands", "seed=7"], ["regions", "seed=7"]):
        assert not re.search(r"^id +size", made(*words, "format=text").decode(), re.M)
        assert re.search(r"^id +size", made(*words, "format=text", "tables=true").decode(), re.M)


@pytest.mark.parametrize("columns", [80, 20])
def test_a_hint_is_told_in_words(columns):
    words = ["puzzle/solve", "grid=A..B/.C../.CA./B...", "hint=true"]
    hint = json.loads(made(*words, "format=json"))["result"]["hint"]
    shown = made(*words, "format=text", f"columns={columns}").decode()
    cells = ";".join(f"{x},{y}" for x, y in hint["cells"])
    assert f" hint: cells: {cells} reason: {hint['reason']} A . . B " in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= columns


# ---- how far it is ----------------------------------------------------------------------------------------

# Longer than half a second in any build.
LONG = ["regions", "width=1500", "height=1500", "count=15000", "seed=7"]


def watched(words, output, **environment):
    """What a terminal is told on standard error; the map goes elsewhere."""
    return on_terminal(*words, "-o", str(output), told="stderr", **environment)[:2]


def test_a_bar_shows_how_far_it_is():
    """It goes before what is wrong."""
    status, told = watched(LONG, "/dev/full")
    assert status == CANNOT
    drawn = re.findall(rb"\r([#.]{40}) +(\d+) %", told)
    assert drawn, told
    parts = [int(part) for _, part in drawn]
    assert parts == sorted(parts) and 0 <= parts[0] and parts[-1] < 100
    assert all(abs(bar.count(b"#") / 40 - int(part) / 100) < .03 for bar, part in drawn)
    assert told.endswith(b"\r\x1b[Kmapwright: cannot write /dev/full: No space left on device\n")
    assert told.count(b"\x1b[K") == told.count(b"\n") == 1


def test_no_bar_where_nobody_waits_for_it(tmp_path):
    assert watched(SHORT, tmp_path / "map.json") == (DONE, b"")
    assert watched(LONG, "/dev/null", NO_COLOR="1") == (DONE, b"")
    assert run(*LONG, "-o", "/dev/null").stderr == b""


# ---- bytes that are no text ---------------------------------------------------------------------------------


def is_text(made):
    try:
        return "\0" not in made.decode()
    except UnicodeDecodeError:
        return False


@each_generator
def test_a_terminal_gets_no_bytes_that_are_no_text(name):
    for form in formats(name):
        binary = not is_text(made(name, *example(name), f"format={form}"))
        status, shown, said = on_terminal(name, *example(name), f"format={form}")
        assert status == (MISTAKEN if binary else DONE), form
        assert bool(shown) != binary


# ---- mistakes ---------------------------------------------------------------------------------------------


def test_all_problems_at_once_each_with_its_name():
    assert b"usage:" in run().stderr and run().returncode == MISTAKEN
    said = refused(MISTAKEN, "regions", "seed=7", "sizes=600,x", "mask=##/#/.x")
    assert [line.split(": ")[0] for line in said] == ["sizes[1]", "mask[1]", "mask[2]"]
    said = refused(MISTAKEN, "regions", "width=0", "grid=round", "roughness=2", "depth=3", "seed=")
    by_name = dict(line.split(": ", 1) for line in said)
    assert by_name["width"] == "must be an integer from 1 to 4096"
    assert by_name["grid"] == "must be one of: hex, square"
    assert by_name["roughness"] == "must be a number from 0 to 1"
    assert by_name["depth"].startswith("is no parameter of regions")
    assert "string of 1 to 64 bytes" in by_name["seed"]
    assert len(said) == 5


def test_two_formats_for_one_file(tmp_path):
    """A picture that is called otherwise than it is is found out much later."""
    file = tmp_path / "map.png"
    for words in (["regions.svg"], ["/regions.svg?seed=7"], ["http://localhost/regions.svg"]):
        said = refused(MISTAKEN, *words, "-o", str(file))
        assert said == [f"the address ends in .svg, but the file is {file}: leave one of them out"]
    assert not file.exists()
    for name in ("map.svg", "map", "map.svg.part"):  # the last is no format's
        assert run("regions.svg", "seed=7", "-o", str(tmp_path / name)).returncode == DONE
        assert (tmp_path / name).read_bytes().startswith(b"<svg")


ALL_FORMATS = "must be one of: " + ", ".join(formats("regions")[:8])


@pytest.mark.parametrize("status, words, part", [
    *((MISTAKEN, [word], "is no generator: ") for word in ("/nothing?seed=7", "regions2", "/", "", "-")),
    (MISTAKEN, ["nothing", "--help"], "nothing: is no generator: there are regions, "),
    (MISTAKEN, ["http://localhost:8080"], ": is no generator: there are regions, "),
    (MISTAKEN, ["regoins"], "regoins: is no generator: did you mean regions? there are regions, "),
    (MISTAKEN, ["regions", "hieght=3"], "hieght: is no parameter of regions: did you mean height? there are width, "),
    (MISTAKEN, ["regions", "colour=true"], "colour: is no parameter of regions: did you mean color? there are width, "),
    (MISTAKEN, ["regions", "xyz=1"], "xyz: is no parameter of regions: there are width, "),
    (MISTAKEN, ["regions", "width"], "width: must be name=value"),
    (MISTAKEN, ["/regions?v=4000000&seed=7"], "v: is 4000000, but regions is at version "),
    (MISTAKEN, ["/regions?seed=%zz"], "%"),
    (MISTAKEN, ["regions", "seed=7", "format=gif"], ALL_FORMATS),
    (MISTAKEN, ["regions", "seed=7", "-o", "map.gif"], ALL_FORMATS),
    (MISTAKEN, ["/regions.gif?seed=7"], "json"), (MISTAKEN, ["regions", "seed=7", "format="], "format: "),
    (MISTAKEN, ["puzzle/generate", "seed=7", "format=vox"], "format: must be one of: json"),
    (MISTAKEN, ["regions", "seed=7", "mask=@/dev/null"], "mask: "),
    (CANNOT, ["regions", "mask=@no/such/file"], "cannot read "), (CANNOT, ["regions", "mask=@/"], "cannot read "),
    (CANNOT, ["regions", "seed=7", f"--memory={2**59}"], "--memory"),
    *((MISTAKEN, words, part) for words, part in [
        (["--nothing"], "--help"), (["regions", "--widht=3"], "did you mean --width?"), (["-x"], "-x: is no option"),
        (["regions", "-hx"], "-x: is no option"), (["--help=1"], "takes no value"), (["regions", "--width"], "value"),
        (["regions", "--json"], "list"), (["regions", "--", "--width=3"], "--width: is no parameter"),
        (["list", "--width=3"], "no parameters"), (["regions", "--memory=0"], "--memory"), (["regions", "-o"], "value"),
        (["list", "x"], "list"), (["regions", "--memory=1T"], "number of bytes"),
        (["regions", "--memory=-1"], "number of bytes")]),
    (NO_MAP, ["regions", "width=3", "height=3", "count=10", "seed=7"], "count: is 10, more than the cells of land: 9"),
    (NO_MAP, ["regions", "width=200", "height=200", "seed=7", "--memory=64K"], "memory"),
])
def test_what_is_wrong_is_told(status, words, part):
    said = refused(status, *words)
    assert part in said[0] and said == refused(status, *words), "alike each time"


def within(size):
    """For a process that may have so many bytes of addresses."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))}


def test_a_file_that_finds_no_memory(tmp_path):
    file = tmp_path / "land.txt"
    with file.open("wb") as land:
        land.truncate(100 << 20)
    assert refused(CANNOT, "regions", f"mask=@{file}", "--memory=1M", **within(64 << 20)) == ["out of memory"]


# ---- tables -----------------------------------------------------------------------------------------------


def test_list_gives_all_tables_as_json():
    tables = json.loads(made("list", "--json"))
    assert [generator["name"] for generator in tables["generators"]] == list(GENERATORS)
    for generator in tables["generators"]:
        assert generator["formats"] == formats(generator["name"])
        names = [field["name"] for field in generator["fields"]]
        answer = json.loads(made(generator["name"], *example(generator["name"]), "format=json"))
        assert names == list(answer["parameters"])
        assert set(answer["result"]) <= {part["name"] for part in generator["parts"]}
    assert {"labels", "theme"} <= {field["name"] for field in tables["look"]}
    assert "too-hard" in {problem["slug"] for problem in tables["problems"]}


def test_the_readme_shows_what_is_drawn():
    with open(ROOT / "README.md") as file:
        told = file.read()
    address = re.search(r"'localhost:8080(/regions\.txt\?[^']*)'", told)[1]
    block = re.search(r"draws in the terminal:\n\n```\n(.*?)```", told, re.S)[1]
    assert block.strip() == made(address).decode().strip()
