"""Maps for games, the same for the same seed on every machine: the library, from Python.

    world = mapwright.make("islands", {"width": 40, "seed": 7})
    world.result["route"], world.grid("cells")[3, 5], world.encode("png")
"""
from __future__ import annotations

import json
import secrets
from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Protocol, Tuple

from ._library import Run, library

__all__ = ["Error", "Grid", "Map", "Problem", "encode", "make", "version"]

MEMORY = 4 << 30
Progress = Callable[[float], object]
Words = Tuple[bytes, bytes, bytes]


class Error(NamedTuple):
    """What is wrong at a JSON pointer: /width, or /sizes/1; "" is the whole."""

    pointer: str
    detail: str


class Problem(ValueError):
    """Why there is no map; `fault` is one of bad-param, other-version, no-result, too-hard, too-big."""

    def __init__(self, fault: str, errors: List[Error]):
        super().__init__("\n".join(f"{one.pointer[1:]}: {one.detail}" if one.pointer else one.detail for one in errors))
        self.fault, self.errors = fault, errors


class Grid(Protocol):
    """What a memoryview of a grid can do."""

    @property
    def shape(self) -> Tuple[int, int]: ...
    def __getitem__(self, place: Tuple[int, int]) -> int: ...
    def tolist(self) -> List[List[int]]: ...


class Map:
    """A map, in memory of its own, to which its grids are views."""

    def __init__(self, run: Run, words: Words):
        self._run, self._words = run, words
        self._answer: Optional[Any] = None
        self.address, self.id = run.name()

    def __repr__(self) -> str:
        return f"mapwright.make({self.address!r})"

    @property
    def answer(self) -> Any:
        """All that the service would answer: id, self, generator, version, seed, parameters, result."""
        if self._answer is None:
            self._answer = json.loads(self.encode("json"))
        return self._answer

    @property
    def result(self) -> Any:
        return self.answer["result"]

    def grid(self, name: str = "cells") -> Grid:
        """The numbers of a grid, as [y, x], to be read: numpy.asarray(world.grid()) copies nothing."""
        view: Grid = self._run.grid(name)
        return view

    def encode(self, form: str) -> bytes:
        """The map in a format: json, cbor, text, svg, png, and what else its kind has, in its own look."""
        if self._run.write(form.encode()) and self._run.written is not None:
            return self._run.written
        run = _work(self._words, MEMORY, 0, None, form=form.encode())  # in a larger block
        assert run.written is not None
        return run.written

    def __reduce__(self) -> Tuple[Any, ...]:
        """Copied and pickled as what makes it again."""
        return _made, (self._words,)


def version() -> str:
    """That of the library."""
    return str(library.mw_version().decode())


def make(address: str, parameters: Optional[Mapping[str, object]] = None, *, memory: int = MEMORY, steps: int = 0,
         progress: Optional[Progress] = None) -> Map:
    """The map of "/regions?width=60&seed=7", or of "regions" and {"width": 60, "seed": 7}.

    `progress` is told 0 to 1 now and then; what it raises ends the work. No more than so many bytes are
    used; with fewer `steps` than the map takes (0: its own budget) there is none.
    """
    words = _words(address, parameters)
    return Map(_work(words, memory, steps, progress), words)


def encode(address: str, parameters: Optional[Mapping[str, object]] = None, *, memory: int = MEMORY, steps: int = 0,
           progress: Optional[Progress] = None) -> bytes:
    """The bytes that the service would send for "/regions.svg?width=60&seed=7"."""
    run = _work(_words(address, parameters), memory, steps, progress, written=True)
    assert run.written is not None
    return run.written


def _plain(value: Any) -> Any:
    """What numpy has instead of int, float, bool and lists, as these; a grid of truths is a mask."""
    listed = value.tolist() if hasattr(value, "tolist") else None
    if isinstance(listed, list) and listed and isinstance(listed[0], list) and isinstance(listed[0][0], bool):
        return ["".join(".#"[cell] for cell in row) for row in listed]
    if listed is None:
        raise TypeError(f"a {type(value).__name__} is no parameter: give numbers, texts, lists or arrays")
    return listed


def _words(address: str, parameters: Optional[Mapping[str, object]]) -> Words:
    """What mw_ask takes: the address, JSON, and a seed where neither has one."""
    if "\0" in address:
        raise ValueError("an address holds no zero byte")
    text = json.dumps(dict(parameters or {}), default=_plain)
    return address.encode(), text.encode(), b"%d" % secrets.randbelow(1 << 53)


def _made(words: Words) -> Map:
    return Map(_work(words, MEMORY, 0, None), words)


def _work(words: Words, memory: int, steps: int, progress: Optional[Progress], written: bool = False,
          form: Optional[bytes] = None) -> Run:
    """Makes the map in a block of the size that it is expected to take, or in a larger one."""
    size = (1 << 16) + 16 * (len(words[0]) + len(words[1]))
    while True:
        run = Run(min(size, memory), steps, progress)
        expected = run.ask(*words)
        if expected > size and size < memory:
            size = 2 * expected
            continue
        if expected and run.make() and (not (written or form) or run.write(form)):
            return run
        fault, errors = run.problems()
        if fault != "too-big" or size >= memory:
            raise run.raised or Problem(fault, [Error(*error) for error in errors])
        size *= 2
