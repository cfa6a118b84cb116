"""The numbers in what is said about a figure, each computed from the rows that are shown.

One function a figure: from its rows to the words that its judgement leaves open in braces. They
work on any rows of the figure's study, so that a run of one's own is described as the stored one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.core.errors import DpvizError
from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.tree_study import honaker_table

AQ, JOINT, SINGLE, TREE = tables.MECHANISMS
NAMES = {AQ: "Halving", JOINT: "All at once", SINGLE: "One by one", TREE: "The noisy tree"}
Numbers = Mapping[str, str]


class Unfinished(DpvizError):
    """Rows that do not hold all that is said of a figure: a run that has not come so far."""


def short(value: float, digits: int = 2) -> str:
    """A number in two significant digits, thousands and more whole, without trailing zeros."""
    if not np.isfinite(value):
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:.10f}".rstrip("0").rstrip(".")


def several(number: float, noun: str, plural: str = "") -> str:
    """A number with its noun, small whole numbers as words."""
    return f"{word(number)} {noun if number == 1 else plural or f'{noun}s'}"


def word(number: float) -> str:
    """A number, small whole ones as words."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    whole = float(number).is_integer() and 0 <= number < len(words)
    return words[int(number)] if whole else short(number)


def recursion(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 1 of the AQ paper."""
    levels, m = int(rows["level"].max()), len(rows)
    words = {15: "Fifteen", 7: "Seven", 31: "Thirty-one"}
    return {
        "quantiles": words.get(m, f"{m}"),
        "m": f"{m}",
        "levels": f"{levels}",
        "steps": several(levels, "step"),
        "people": f"{rows['records'].max():,.0f}",
        "fewest": f"{rows['records'].min():,.0f}",
    }


def targets(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 2 of the AQ paper."""
    found: tables.Table = rows
    first = found.loc[found["level"].idxmin(), "shift"]
    later = found.loc[found["level"].idxmax(), "shift"]
    return {name: several(abs(float(shift)), "person", "people")
            for name, shift in (("first", first), ("later", later))}  # fmt: skip


def histograms(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 3 of the AQ paper."""
    whole = rows.groupby("data", sort=False)["records"].sum()
    share = rows.groupby("data", sort=False)["records"].max() / whole
    most = str(share.idxmax())
    titles = dict(zip(rows["data"], rows["title"], strict=True))
    return {
        "tallest": str(titles[most]).removesuffix(" (stand-in)"),
        "share": f"{100 * share[most]:.0f}",
        "sizes": ", ".join(f"{size:,.0f}" for size in whole),
    }


def gaps(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 4 to 7 of the AQ paper; rows of one notion, to the most m that the figure shows."""
    means, errors = tables.means(rows), tables.errors(rows)
    counts = means.index.get_level_values("m")
    if means.empty or len(set(counts)) < 2:
        raise Unfinished("Too few parts are done for a sentence about all of them.")
    most, least = int(counts.max()), int(counts.min())
    last, se = means.xs(most, level="m"), errors.xs(most, level="m")
    small = next((int(m) for m in sorted(set(counts)) if m >= 5), most)
    early = means.xs(small, level="m")
    level = last[TREE] - last[AQ] <= 2 * np.hypot(se[TREE], se[AQ])
    mean = means.groupby("m").mean()
    ahead = [f"{int(m)}" for m in mean.index[mean[JOINT] < mean[AQ]]]
    others = [JOINT, SINGLE, TREE]
    return {
        "most": f"{most}",
        "small": f"{small}",
        "sets": f"{len(last)}",
        "factor": short(_ratio(last, SINGLE)),
        "joint_factor": short(_ratio(last, JOINT)),
        "small_factor": short(_ratio(early, SINGLE)),
        "tree_first": short(_ratio(means.xs(least, level="m"), TREE)),
        "tree_last": short(_ratio(last, TREE)),
        "tree_level": f"{int(level.sum())}",
        "tree_short": _tree_short(int(level.sum()), len(last)),
        "joint_small": f"at m = {_listed(ahead)}" if ahead else "at no m",
        "lead": f"{int((last[AQ] < last[others].min(axis=1)).sum())}",
        "small_lead": word(int((early[AQ] < early[others].min(axis=1)).sum())),
    }  # fmt: skip


def _ratio(means: tables.Table, other: str) -> float:
    """How many times as much as halving another method misses: geometric mean of the sets."""
    return float(np.exp(np.log(means[other] / means[AQ]).mean()))


def _tree_short(level: int, sets: int) -> str:
    if level == 0:
        return "and more exact than the noisy tree in every set"
    if level * 2 > sets:
        return "but the noisy tree keeps up"
    return f"the noisy tree keeps up in {level} of {sets} sets"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def times(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 8 of the AQ paper."""
    found = 1e3 * tables.at_most(rows)
    if set(found.index) < set(NAMES):
        raise Unfinished("Not every method has been timed yet.")
    fastest = str(found.idxmin())
    return {
        "most": f"{rows['m'].max():.0f}",
        "fastest_name": NAMES[fastest],
        "fastest": short(found[fastest]),
        "halving": short(found[AQ]),
        "tree": short(found[TREE]),
        "single": short(found[SINGLE]),
        "joint": short(found[JOINT]),
        "joint_factor": short(found[JOINT] / found[AQ]),
    }


def simulation(rows: pd.DataFrame) -> Numbers:
    """Of Honaker's Fig. 4."""
    kept = 100 * tables.kept(rows)
    tall = honaker_table((12,))
    exact = tall[(tall["root"] == "public") & (tall["estimator"] == "efficient")].set_index("level")
    return {
        "claimed": f"{100 * exact['claim'][1]:.1f}",
        "near": f"{100 * exact['ratio'][1]:.0f}",
        "next": f"{100 * exact['ratio'][2]:.0f}",
        "top": f"{kept['efficient'][1]:.0f}",
        "leaves": f"{kept['efficient'].iloc[-1]:.0f}",
        "above": f"{kept['from-above'][1]:.0f}",
        "below": f"{kept['from-below'][1]:.0f}",
    }


def poster(curve: pd.DataFrame, trials: pd.DataFrame) -> Numbers:
    """Of Manohar's plots; people is the private total, the curve's last smoothed count."""
    return {
        "alpha": f"{curve['alpha'].max():,.0f}",
        "people": f"about {round(float(curve['smoothed'].iloc[-1]), -3):,.0f}",
        "outside": _listed([f"{one:.0f}" for one in trials["raw"]]),
        "expected": short(float(trials["expected"].iloc[0])),
    }


def trials_in_words(runs: float, noun: str = "trial") -> str:
    """How often something was run: "100 trials", "one release"."""
    return several(runs, noun) if runs <= 1 else f"{runs:,.0f} {noun}s"


OF_AQ: Mapping[str, Callable[[pd.DataFrame], Numbers]] = {
    "aq1": recursion,
    "aq2": targets,
    "aq3": histograms,
    **dict.fromkeys(("aq4", "aq5", "aq6", "aq7"), gaps),
    "aq8": times,
}
