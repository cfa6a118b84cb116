"""The pictures of all methods: made by `make figures` from samples, read from a file by the page."""

from __future__ import annotations

import json
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np

from dpviz import catalogue
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
    if key in (of_maps := maps.pictures()):
        return of_maps[key](sample_points("towns"), rng)
    return _of_columns()[key](sample_column("exam"), rng)


def _of_columns() -> dict[str, columns.Picture]:
    quantiles = {
        kind.card.key: partial(columns.MINIATURES[kind.card.miniature], kind())
        for kind in catalogue.QUANTILES
    }
    return {**quantiles, **columns.PICTURES, **trees.PICTURES}


def keys() -> list[str]:
    """Every method that has a picture."""
    return [*_of_columns(), *maps.pictures()]


def of(key: str) -> Still | None:
    """A method's picture: the stored one, or its first release if it is too new for that."""
    if key in stored():
        return stored()[key]
    return _first(key) if key in keys() else None


@lru_cache(maxsize=8)  # of samples: the same for everybody
def _first(key: str) -> Still:
    return made(key)


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
