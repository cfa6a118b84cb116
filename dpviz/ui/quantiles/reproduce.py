"""The Python lines that make the same numbers as the picture."""

from __future__ import annotations

import numpy as np

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.script import seed_remark, seed_text, source_import, values_line
from dpviz.ui.quantiles.releases import purpose_of


def python_lines(
    mechanisms: list[QuantileMechanism],
    column: Column,
    quantiles: QuantileSet,
    budget: Budget,
    draw: Draw,
) -> str:
    """A script whose releases equal the ones on screen; `releases` holds them by name."""
    kinds = sorted({type(mechanism).__name__ for mechanism in mechanisms})
    modules = {type(mechanism).__name__: type(mechanism).__module__ for mechanism in mechanisms}
    imports = "\n".join(f"from {modules[kind]} import {kind}" for kind in kinds)
    seeds = "".join(
        f"    {seed_text(draw, purpose_of(mechanism, column, quantiles, budget))},\n"
        for mechanism in mechanisms
    )
    listed = "".join(f"    {constructor(mechanism)},\n" for mechanism in mechanisms)
    asked = np.array2string(
        quantiles.asked,
        separator=", ",
        threshold=10_000,
        max_line_width=88,
        formatter={"float_kind": lambda number: repr(float(number))},
    )
    return f"""# where dpviz is installed, or in the folder of its repository
import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import {type(budget).__name__}
from dpviz.core.data import Column
{source_import()}
{imports}

{values_line()}
bounds = Bounds({column.bounds.low!r}, {column.bounds.high!r})  # declared, public
column = Column.from_values(values, bounds, resolution={column.resolution!r})
quantiles = {asked}
budget = {budget!r}
mechanisms = [
{listed}]
seeds = [{seed_remark()}
{seeds}]
releases = {{
    mechanism.name: mechanism.release(column, quantiles, budget, np.random.default_rng(seed))
    for mechanism, seed in zip(mechanisms, seeds, strict=True)
}}
for name, release in releases.items():
    print(name, release.values)
"""


def constructor(mechanism: QuantileMechanism) -> str:
    """Python that builds an equal mechanism, enumerations written as plain strings."""
    fields = type(mechanism).__dataclass_fields__  # type: ignore[attr-defined]
    parts = []
    for name, spec in fields.items():
        value = getattr(mechanism, name)
        if value == spec.default:
            continue
        text = repr(value.value) if hasattr(value, "value") else repr(value)
        parts.append(f"{name}={text}")
    return f"{type(mechanism).__name__}({', '.join(parts)})"
