"""Write every sample set again, byte for byte: python sample_data/make_samples.py [folder].

Run by hand; the files are committed. Each set has its own seed, so that changing one set leaves
the others as they are. All values are synthetic. What the sets are is told in catalogue.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import in_the_plane
import numpy as np
import on_the_line
import the_office
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

Maker = Callable[[Generator], NDArray[np.float64]]

# file, header, seed, printf format, maker
SETS: tuple[tuple[str, str, int, str, Maker], ...] = (
    ("uniform.csv", "value", 101, "%.4f", on_the_line.uniform),
    ("normal.csv", "value", 102, "%.4f", on_the_line.normal),
    ("ages.csv", "age", 103, "%d", on_the_line.ages),
    ("hours.csv", "hours", 104, "%d", on_the_line.hours),
    ("salaries.csv", "salary", 105, "%d", on_the_line.salaries),
    ("ratings.csv", "stars", 106, "%.1f", on_the_line.ratings),
    ("exam.csv", "mark", 107, "%d", on_the_line.exam),
    ("waiting.csv", "minutes", 108, "%.1f", on_the_line.waiting),
    ("towns.csv", "east,north", 109, "%.2f", in_the_plane.towns),
    ("coast.csv", "east,north", 110, "%.2f", in_the_plane.coast),
)


OFFICE = 111  # its seed


def write_all(folder: Path) -> None:
    """Write all files into a folder."""
    (folder / "office.csv").write_bytes(the_office.office(default_rng(OFFICE)).encode("ascii"))
    for file, header, seed, number, maker in SETS:
        rows = np.atleast_2d(maker(default_rng(seed)).T).T
        line = ",".join([number] * rows.shape[1]) + "\n"
        text = header + "\n" + "".join(line % tuple(row) for row in rows.tolist())
        (folder / file).write_bytes(text.replace("-0.0000", "0.0000").encode("ascii"))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
