"""libmapwright.so by ctypes: what mapwright.h declares, as far as it is used here."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Callable, List, Optional, Tuple

STOP = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64)
FAULTS = ["ok", "bad-param", "other-version", "no-result", "too-hard", "too-big", "stopped"]


class Limits(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("size", c_size_t), ("steps", c_uint64), ("stop", STOP), ("stop_arg", c_void_p)]


class Problem(ctypes.Structure):
    _fields_ = [("fault", c_uint), ("pointer", c_char * 96), ("detail", c_char * 320)]


class Problems(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("dropped", c_size_t), ("list", Problem * 64)]


class Cost(ctypes.Structure):
    _fields_ = [("steps", c_uint64), ("bytes", c_uint64), ("nanoseconds", c_uint64)]


class Lattice(ctypes.Structure):
    _fields_ = [("width", c_int32), ("height", c_int32), ("tiling", c_uint), ("wrap", c_uint)]


class Cells(ctypes.Structure):
    _fields_ = [("lattice", Lattice), ("at", c_void_p)]


class Bytes(ctypes.Structure):
    _fields_ = [("at", c_void_p), ("length", c_size_t)]


FUNCTIONS = {
    "mw_version": (c_char_p,),
    "mw_open": (c_void_p, POINTER(Limits)),
    "mw_ask": (c_void_p, c_void_p, c_char_p, c_char_p, c_char_p),
    "mw_request_address": (c_char_p, c_void_p),
    "mw_request_id": (c_char_p, c_void_p),
    "mw_request_cost": (Cost, c_void_p),
    "mw_make": (c_void_p, c_void_p, c_void_p),
    "mw_encode": (Bytes, c_void_p, c_void_p, c_char_p),
    "mw_grid": (POINTER(Cells), c_void_p, c_char_p),
    "mw_problems": (POINTER(Problems), c_void_p),
    "mw_progress": (c_double, c_uint64, c_uint64),
}


def load() -> ctypes.CDLL:
    carried = os.path.join(os.path.dirname(__file__), "libmapwright.so.0")
    name = os.environ.get("MAPWRIGHT_LIBRARY") or (carried if os.path.exists(carried) else None) \
        or ctypes.util.find_library("mapwright") or "libmapwright.so.0"
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
        self.block = (c_char * size)()
        self.start = ctypes.addressof(self.block)
        self.raised: Optional[BaseException] = None
        self.written: Optional[bytes] = None
        self.request: Optional[int] = None
        self.map: Optional[int] = None
        # Python looks for Ctrl-C where its own code runs: in the main thread it is called for that alone
        asked = progress or threading.current_thread() is threading.main_thread()
        self.stop = STOP(self._teller(progress)) if asked else STOP(0)  # held: C calls it
        self.run = library.mw_open(Limits(self.start, size, steps, self.stop, None))
        if not self.run:
            raise MemoryError(f"{size} bytes are too few for any map")

    def _teller(self, progress: Optional[Callable[[float], object]]) -> Callable[[Optional[int], int], bool]:
        def tell(_: Optional[int], steps: int) -> bool:
            try:
                if progress:
                    progress(library.mw_progress(steps, library.mw_request_cost(self.request).steps))
            except BaseException as raised:  # pylint: disable=broad-except
                self.raised = raised
            return self.raised is not None
        return tell

    def ask(self, address: bytes, parameters: bytes, seed: bytes) -> int:
        """The bytes that it is expected to take; 0: something is wrong."""
        self.request = library.mw_ask(self.run, address, parameters, seed)
        return int(library.mw_request_cost(self.request).bytes) if self.request else 0

    def name(self) -> Tuple[str, str]:
        return library.mw_request_address(self.request).decode(), library.mw_request_id(self.request).decode()

    def make(self) -> bool:
        self.map = library.mw_make(self.run, self.request)
        return self.map is not None

    def write(self, form: Optional[bytes] = None) -> bool:
        """In the format that was asked for, or another."""
        got = library.mw_encode(self.run, self.map, form)
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
        view = memoryview(self.block).cast("B")[begin:begin + length]
        return view.cast("i", (lattice.height, lattice.width)).toreadonly()

    def problems(self) -> Tuple[str, List[Tuple[str, str]]]:
        found = library.mw_problems(self.run).contents
        rows = [(row.pointer.decode(), row.detail.decode()) for row in found.list[:found.count]]
        return FAULTS[found.list[0].fault], rows
