"""The sets of quantiles that pages offer."""

from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES

SETS = {"quartiles": QUARTILES, "deciles": DECILES, "percentiles": PERCENTILES}
UNIFORM, OWN = "m uniform", "own list"
MOST_QUANTILES = 500
