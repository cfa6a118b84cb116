"""The Python lines that make the same numbers as the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit.script import Script, column_text, written
from dpviz.ui.quantiles.releases import Question


def python_lines(
    shown: Sequence[tuple[QuantileMechanism, QuantileRelease]], asked: Question
) -> str:
    """A script whose `releases` are by name those on screen, or for a file others of their law."""
    script = Script(column_text(asked.column), asked.budget, asked.draw)
    rows = {one.name: (written(one), release, asked.purpose(one)) for one, release in shown}
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
    name: mechanism.release(column, quantiles, budget, rngs[name])
    for name, mechanism in mechanisms.items()
}}
for name, release in releases.items():
    print(name, release.values)
""")
