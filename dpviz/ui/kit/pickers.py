"""Widgets for budget, quantile set, mechanisms and draw; each returns core nouns."""

from __future__ import annotations

from typing import Any

from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import (
    DECILES,
    PERCENTILES,
    QUARTILES,
    QuantileSet,
    parse_quantiles,
    uniform_quantiles,
)
from dpviz.ui.kit import choices, session
from dpviz.ui.links import readable
from dpviz.ui.visit.fields import NOTIONS

__all__ = ["NOTIONS"]

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SETS = {"quartiles": QUARTILES, "deciles": DECILES, "percentiles": PERCENTILES}
UNIFORM, OWN = "m uniform", "own list"
FANOUT_HELP = (
    "Children of a node. Left empty: 2 in ρ and (ε, δ), the best for a CDF; 8 in pure ε, within 6 % of "
    "the best."
)
HEIGHT_HELP = (
    "Levels below the root; fanout^height leaves. Left empty: two leaves for each value of the "
    "declared resolution, at most 4,096."
)
MOST_QUANTILES = 500


def quantile_picker(prefix: str = "") -> QuantileSet:
    """The quantiles to release; prefix keeps the keys of two pages apart.

    Raises: InvalidQuantiles with the part that cannot be read.
    """
    chosen = choices.menu(
        "Quantiles",
        [*SETS, UNIFORM, OWN],
        f"{prefix}set",
        "Each quantile q asks for a value with a share q of the records below it.",
        index=list(SETS).index("deciles"),
    )
    if chosen in SETS:
        return QuantileSet.of(SETS[chosen])
    if chosen == UNIFORM:
        meaning = "The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2)."
        m = choices.whole_number("m", 1, MOST_QUANTILES, f"{prefix}m", meaning, default=15)
        return QuantileSet.of(uniform_quantiles(m))
    text = choices.text(
        "Your quantiles",
        f"{prefix}own",
        "Numbers strictly between 0 and 1, or percentages, with commas or spaces between.",
        is_readable=readable.parsed_by(parse_quantiles, DpvizError),
        value="0.01, 0.5, 0.99",
        max_chars=10_000,
    )
    return QuantileSet.of(parse_quantiles(text))


def declared_total(key: str, **others: Any) -> int | None:
    """N as the visitor declares it from public knowledge; None while the field is empty.

    Nothing is proposed: the number of values that a column holds is confidential.
    """
    found = choices.field(
        "Declared N",
        key,
        "How many people the data is about, from public knowledge; it is released as it stands. "
        "It may differ from the number of values in the column.",
        min_value=0.0,
        format="%.0f",
        step=1.0,
        **({"bind": session.link()} | others),
    )
    return None if found is None else int(found)
