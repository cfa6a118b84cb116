"""The pictures of all methods: made by `make figures` from samples, read from a file by the page."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from dpviz.intake.samples import sample_column, sample_points
from dpviz.ui.kit.gallery.shapes import Still
from dpviz.ui.methods import columns, maps, trees

FILE = Path(__file__).with_name("pictures.json")
SEED = 7


def made(key: str) -> Still:
    """The picture of one method, from a release of its own seed.

    Raises: KeyError for a method without a picture.
    """
    rng = np.random.default_rng([SEED, *key.encode()])
    if key in maps.PICTURES:
        return maps.PICTURES[key](sample_points("towns"), rng)
    return {**columns.PICTURES, **trees.PICTURES}[key](sample_column("exam"), rng)


def keys() -> list[str]:
    """Every method that has a picture."""
    return [*columns.PICTURES, *trees.PICTURES, *maps.PICTURES]


@cache
def stored() -> dict[str, Still]:
    """All pictures as they were last made, read once a process."""
    found: dict[str, Still] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write() -> int:
    """Make all pictures and write the file, a line each; returns its size."""
    lines = [
        f"{json.dumps(key)}: {json.dumps(made(key), ensure_ascii=False, separators=(',', ':'))}"
        for key in keys()
    ]
    body = ",\n".join(lines)
    return FILE.write_text(f"{{\n{body}\n}}\n", encoding="utf-8")
