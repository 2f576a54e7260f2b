"""libmapwright.so by ctypes: what mapwright.h declares, as far as it is used here."""
from __future__ import annotations

import ctypes
import ctypes.util
import mmap
import os
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Callable, List, Optional, Tuple

STOP = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64)
FITS = ctypes.CFUNCTYPE(c_bool, c_void_p)
FAULTS = ["ok", "bad-param", "other-version", "no-result", "too-hard", "too-big", "stopped"]


class Limits(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("size", c_size_t), ("steps", c_uint64), ("stop", STOP), ("stop_arg", c_void_p)]


class Problem(ctypes.Structure):
    _fields_ = [("fault", c_uint), ("pointer", c_char * 96), ("detail", c_char * 320)]


class Problems(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("dropped", c_size_t), ("list", Problem * 64)]


class Request(ctypes.Structure):
    """Its beginning: a look follows."""

    _fields_ = [("generator", c_void_p), ("params", c_void_p), ("seed", c_char_p), ("seed_given", c_bool),
                ("address", c_char_p), ("address_length", c_size_t), ("id", c_char * 37)]


class Encoder(ctypes.Structure):
    """Its beginning."""

    _fields_ = [("name", c_char_p), ("suffix", c_char_p), ("media", c_char_p), ("help", c_char_p), ("heeds", c_uint),
                ("fits", FITS)]


class Cost(ctypes.Structure):
    _fields_ = [("steps", c_uint64), ("bytes", c_uint64), ("nanoseconds", c_uint64)]


class Asked(ctypes.Structure):
    _fields_ = [("request", POINTER(Request)), ("encoder", POINTER(Encoder)), ("cost", Cost)]


class Lattice(ctypes.Structure):
    _fields_ = [("width", c_int32), ("height", c_int32), ("tiling", c_uint), ("wrap", c_uint)]


class Cells(ctypes.Structure):
    _fields_ = [("lattice", Lattice), ("at", c_void_p)]


class Bytes(ctypes.Structure):
    _fields_ = [("at", c_void_p), ("length", c_size_t)]


FUNCTIONS = {
    "mw_version": (c_char_p,),
    "mw_open": (c_void_p, POINTER(Limits)),
    "mw_ask": (POINTER(Asked), c_void_p, c_char_p, c_char_p, c_char_p),
    "mw_make": (c_void_p, c_void_p, POINTER(Request)),
    "mw_encode": (Bytes, c_void_p, POINTER(Encoder), c_void_p),
    "mw_encoder_named": (POINTER(Encoder), c_char_p),
    "mw_grid": (POINTER(Cells), c_void_p, c_char_p),
    "mw_problems": (POINTER(Problems), c_void_p),
    "mw_progress": (c_double, c_uint64, c_uint64),
}


def load() -> ctypes.CDLL:
    name = os.environ.get("MAPWRIGHT_LIBRARY") or ctypes.util.find_library("mapwright") or "libmapwright.so.0"
    try:
        found = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"{error}: `make install` puts libmapwright where it is found; else MAPWRIGHT_LIBRARY "
                          "names the file") from None
    for function, (result, *taken) in FUNCTIONS.items():
        getattr(found, function).restype, getattr(found, function).argtypes = result, taken
    return found


library = load()


class Run:
    """One block of memory, and the one run in it."""

    def __init__(self, size: int, steps: int, progress: Optional[Callable[[float], object]]):
        self.block = mmap.mmap(-1, size)
        self.start = ctypes.addressof(c_char.from_buffer(self.block))
        self.raised: Optional[BaseException] = None
        self.written: Optional[bytes] = None
        self.asked: Any = None
        self.map: Optional[int] = None
        self.stop = STOP(self._teller(progress)) if progress else STOP(0)  # held: C calls it
        self.run = library.mw_open(Limits(self.start, size, steps, self.stop, None))
        if not self.run:
            raise MemoryError(f"{size} bytes are too few for any map")

    def _teller(self, progress: Callable[[float], object]) -> Callable[[Optional[int], int], bool]:
        def tell(_: Optional[int], steps: int) -> bool:
            try:
                progress(library.mw_progress(steps, self.asked.contents.cost.steps))
            except BaseException as raised:  # pylint: disable=broad-except
                self.raised = raised
            return self.raised is not None
        return tell

    def ask(self, address: bytes, parameters: bytes, seed: bytes) -> int:
        """The bytes that it is expected to take; 0: something is wrong."""
        self.asked = library.mw_ask(self.run, address, parameters, seed)
        return int(self.asked.contents.cost.bytes) if self.asked else 0

    def name(self) -> Tuple[str, str]:
        request = self.asked.contents.request.contents
        return request.address.decode(), request.id.decode()

    def make(self) -> bool:
        self.map = library.mw_make(self.run, self.asked.contents.request)
        return self.map is not None

    def write(self, form: Optional[bytes] = None) -> bool:
        """In the format that was asked for, or another."""
        encoder = library.mw_encoder_named(form) if form else self.asked.contents.encoder
        if not encoder or not encoder.contents.fits(self.asked.contents.request.contents.generator):
            return False
        got = library.mw_encode(self.run, encoder, self.map)
        if got.at:
            self.written = ctypes.string_at(got.at, got.length)
        return bool(got.at)

    def grid(self, name: str) -> Any:
        """A view of the block, which lives as long as the view does."""
        cells = library.mw_grid(self.map, name.encode())
        if not cells:
            raise KeyError(name)
        lattice, begin = cells.contents.lattice, cells.contents.at - self.start
        length = 4 * lattice.width * lattice.height
        view = memoryview(self.block)[begin:begin + length]
        return view.cast("i", (lattice.height, lattice.width)).toreadonly()

    def problems(self) -> Tuple[str, List[Tuple[str, str]]]:
        found = library.mw_problems(self.run).contents
        rows = [(row.pointer.decode(), row.detail.decode()) for row in found.list[:found.count]]
        return FAULTS[found.list[0].fault], rows
