"""A spy that looks into every cache that visitors share, for the unmistakable file."""

import functools
import gc
import re
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from dpviz.ui.kit.process.shared import PUBLIC
from tests.pages.unmistakable import CELL, FILE, NAME, SECOND, VALUES

TEXTS = re.compile("|".join((CELL, NAME, SECOND, FILE)))
ALL = np.sort(VALUES)
CACHE = type(functools.lru_cache(lambda: None))


def caches() -> list[Any]:
    """Every function of the package that remembers its results, and the table of shared results."""
    gc.unfreeze()  # what is frozen since pytest has collected is listed nowhere
    found = [
        one
        for one in gc.get_objects()
        if isinstance(one, CACHE) and str(getattr(one, "__module__", "")).startswith("dpviz")
    ]
    gc.freeze()
    return [*found, PUBLIC._kept, PUBLIC._doing]


def held(start: Any) -> Iterator[Any]:
    """Everything that an object leads to; not through functions, classes and modules."""
    seen, todo = {id(start)}, [start]
    while todo:
        for one in gc.get_referents(todo.pop()):
            if id(one) not in seen and not isinstance(one, FunctionType | type | ModuleType):
                seen.add(id(one))
                todo.append(one)
                yield one


def of_file(cache: Any) -> list[str]:
    """What a cache holds of the unmistakable file."""
    found = []
    for one in held(cache):
        if isinstance(one, str) and TEXTS.search(one):
            found.append(one[:80])
        elif isinstance(one, float) and one in ALL:
            found.append(repr(one))
        elif isinstance(one, np.ndarray) and one.dtype == np.float64 and np.isin(one, ALL).any():
            found.append(f"an array {one.shape}")
    return found


def everywhere() -> dict[str, list[str]]:
    """What any cache holds of the file, by cache."""
    found = {getattr(one, "__qualname__", type(one).__name__): of_file(one) for one in caches()}
    return {name: what for name, what in found.items() if what}
