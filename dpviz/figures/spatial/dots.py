"""True points as a small picture of dots: thousands of marks at the price of one. Confidential."""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box

DOTS = 600  # across: a little less than a map's px on a wide screen, so that a dot is one
LEVELS = 15  # shades of a dot, from none to full ink
FAINT = 0.3  # below 1: one person alone still shows where hundreds share a dot
CROWDED = 0.9  # of the dots with people in them hold at most what is drawn in full ink


def counted(at: tuple[FloatArray, FloatArray], box: Box, across: int = DOTS) -> IntArray:
    """Points in each dot, (rows, across), the highest y first."""
    rows = rows_of(box, across)
    column = _place(at[0], box.x.low, box.x.width, across)
    row = rows - 1 - _place(at[1], box.y.low, box.y.width, rows)
    return np.bincount(row * across + column, minlength=rows * across).reshape(rows, across)


def of_grid(counts: IntArray, box: Box, across: int = DOTS) -> IntArray:
    """The same of counts on an even grid over the box, (side, side): each at its cell's middle."""
    rows, side = rows_of(box, across), counts.shape[0]
    middle = (np.arange(side) + 0.5) / side
    column = np.minimum((middle * across).astype(np.int64), across - 1)
    row = rows - 1 - np.minimum((middle * rows).astype(np.int64), rows - 1)
    found = np.zeros((rows, across), dtype=np.int64)
    np.add.at(found, (row[None, :], column[:, None]), counts)
    return found


def rows_of(box: Box, across: int = DOTS) -> int:
    """How many rows make square dots in a box whose units are as long in x as in y."""
    return int(np.clip(round(across * box.y.width / box.x.width), across // 8, 4 * across))


def _place(values: FloatArray, low: float, width: float, cells: int) -> IntArray:
    return np.minimum((values - low) * (cells / width), cells - 1).astype(np.int64)


def image(counts: IntArray, colour: str) -> str:
    """Counts as a data address of a PNG in one colour; more points are more of it."""
    inhabited = counts[counts > 0]
    full = float(np.quantile(inhabited, CROWDED)) if inhabited.size else 1.0
    most = int(counts.max(initial=0))
    if most < counts.size:  # a shade for each count is quicker than one for each dot
        levels = _shades(np.arange(most + 1), full)[counts]
    else:
        levels = _shades(counts, full)
    return "data:image/png;base64," + base64.b64encode(_png(levels, colour)).decode()


def _shades(counts: IntArray, full: float) -> NDArray[np.uint8]:
    share = np.minimum(counts / max(full, 1.0), 1.0)
    return np.asarray(np.ceil(LEVELS * share**FAINT).astype(np.uint8))


def _png(levels: NDArray[np.uint8], colour: str) -> bytes:
    """A PNG of one colour with 16 degrees of opacity, two dots to the byte."""
    rows, across = levels.shape
    even = np.zeros((rows, across + across % 2), dtype=np.uint8)
    even[:, :across] = levels
    packed = np.zeros(
        (rows, 1 + even.shape[1] // 2), dtype=np.uint8
    )  # 0 starts each row: no filter
    packed[:, 1:] = even[:, ::2] << 4 | even[:, 1::2]
    ink = bytes.fromhex(colour.removeprefix("#"))
    opacity = bytes(round(255 * level / LEVELS) for level in range(LEVELS + 1))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", across, rows, 4, 3, 0, 0, 0)),
            _chunk(b"PLTE", ink * (LEVELS + 1)),
            _chunk(b"tRNS", opacity),
            _chunk(b"IDAT", zlib.compress(packed.tobytes(), 1)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    whole = kind + body
    return struct.pack(">I", len(body)) + whole + struct.pack(">I", zlib.crc32(whole))
