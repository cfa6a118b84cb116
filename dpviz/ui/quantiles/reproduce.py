"""The Python lines that make the same numbers as the picture."""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit.script import Script, column_text, written
from dpviz.ui.quantiles.releases import Question


def python_lines(mechanisms: list[QuantileMechanism], asked: Question) -> str:
    """A script whose releases equal the ones on screen; `releases` holds them by name."""
    script = Script(column_text(asked.column), asked.budget, asked.draw)
    rows = {one.name: (written(one), asked.purpose(one)) for one in mechanisms}
    quantiles = np.array2string(
        asked.quantiles.asked,
        separator=", ",
        threshold=10_000,
        max_line_width=88,
        formatter={"float_kind": lambda number: repr(float(number))},
    )
    return script.text(f"""\
quantiles = {quantiles}
{script.mechanisms(rows)}
releases = {{
    name: mechanism.release(column, quantiles, budget, np.random.default_rng(seeds[name]))
    for name, mechanism in mechanisms.items()
}}
for name, release in releases.items():
    print(name, release.values)
""")
