"""What a person may set of several methods of quantiles alike."""

import math

from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.checks import MOST_RECORDS
from dpviz.core.conversions import bounded_range_epsilon
from dpviz.core.knobs import Knob
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties


def _bought(budget: Budget) -> str:
    if not isinstance(budget, ZCDP):
        return ""
    exact = bounded_range_epsilon(budget.rho)
    return (
        f"{budget} buys one exponential mechanism ε = {exact:.4g} by bounded range, "
        f"{exact / math.sqrt(8 * budget.rho):.3f} × the √(8ρ) of the older rule."
    )


SPLIT = Knob(
    field="rho_rule",
    key="split",
    label="zCDP split",
    help="How ρ becomes the ε of an exponential mechanism: by bounded range, which costs about "
    "ε²/8 and exactly ln((e^ε − 1)/ε) − 1 + ε/(e^ε − 1), or ε²/2 as the AQ paper prints it. Same "
    "ρ, half the error.",
    options={RhoRule.BOUNDED_RANGE: "bounded range", RhoRule.PAPER: "paper"},
    chip="split: {}",
    promise="zcdp",
    note=_bought,
)
TIES = Knob(
    field="ties",
    label="Tied values",
    help="Spread them over the declared resolution, add the AQ authors' jitter of 1e-5, or keep "
    "them and watch the mechanisms drift away from heavy ties.",
    options={Ties.SPREAD: "spread", Ties.JITTER: "jitter", Ties.KEEP: "keep"},
    chip="ties: {}",
)
ROUNDED = Knob(
    field="round_to_grid",
    key="rounded",
    label="Round outputs to the resolution",
    help="Post-processing; nothing happens at resolution 0.",
    chip="not rounded",
)
RECORDS = Knob(
    field="records",
    label="Declared N",
    help="How many people the data is about, from public knowledge; it is released as it stands. "
    "It may differ from the number of values in the column, and means replace-one neighbours.",
    ends=(0, MOST_RECORDS),
    chip="public N",
    is_declared=True,
)
KNOBS = (SPLIT, TIES, ROUNDED)
