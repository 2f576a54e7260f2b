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

    def __init__(self, run: Run):
        self._run = run
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
        """The map in a format: json, cbor, text, svg, png, and what else its kind has."""
        if self._run.write(form.encode()) and self._run.written is not None:
            return self._run.written
        return encode(self.address, {"format": form})  # in a larger block, or to say what is wrong


def version() -> str:
    """That of the library."""
    return str(library.mw_version().decode())


def make(address: str, parameters: Optional[Mapping[str, object]] = None, *, memory: int = MEMORY, steps: int = 0,
         progress: Optional[Progress] = None) -> Map:
    """The map of "/regions?width=60&seed=7", or of "regions" and {"width": 60, "seed": 7}.

    `progress` is told 0 to 1 now and then; what it raises ends the work. No more than so many bytes are
    used; with fewer `steps` than the map takes (0: its own budget) there is none.
    """
    return Map(_work(address, parameters, memory, steps, progress))


def encode(address: str, parameters: Optional[Mapping[str, object]] = None, *, memory: int = MEMORY, steps: int = 0,
           progress: Optional[Progress] = None) -> bytes:
    """The bytes that the service would send for "/regions.svg?width=60&seed=7"."""
    run = _work(address, parameters, memory, steps, progress, written=True)
    assert run.written is not None
    return run.written


def _work(address: str, parameters: Optional[Mapping[str, object]], memory: int, steps: int,
          progress: Optional[Progress], written: bool = False) -> Run:
    """Makes the map in a block of the size that it is expected to take, or in a larger one."""
    if "\0" in address:
        raise ValueError("an address holds no zero byte")
    words = address.encode(), json.dumps(dict(parameters or {})).encode(), b"%d" % secrets.randbelow(1 << 53)
    size = (1 << 20) + 16 * (len(words[0]) + len(words[1]))
    while True:
        run = Run(min(size, memory), steps, progress)
        expected = run.ask(*words)
        if expected > size and size < memory:
            size = 2 * expected
            continue
        if expected and run.make() and (not written or run.write()):
            return run
        fault, errors = run.problems()
        if fault != "too-big" or size >= memory:
            raise run.raised or Problem(fault, [Error(*error) for error in errors])
        size *= 2
