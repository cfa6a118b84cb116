"""Streamlit's scripts and styles, compressed once: kept beside the environment, or in memory.

Each copy is named by what it was made of. Before a process hands one out for the first time it is
unpacked and compared with its original; one that differs is made anew.
"""

import gzip
import hashlib
import os
import sys
import tempfile
import threading
import zlib
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import brotli

from dpviz.ui.kit.process.front_end import root

TEXTS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
LEAST = 1_000  # bytes; below, a copy saves nothing that is worth a header
# qualities of brotli, for copies made beforehand and while somebody waits: 11 takes twice as long as
# 10 for two hundredths of the size
BEST, SOON = 10, 5


def _brotli(body: bytes, *, soon: bool) -> bytes:
    return bytes(brotli.compress(body, quality=SOON if soon else BEST))


def _gzip(body: bytes, *, soon: bool) -> bytes:
    return gzip.compress(body, 6 if soon else 9, mtime=0)


class Packing(Protocol):
    """Compresses; soon is for somebody who waits."""

    def __call__(self, body: bytes, *, soon: bool) -> bytes:
        """The same, smaller."""


@dataclass(frozen=True, slots=True)
class Coding:
    """A way to compress, and back."""

    pack: Packing
    unpack: Callable[[bytes], bytes]


# Every browser that takes zstd takes brotli as well, which is smaller.
CODINGS = {"br": Coding(_brotli, brotli.decompress), "gzip": Coding(_gzip, gzip.decompress)}


@dataclass(frozen=True, slots=True)
class Original:
    """A file that never changes while the server runs."""

    path: Path
    kind: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A compressed file as it is handed out."""

    body: bytes
    kind: str
    etag: bytes


class Copies:
    """The copies of all texts below a folder, by the path below it that a browser asks for.

    folder is where copies are kept, None for memory alone; one that cannot be written to is read.
    Safe to use from many threads; two that ask for the same copy make it once.
    """

    def __init__(self, root: Path, folder: Path | None) -> None:
        self._root, self._folder = root, folder
        self._ready: dict[tuple[str, str], Copy] = {}
        self._locks: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)

    @cached_property
    def originals(self) -> dict[str, Original]:
        """The files that are worth a copy, found once: of those alone whose names tell versions."""
        return {
            path.relative_to(self._root).as_posix(): Original(path, TEXTS[path.suffix])
            for path in sorted((self._root / "static").rglob("*"))
            if path.suffix in TEXTS and path.stat().st_size >= LEAST
        }

    def ready(self, name: str, coding: str) -> Copy | None:
        """A copy that is in memory."""
        return self._ready.get((name, coding))

    def get(self, name: str, coding: str) -> Copy:
        """The copy of a file: from memory, from the folder, or made in haste and kept in memory."""
        key = (name, coding)
        with self._locks[key]:
            found = self._ready.get(key)
            if found is None:
                original, way = self.originals[name], CODINGS[coding]
                body = original.path.read_bytes()
                digest = digest_of(body)
                packed = self._kept(body, digest, coding) or way.pack(body, soon=True)
                found = Copy(packed, original.kind, f'"{digest}-{coding}"'.encode())
                self._ready[key] = found
        return found

    def fill(self, at_once: int = 1) -> None:
        """Make every copy that the folder lacks, as small as can be, so many at a time.

        Those that are there are not looked into. A folder that cannot be written to stays as it is.
        """
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if os.access(self._folder, os.W_OK):
                with ThreadPoolExecutor(at_once) as pool:
                    list(pool.map(self._fill_one, self.originals.values()))

    def _fill_one(self, original: Original) -> None:
        body = original.path.read_bytes()
        digest = digest_of(body)
        for coding, way in CODINGS.items():
            place = self._place(digest, coding)
            if place is not None and not place.exists():
                _write(place, way.pack(body, soon=False))

    def _place(self, digest: str, coding: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{digest}.{coding}"

    def _kept(self, body: bytes, digest: str, coding: str) -> bytes | None:
        """The copy in the folder if it is whole; another one there is made anew."""
        place, way = self._place(digest, coding), CODINGS[coding]
        if place is None or not place.exists():
            return None
        with suppress(OSError, EOFError, zlib.error, brotli.error):
            packed = place.read_bytes()
            if way.unpack(packed) == body:
                return packed
        packed = way.pack(body, soon=False)
        with suppress(OSError):  # it may be read only
            _write(place, packed)
        return packed


def digest_of(body: bytes) -> str:
    """What names the copies of a file, and tells a browser whether it has it already."""
    return hashlib.sha256(body).hexdigest()[:32]


def _write(place: Path, packed: bytes) -> None:
    """In one step, so that nobody reads half of it."""
    handle, name = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(packed)
        Path(name).chmod(0o644)  # the server may run as somebody else
        os.replace(name, place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def beside_environment() -> Path:
    """Where copies are kept: in the environment that Python runs in."""
    return Path(sys.prefix, "var", "dpviz", "compressed")


COPIES = Copies(root(), beside_environment())

if __name__ == "__main__":
    COPIES.fill(at_once=os.cpu_count() or 1)
