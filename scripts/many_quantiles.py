"""Writes dpviz/experiments/statements/many.json: from how many quantiles on a curve errs less.

`python -m scripts.many_quantiles` takes three minutes; a test works out a part of it anew.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np

from dpviz.experiments.statements import many
from dpviz.version import __version__


def worked_out() -> list[dict[str, object]]:
    """A row a place."""
    rows = []
    for number, place in enumerate(product(many.SHAPES, many.PEOPLE, many.EPSILONS)):
        rng = np.random.default_rng([many.SEED, number])
        named = dict(zip(("shape", "people", "epsilon"), place, strict=True))
        rows.append(named | many.measured(*place, rng))
    return rows


if __name__ == "__main__":
    stored = {"version": __version__, "places": worked_out()}
    text = json.dumps(stored, separators=(",", ":")).replace('{"shape"', '\n{"shape"') + "\n"
    Path(many.__file__).with_name(many.FILE).write_text(text, encoding="utf-8")
