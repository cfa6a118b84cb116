"""The numbers in what is said about a figure, each computed from the rows that are shown.

One function a figure: from its rows to the words that its judgement leaves open in braces. They
work on any rows of the figure's study, so that a run of one's own is described as the stored one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.papers.aq_study import THEIR_COUNT
from dpviz.experiments.papers.poster import TREE as POSTER_TREE
from dpviz.experiments.papers.poster import UNIVERSE, most_nodes, poster_alpha
from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.tree_study import honaker_table

AQ, JOINT, SINGLE, TREE = tables.MECHANISMS
NAMES = {AQ: "Halving", JOINT: "All at once", SINGLE: "One by one", TREE: "The noisy tree"}
Numbers = Mapping[str, str]
# what is counted of a release, in the headline and among the settings
BY = {
    MEAN_GAP: "",
    LARGEST_GAP: " and by the largest miss",
    THEIR_COUNT: ", as their program counts",
}
MEASURED = {
    MEAN_GAP: "Counted: the mean miss of the m quantiles.",
    LARGEST_GAP: "Counted: the largest miss of the m quantiles, which the paper bounds.",
    THEIR_COUNT: "Counted: people strictly between a value and the quantile, with ties. "
    "Sets in which a method misses nobody are left out of ratios.",
}


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


def properties(rows: pd.DataFrame) -> Numbers:
    """Of Table 1 of the AQ paper."""
    found: tables.Table = rows.assign(name=rows["title"].str.removesuffix(" (stand-in)"))
    most = found.loc[(found["records"] / found["values"]).idxmax()]
    printed = found.dropna(subset=["printed_values"])
    tied = found[found["values"] < found["records"]]
    ties = [
        f"{name} ({values:,.0f})" for name, values in zip(tied["name"], tied["values"], strict=True)
    ]
    return {
        "tallest": str(most["name"]),
        "people": f"{most['records']:,.0f}",
        "values": f"{most['values']:,.0f}",
        "alike": word(float((found["records"] == found["printed_records"]).sum())),
        "sets": word(float(len(found))),
        "exact": word(float((printed["values"] == printed["printed_values"]).sum())),
        "named": word(float(len(printed))),
        "ties": _listed(ties or ["none"]),
    }


def gaps(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 4 to 7 of the AQ paper; rows of one notion and metric, to the most m shown."""
    means, errors = tables.means(rows), tables.errors(rows)
    counts = means.index.get_level_values("m")
    if means.empty or len(set(counts)) < 2:
        raise Unfinished("Too few parts are done for a sentence about all of them.")
    most, least = int(counts.max()), int(counts.min())
    last, se = means.xs(most, level="m"), errors.xs(most, level="m")
    small = next((int(m) for m in sorted(set(counts)) if m >= 5), most)
    early = means.xs(small, level="m")
    mean = means.groupby("m").mean()
    ahead = [f"{int(m)}" for m in tables.ahead(means, errors, JOINT)]
    standing = _standing(last, se)
    return {
        "most": f"{most}",
        "small": f"{small}",
        "sets": word(len(last)),
        "counts": f"{len(set(counts))} of {most}",
        "factor": short(_ratio(last, SINGLE)),
        "joint_factor": short(_ratio(last, JOINT)),
        "small_factor": short(_ratio(early, SINGLE)),
        "tree_first": short(_ratio(means.xs(least, level="m"), TREE)),
        "tree_last": short(_ratio(last, TREE)),
        "tree_least": short(mean[TREE].min()),
        "tree_most": short(mean[TREE].max()),
        "tree_said": _standing_said(standing),
        "tree_short": _tree_short(standing),
        "joint_small": f"at m = {_listed(ahead)}" if ahead else "at no m",
        "lead": word(_sets_led(last, se)),
        "small_lead": word(_sets_led(early, errors.xs(small, level="m"))),
        "lead_said": _lead_said(means, errors, small, most),
        "text_said": _text_said(rows, means, most),
        "variants_said": _variants_said(rows, means, most),
    }


def _ratio(means: tables.Table, other: str) -> float:
    """How many times as much as halving another method misses: geometric mean of the sets."""
    return geometric(means[other] / means[AQ])


def _sets_led(means: tables.Table, errors: tables.Table) -> int:
    """In how many sets halving misses less than every other, by more than two standard errors."""
    led = [
        means[other] - means[AQ] > 2 * np.hypot(errors[other], errors[AQ])
        for other in (JOINT, SINGLE, TREE)
    ]
    return int(np.logical_and.reduce(led).sum())


def _lead_said(means: tables.Table, errors: tables.Table, small: int, most: int) -> str:
    """Over which methods halving's lead is clearly larger at the most m than at a small one."""
    words = {JOINT: "all at once", SINGLE: "one by one", TREE: "the noisy tree"}
    moved = {name: tables.lead_change(means, errors, name, small, most) for name in words}
    how: dict[str, list[str]] = {"grows": [], "stays level": [], "shrinks": []}
    for name, (change, error) in moved.items():
        clear = abs(change) > 2 * error
        how["stays level" if not clear else "grows" if change > 0 else "shrinks"].append(
            words[name]
        )
    parts = [f"{verb} over {_listed(named)}" for verb, named in how.items() if named]
    return f"From m = {small} to {most} its lead {', '.join(parts)}."


def _standing(
    last: tables.Table, se: tables.Table, own: str = AQ, other: str = TREE
) -> tuple[int, int, int]:
    """In how many sets halving is better than the tree, level with it, and worse.

    Level: within two standard errors of the difference.
    """
    apart = last[other] - last[own]
    noise = 2 * np.hypot(se[other], se[own])
    better, worse = int((apart > noise).sum()), int((apart < -noise).sum())
    return better, len(last) - better - worse, worse


def _standing_said(standing: tuple[int, int, int]) -> str:
    parts = zip(("better", "level", "worse"), standing, strict=True)
    return _listed([f"{how} in {several(sets, 'set')}" for how, sets in parts if sets])


def _tree_short(standing: tuple[int, int, int]) -> str:
    better, level, worse = standing
    if not level + worse:
        return "and more exact than the noisy tree in every set"
    if worse:
        return f"but the noisy tree is better in {word(worse)} of {word(sum(standing))} sets"
    if not better:
        return "and level with the noisy tree"
    return "and nowhere behind the noisy tree"


def _text_said(rows: pd.DataFrame, paper: tables.Table, most: int) -> str:
    """What the text's own lines make of halving and of the tree; empty where they are not run."""
    found = _of_variant(rows, paper, "text", AQ, most)
    if found is None:
        return ""
    lines = tables.at_m(rows, most)
    means, errors = (lines[value, "text"] for value in ("mean", "standard_error"))
    own, standing = means[AQ], _standing(means, errors)
    return (
        f" By the text's own words (dashed) halving misses {short(geometric(found))} times as "
        f"much, {short(own.min())} to {short(own.max())} people by set; against the text's tree "
        f"it is {_standing_said(standing)}."
    )


def _variants_said(rows: pd.DataFrame, paper: tables.Table, most: int) -> str:
    """What this project's split of ρ makes of halving; empty where it is not run."""
    found = _of_variant(rows, paper, "improved", AQ, most)
    if found is None:
        return ""
    whole, low, high = (f"{100 * one:.0f}" for one in (geometric(found), found.min(), found.max()))
    return (
        f" Our variant, ρ split by bounded range, leaves {whole} % of halving's miss on average, "
        f"{low} to {high} % by set."
    )


def _of_variant(
    rows: pd.DataFrame, paper: tables.Table, variant: str, name: str, m: int
) -> tables.Table | None:
    """A variant's miss over that of the paper's halving, by set at one m; None without rows."""
    other = rows[(rows["variant"] == variant) & (rows["mechanism"] == name) & (rows["m"] == m)]
    if other.empty:
        return None
    found = other.set_index("data")["mean"] / paper.xs(m, level="m")[AQ]
    return found.dropna()


def geometric(ratios: tables.Table) -> float:
    """Of the sets in which both methods miss somebody; NaN if there are none."""
    known = ratios[(ratios > 0) & (ratios < np.inf)]
    return float(np.exp(np.log(known).mean()))


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def times(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 8 of the AQ paper."""
    found, places = 1e3 * tables.at_most(rows), len(set(rows["m"]))
    if set(found.index) < set(NAMES):
        raise Unfinished("Not every method has been timed yet.")
    fastest = str(found.idxmin())
    return {
        "most": f"{rows['m'].max():.0f}",
        "places": f"{places}",
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
    kept, middles = 100 * tables.kept(rows), tables.kept(rows, "middle")
    known = honaker_table((12, 4))
    known = known[(known["root"] == "public") & (known["estimator"] == "efficient")]
    exact, own = (known[known["height"] == height].set_index("level") for height in (12, 4))
    return {
        "claimed": f"{100 * exact['claim'][1]:.1f}",
        "exact_lost": f"{100 * (1 - own['ratio'].iloc[-1]):.0f}",
        "near": f"{100 * exact['ratio'][1]:.0f}",
        "next": f"{100 * exact['ratio'][2]:.0f}",
        "top": f"{kept['efficient'][1]:.0f}",
        "leaves": f"{kept['efficient'].iloc[-1]:.0f}",
        "lost": f"{100 - kept['efficient'].iloc[-1]:.0f}",
        "middle": f"{100 * middles['efficient'].iloc[1]:.0f}",
        "middle_leaves": f"{100 * middles['efficient'].iloc[-1]:.0f}",
        "above": f"{kept['from-above'][1]:.0f}",
        "below": f"{kept['from-below'][1]:.0f}",
    }


def poster(curve: pd.DataFrame, trials: pd.DataFrame, *, shows_truth: bool = True) -> Numbers:
    """Of Manohar's plots; people is the private total, the curve's last smoothed count.

    How many points leave an α is confidential, and told with the truth alone.
    """
    alpha, people = float(curve["alpha"].max()), float(curve["smoothed"].iloc[-1])
    formula = poster_alpha()  # stored results keep four of its digits
    return {
        "alpha": _hundreds(alpha),
        "people": f"about {round(people, -4):,.0f}",
        "share": short(100 * alpha / people),
        "formula": f"{formula:,.2f}",
        "interval": _hundreds(float(curve["interval"].max())),
        "nodes": f"{most_nodes()}",
        "moved": f"{(curve['smoothed'] - curve['held']).abs().max():,.0f}",
        "over": f"{100 * ((POSTER_TREE.height + 1) / math.log2(UNIVERSE) - 1):.0f}",
        "times": short(formula / alpha),
        "interval_times": short(formula / float(curve["interval"].max())),
        "trials_said": _trials_said(trials, shows_truth=shows_truth),
        "beyond": short(float(trials["beyond"].iloc[0])),
    }


def _hundreds(simulated: float) -> str:
    """As many digits as the simulation has: one noise law, another hundred from seed to seed."""
    return f"{round(simulated, -2):,.0f}"


def _trials_said(trials: pd.DataFrame, *, shows_truth: bool) -> str:
    points = f"{trials['points'].iloc[0]:.0f} points"
    expected = short(float(trials["expected"].iloc[0]))
    if not shows_truth:
        return (
            f"How many of {points} leave the simulated α in ten trials ({expected} expected) shows "
            "with the truth alone."
        )
    return (
        f"In ten trials {_outside(trials['raw'])} of {points} leave the simulated α ({expected} "
        f"expected), {_outside(trials['raw_formula'])} the printed one."
    )


def _outside(counts: pd.Series[Any]) -> str:
    return _listed([f"{one:.0f}" for one in counts]) if counts.any() else "none"


def trials_in_words(runs: float, noun: str = "trial") -> str:
    """How often something was run: "100 trials", "one release"."""
    return several(runs, noun) if runs <= 1 else f"{runs:,.0f} {noun}s"


OF_AQ: Mapping[str, Callable[[pd.DataFrame], Numbers]] = {
    "aq1": recursion,
    "aq2": targets,
    "aq3": histograms,
    "aqt1": properties,
    **dict.fromkeys(("aq4", "aq5", "aq6", "aq7"), gaps),
    "aq8": times,
}
