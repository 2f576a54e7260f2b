"""Sheets to print, read and drawn by pdf.js."""
import subprocess

import pytest
from maps import BINARY, made, node, result
from PIL import Image

SHORT, LONG = 595, 842
WHITE = (255, 255, 255)


class Sheet:
    def __init__(self, folder, *words):
        (folder / "sheet.pdf").write_bytes(made("pdf", *words))
        self.pages = node("pdf.mjs", folder / "sheet.pdf", folder)
        self.pictures = [Image.open(folder / f"{i + 1}.png").convert("RGB") for i in range(len(self.pages))]

    def words(self, page):
        return [word for word, _, _ in self.pages[page]["words"] if word.strip()]

    def pixel(self, page, x, y):
        """At a place in points, y upward."""
        return self.pictures[page].getpixel((int(2 * x), int(2 * (self.pages[page]["height"] - y))))


def boards(sheet, page):
    """By its number: the words of its caption, and the letters on it, each with its place."""
    found = {}
    for word, x, y in sheet.pages[page]["words"]:
        if word.isdigit():
            board = found.setdefault(int(word), ([], []))
        elif word.startswith("/"):
            break
        elif len(word) == 1 and word.strip():
            board[1].append((word, x, y))
        elif word.strip():
            board[0].append(word)
    return found


def ends(made_of):
    return [(path["label"], *path["cells"][i]) for path in made_of["paths"] for i in (0, -1)]


def fit(board, made_of):
    """From cells to places on the page: by two ends, and it holds for all."""
    wanted = ends(made_of)
    assert [letter for letter, _, _ in board] == [letter for letter, _, _ in wanted]
    one, other = next((i, j) for i in range(len(wanted)) for j in range(i)
                      if wanted[i][1] != wanted[j][1] and wanted[i][2] != wanted[j][2])
    pitch = (board[one][1] - board[other][1]) / (wanted[one][1] - wanted[other][1])
    left, top = board[one][1] - pitch * wanted[one][1], board[one][2] + pitch * wanted[one][2]
    for (_, x, y), (_, column, row) in zip(board, wanted):
        assert abs(left + pitch * column - x) < pitch / 4 and abs(top - pitch * row - y) < 0.3
    # letters stand a fifth of a cell below its middle
    return lambda column, row: (left + pitch * column, top - pitch * (row - 0.2)), pitch


@pytest.mark.parametrize("words, seeds, pages", [
    (["width=7", "height=7", "seed=7", "maps=6"], [str(7 + i) for i in range(6)], 1),
    (["width=10", "height=8", "seed=(a) b", "maps=7"], ["(a) b"] + [f"(a) b {i}" for i in range(2, 8)], 2),
    (["width=30", "height=20", "seed=9007199254740991", "maps=2"], ["9007199254740991", "0"], 1),
])
def test_a_sheet_of_puzzles(words, seeds, pages, tmp_path):
    """Questions by rising effort with their numbers, how hard they are and their seeds; at the end the answers."""
    sheet = Sheet(tmp_path, "puzzle/generate", *words)
    assert len(sheet.pages) == pages + 1
    assert all((page["width"], page["height"]) == (SHORT, LONG) for page in sheet.pages)
    questions = {}
    for page in range(pages):
        questions |= {number: (page, *board) for number, board in boards(sheet, page).items()}
    answers = boards(sheet, pages)
    assert list(questions) == list(answers) == [i + 1 for i in range(len(seeds))]
    made = [(seed, result("puzzle/generate", *words[:2], f"seed={seed}")) for seed in seeds]
    for i, (seed, made_of) in enumerate(sorted(made, key=lambda one: one[1]["effort"])):
        page, caption, letters = questions[i + 1]
        assert caption == [made_of["difficulty"], f"seed {seed}"]
        (ask, large), (answer, small) = fit(letters, made_of), fit(answers[i + 1][1], made_of)
        assert small < large and large >= 12
        for path in made_of["paths"]:
            between = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in zip(path["cells"], path["cells"][1:])]
            inks = {sheet.pixel(pages, *answer(*at)) for at in between[1:-1]}
            assert len(inks) <= 1 and WHITE not in inks, "a way of one color"
            assert all(sheet.pixel(page, *ask(*cell)) == WHITE for cell in path["cells"][1:-1]), "no way is told"


@pytest.mark.parametrize("solution, pages", [("auto", 2), ("true", 1), ("false", 1)])
def test_a_sheet_without_solutions(solution, pages, tmp_path):
    sheet = Sheet(tmp_path, "puzzle/generate", "seed=3", f"solution={solution}")
    assert len(sheet.pages) == pages
    assert sheet.words(0)[0].startswith("puzzle/generate"), sheet.words(0)


def test_a_map_lies_as_it_is(tmp_path):
    sheet = Sheet(tmp_path, "starlanes", "width=1000", "height=600", "seed=7")
    (page,) = sheet.pages
    assert (page["width"], page["height"]) == (LONG, SHORT)
    made_of, night = result("starlanes", "width=1000", "height=600", "seed=7"), (0x0b, 0x10, 0x26)
    shown = sheet.pictures[0].convert("L").point(lambda level: 255 if level < 60 else 0)
    left, top, right, _ = shown.crop((0, 100, shown.size[0], shown.size[1] - 60)).getbbox()
    scale = (right - left) / 1000
    for star in made_of["stars"]:
        at = int(left + star["x"] * scale), int(100 + top + star["y"] * scale)
        assert sum(sheet.pictures[0].getpixel(at)) > 2 * sum(night), star
    assert "seed 7" in sheet.words(0)


def test_further_maps_are_those_of_the_next_seeds(tmp_path):
    sheet = Sheet(tmp_path, "regions", "width=12", "height=9", "count=3", "seed=5", "maps=8", "labels=false")
    assert len(sheet.pages) == 2
    told = [word for page in (0, 1) for word in sheet.words(page) if word.startswith("seed")]
    assert told == [f"seed {5 + i}" for i in range(8)]
    assert made("pdf", "regions", "seed=5", "maps=3") == made("pdf", "regions", "seed=5", "maps=3")


def test_seeds_that_cannot_go_on():
    words = [BINARY, "puzzle/generate", "seed=" + "x" * 62, "maps=2", "format=pdf"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 3 and not done.stdout
    assert "maps: needs seeds that go on from this one" in done.stderr, done.stderr
