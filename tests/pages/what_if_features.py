"""What the views under Decide's sentence have always been able to do, and where it is today.

The test walks the list: each row is brought about by widgets of the page, or by words of the
sentence, and then found on it.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Feature:
    """what: in words; where: the view that has it today; choices: what brings it about.

    shown: words on the page then; keys: widgets that must be there.
    """

    what: str
    where: str
    choices: dict[str, Any] = field(default_factory=dict)
    shown: str = ""
    keys: tuple[str, ...] = ()


FEATURES = (
    Feature("a need in per cent of the people", "frontier", {"unit": "share", "off": 2.0},
            "within 2 %"),
    Feature("a need in places", "frontier", {"unit": "places", "off": 120.0}, "within 2 %"),
    Feature("a need in the column's unit", "search", {"unit": "unit", "off": 2.0}, "within"),
    Feature("with which probability", "frontier", {"often": 0.99}, "Not computed beforehand"),
    Feature("the budget in ρ", "frontier", {"notion": "zcdp", "unit": "share"},
            "Not computed beforehand"),
    Feature("(ε, δ) with its δ", "frontier", {"notion": "approx", "unit": "share"},
            keys=("delta_exact",)),
    Feature("replace-one neighbours", "frontier",
            {"neighbours": "replace-one", "unit": "share"}, "settings of your own"),
    Feature("quartiles and percentiles", "frontier", {"what": "quartiles"}, "three quartiles"),
    Feature("a list of one's own", "frontier", {"what": "own"}, "3 quantiles"),
    Feature("some of the mechanisms", "frontier", {"w_mechanisms": ["AggTree"]},
            "from a noisy tree"),
    Feature("the shape of the tree", "frontier", {"w_fanout": 2}, "Not computed beforehand",
            ("w_fanout", "w_height")),
    Feature("another set", "frontier", {"column": "salaries", "unit": "share"}, "Yearly salaries"),
    Feature("bisection with intervals and a fresh check", "search", {}, "with an interval",
            ("w_run_smallest",)),
    Feature("error against the budget", "sweep", {}, "at ε = 0\\.01", ("w_run_sweep", "eps")),
    Feature("error against m", "sweep", {"w_axis": "m"}, "quantiles"),
    Feature("error against n", "sweep", {"w_axis": "n"}, "people"),
    Feature("error against the height", "sweep", {"w_axis": "height"}, "comes closest with height"),
    Feature("error against the fanout", "sweep", {"w_axis": "fanout"}, "comes closest with fanout"),
    Feature("questions that set the widgets", "sweep", {"w_preset": "How deep a tree?"},
            "comes closest with height"),
    Feature("errors in per cent of the people", "sweep", {"w_unit": "% of people"}, "%"),
    Feature("more or fewer runs", "sweep", {"w_runs": 10}, "Your settings are others"),
    Feature("which wins where, with advice", "wins", {}, "places", ("w_run_winners",)),
    Feature("a quick map", "wins", {"w_map": "quick"}, "places"),
    Feature("results as a file", "sweep", {}, keys=("w_csv_sweep_stored",)),
)  # fmt: skip
