"""The sets of quantiles that pages offer."""

from __future__ import annotations

from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES

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
