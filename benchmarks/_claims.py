"""What the papers say of their figures, as tests of rows: a mark must follow from them.

A claim is a word of the printed text and a function of a figure's rows. All hold: as printed; some:
in part; none: not. Comparisons are of means; where claims are about being level, two standard
errors of the difference decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from dpviz.experiments.papers.medians import PRINTED, sample_budget
from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.stored.judgements import Mark
from dpviz.experiments.papers.stored.map_findings import FINE, MAGNITUDE, ONE, UNEVEN
from dpviz.experiments.papers.stored.tables import crossed
from dpviz.experiments.papers.tree_figures import SIGMA
from dpviz.experiments.statements.flattening import BINARY, FLAT
from dpviz.experiments.statements.psd_medians import LAPLACE
from dpviz.experiments.statements.weighing import BIAS, ERROR, VARIANCE, WEIGHT

Claim = Callable[[pd.DataFrame], bool]
AQ, JOINT, SINGLE, TREE = tables.MECHANISMS


def _cells_within_bound(rows: pd.DataFrame) -> bool:
    return bool((rows["most"] <= rows["bound"]).all())


def _binary_is_worse(rows: pd.DataFrame) -> bool:
    of = [crossed(part, "height", "tree", "variance") for _, part in rows.groupby("split")]
    return all((one[BINARY] > 2 * one[FLAT]).all() for one in of)


def _closed_form_holds(rows: pd.DataFrame) -> bool:
    return bool((rows["worst"] <= rows["bound"]).all())


def _printed_bound_holds(rows: pd.DataFrame) -> bool:
    own = rows[rows["stated"].notna()]
    return bool((own["worst"] <= own["stated"]).all())


def _promised(method: str) -> Callable[[pd.DataFrame], bool]:
    def claim(rows: pd.DataFrame) -> bool:
        own = rows[(rows["method"] == method) & rows["floor"].notna()]
        return bool((own["chance"] >= own["floor"]).all())

    return claim


def _carried_within(column: str) -> Callable[[pd.DataFrame], bool]:
    return lambda rows: bool((rows["carried"] <= rows[column] * (1 + 1e-3)).all())  # rows: rounded


def _carried_within_two(rows: pd.DataFrame) -> bool:
    return bool((rows["carried"] <= 2).all())


def _missed_within(rows: pd.DataFrame) -> bool:
    return bool((rows["missed"] <= rows["bound"]).all())


def _kept_within(rows: pd.DataFrame) -> bool:
    return bool((rows["kept"] <= rows["bound"]).all())


def _usually(column: str) -> Callable[[pd.DataFrame], bool]:
    """With Laplace noise, more often than not at every ε up to 1."""

    def claim(rows: pd.DataFrame) -> bool:
        own = rows[(rows["method"] == LAPLACE) & (rows["epsilon"] <= 1)]
        return bool((own[column] > 0.5).all())

    return claim


def _no_good_cut(rows: pd.DataFrame) -> bool:
    own = rows[(rows["method"] == LAPLACE) & (rows["epsilon"] <= 1)]
    return bool((own["good"] < 0.5).all())


def _cheap_enough(rows: pd.DataFrame) -> bool:
    return bool((rows["exact"] <= rows["printed"]).all())


def _fifty(rows: pd.DataFrame) -> bool:
    """A sample gets 40 to 60 times the budget: what "about 50" allows."""
    del rows  # follows from p and ε of Fig. 4
    return 40 <= sample_budget() <= 60


def _of_weighing(of: str) -> Callable[[pd.DataFrame], bool]:
    """Simulated means lie within four standard errors of the printed formula."""

    def claim(rows: pd.DataFrame) -> bool:
        own = rows[rows["of"] == of]
        off = (own["measured"] - own["exact"]).abs() / own["standard_error"]
        return bool((off < 4).all())

    return claim


def _least_at_weights(rows: pd.DataFrame) -> bool:
    """No weight that was tried has a smaller variance than σ_j² c_j."""
    tried = rows.loc[rows["of"] == VARIANCE, "exact"].min()
    error = rows.loc[rows["of"] == ERROR, "exact"].max() * SIGMA
    return bool(tried >= error**2 * (1 - 1e-3))


def _alike(of: str) -> Callable[[pd.DataFrame], bool]:
    """The same for every measurement (ERROR), or in every order (WEIGHT)."""
    group = "of" if of == ERROR else "x"

    def claim(rows: pd.DataFrame) -> bool:
        found = rows[rows["of"] == of].groupby(group)["exact"]
        return bool((found.max() - found.min()).max() < 1e-3)

    return claim


OF_STATEMENTS: Mapping[str, Mapping[str, Callable[[pd.DataFrame], bool]]] = {
    "single-steps": {
        "Lemma 3.2: errors add up to (log m + 1) γ at most": _carried_within("steps"),
        "Lemma 3.4: for even quantiles to 2γ": _carried_within_two,
    },
    "flattening": {
        "Lemma 2 bounds the cells of an answer": _cells_within_bound,
        "counting every cut is significantly worse": _binary_is_worse,
    },
    "bounds": {
        "the closed form of Lemma 3 bounds the error": _closed_form_holds,
        "so does 2^(h+7)": _printed_bound_holds,
    },
    "selection": {
        "an output short of the best by γ or more has at most |S| e^(−εγ/2Δ)": _missed_within,
        "so has one above Opt − γ, as it is printed": _kept_within,
    },
    "laplace-median": {
        "the noise usually dwarfs the median": _usually("dwarfed"),
        "the noisy median is frequently outside the range": _usually("outside"),
        "it does not help to divide the data": _no_good_cut,
    },
    "sampling": {
        "2pe^ε bounds what a sample costs": _cheap_enough,
        "the budget of a 1 % sample is about 50 times larger": _fifty,
    },
    "weighing": {
        "eq. 1: the bias is y − y Σc": _of_weighing(BIAS),
        "eq. 3: the variance is Σ c² σ²": _of_weighing(VARIANCE),
        "Remark 1: weights 1/σ² have the least": _least_at_weights,
        "Remark 2: the error is σⱼ √cⱼ for every j": _alike(ERROR),
        "Remark 3: in any order the same weights": _alike(WEIGHT),
    },
    "good-split": {"EM with at least 1/6": _promised("EM"), "SS as promised": _promised("SS")},
}


def verdict(key: str, rows: pd.DataFrame) -> Mark:
    """The mark that follows from the claims about a figure."""
    held = [claim(rows) for claim in CLAIMS[key].values()]
    return "as printed" if all(held) else "in part" if any(held) else "not"


def _beaten(other: str, least: int = 1) -> Claim:
    """Halving misses less at every m from least on: clearly on average, nowhere clearly more."""

    def claim(rows: pd.DataFrame) -> bool:
        kept = rows[rows["m"] >= least]
        means, errors = tables.means(kept), tables.errors(kept)
        behind = means[AQ] - means[other] > 2 * np.hypot(errors[AQ], errors[other])
        swapped = {AQ: other, other: AQ}
        led = tables.ahead(means.rename(columns=swapped), errors.rename(columns=swapped), other)
        return bool(not behind.any() and set(led) == set(kept["m"]))

    return claim


def _lead_grows(other: str) -> Claim:
    """Halving's lead over another method is clearly larger at the last m than at m = 5."""

    def claim(rows: pd.DataFrame) -> bool:
        means, errors = tables.means(rows), tables.errors(rows)
        most = rows["m"].max()
        change, error = tables.lead_change(means, errors, other, 5, most)
        last, se = means.xs(most, level="m"), errors.xs(most, level="m")
        behind = last[AQ] - last[other] > 2 * np.hypot(se[AQ], se[other])
        return bool(change > 2 * error and not behind.any())

    return claim


def _joint_ahead_early(rows: pd.DataFrame) -> bool:
    ahead = tables.ahead(tables.means(rows), tables.errors(rows), JOINT)
    return bool(len(ahead) and max(ahead) <= 10)


def _faster(other: str, times: float) -> Claim:
    def claim(rows: pd.DataFrame) -> bool:
        found = tables.at_most(rows)
        return bool(found[other] >= times * found[AQ])

    return claim


def _order_of_magnitude(rows: pd.DataFrame) -> bool:
    found = tables.by_method(rows)
    return bool((found["quad-baseline"] / found["quad-opt"]).max() >= MAGNITUDE)


def _even_grows(rows: pd.DataFrame) -> bool:
    found = tables.crossed(rows, "height", "split", "error")
    share = found["uniform"] / found["geometric"]
    return bool(share.iloc[-1] > 2 and share.is_monotonic_increasing)


def _depths(one: str, other: str, value: str = "error", times: float = 1.0) -> Claim:
    """One method's value is at most another's divided by times, at every depth."""

    def claim(rows: pd.DataFrame) -> bool:
        found = tables.crossed(rows, "depth", "method", value)
        return bool((found[one] * times <= found[other]).all())

    return claim


def _best_median(rows: pd.DataFrame) -> bool:
    """EM as printed is nowhere clearly beaten, and within 1 % at the root."""
    found = tables.crossed(rows, "depth", "method", "error")
    return bool((tables.printed_median(rows) > -2).all() and found[PRINTED].iloc[0] < 0.01)


def _cells_slowest(rows: pd.DataFrame) -> bool:
    found = tables.crossed(rows, "depth", "method", "unsorted_seconds")
    return bool((found.idxmax(axis=1) == "cell").all())


def _most_reliable(rows: pd.DataFrame) -> bool:
    """Its worst case is clearly the mildest."""
    found = tables.worst_ratio(rows)
    return found.is_clear and found.name == "kd-hybrid"


def _below(method: str | None, most: float) -> Claim:
    def claim(rows: pd.DataFrame) -> bool:
        found = tables.by_method(rows)
        return bool((found if method is None else found[[method]]).to_numpy().max() < most)

    return claim


def _cell_on_squares(rows: pd.DataFrame) -> bool:
    """Nowhere clearly worse than kd-hybrid on small squares."""
    found = tables.clearly_more(rows, "kd-cell", "kd-hybrid")
    return bool(not found[tables.shapes(rows)[0]].any())


def _cell_loses(at: int) -> Claim:
    """kd-cell clearly errs more than kd-hybrid at every ε, on one of the larger shapes."""

    def claim(rows: pd.DataFrame) -> bool:
        return bool(
            tables.clearly_more(rows, "kd-cell", "kd-hybrid")[tables.shapes(rows)[at]].all()
        )

    return claim


def _better(one: str, other: str) -> Claim:
    """Nowhere clearly worse, and clearly better in most cases."""

    def claim(rows: pd.DataFrame) -> bool:
        wins, losses = (tables.clearly_more(rows, *pair) for pair in ((other, one), (one, other)))
        return bool(wins.mean() > 0.5 and not losses.any())

    return claim


def _ten_is_best(rows: pd.DataFrame) -> bool:
    """No other line of the print is within two standard errors of it."""
    own = tables.lines(rows)
    small = own[own["shape"] == tables.shapes(rows)[0]].sort_values("mean")
    best, second = small.iloc[0], small.iloc[1]
    noise = np.hypot(best["standard_error"], second["standard_error"])
    is_clear = second["mean"] - best["mean"] > 2 * noise
    return bool(best["method"] == "quad-opt" and best["height"] == 10 and is_clear)


def _hybrid_as_good(rows: pd.DataFrame) -> bool:
    found = tables.by_height(rows)
    larger = tables.shapes(rows)[1:]
    return all(
        found["kd-hybrid"][shape, 8] <= 1.1 * found["quad-opt"][shape, 10] for shape in larger
    )


def _cell_worst_on_larger(rows: pd.DataFrame) -> bool:
    """kd-cell is clearly the worst at most heights from 8 on."""
    found = tables.clearly_worst(rows, "kd-cell").drop(index=tables.shapes(rows)[0], level="shape")
    return bool(found[found.index.get_level_values("height") >= 8].mean() > 0.5)


def _hilbert_uneven(rows: pd.DataFrame) -> bool:
    found = tables.by_height(rows)
    return bool((found["Hilbert-R"] / found.min(axis=1)).max() > UNEVEN)


def _best_settings(knob: str, low: float, high: float) -> Claim:
    """The best place of a knob, by the geometric mean of the shapes, lies in a range."""

    def claim(rows: pd.DataFrame) -> bool:
        found = _of_knob(rows, knob)
        return bool(low <= found.idxmin() <= high)

    return claim


def _of_knob(rows: pd.DataFrame, knob: str) -> tables.Table:
    part = rows[rows["knob"] == knob]
    return np.log(part["mean"]).groupby(part["place"]).mean()


def _counts_preferred(rows: pd.DataFrame) -> bool:
    """Shares below a half are better than those above it."""
    found = _of_knob(rows, "share")
    return bool(found[found.index < 0.5].max() < found[found.index > 0.5].min())


def _orders_alike(rows: pd.DataFrame) -> bool:
    found = np.exp(_of_knob(rows, "order"))
    fine = found[found.index >= FINE]
    return bool(fine.max() / fine.min() < 1.25)


def _quickest(one: str, others: tuple[str, ...], times: float) -> Claim:
    def claim(rows: pd.DataFrame) -> bool:
        built = rows[rows["step"] == "release"].set_index("method")["mean"]
        return all(built[one] * times < built[other] for other in others)

    return claim


def _after_is_little(rows: pd.DataFrame) -> bool:
    found = tables.crossed(rows, "method", "step", "mean").sum()
    return bool(found["post-processing"] < 0.05 * found["release"])


def _saves_more_than(other: str) -> Claim:
    """kd-standard saves clearly more at every ε."""
    return lambda rows: bool(tables.saves_more(rows, "kd-standard", other).all())


def _between(level: int, low: float, high: float) -> Claim:
    return lambda rows: low <= float(tables.kept(rows)["efficient"][level]) <= high


def _nearest_to(level: int, lost: float) -> Claim:
    """What a level loses is nearer to a share than to the simple ones beside it."""

    def claim(rows: pd.DataFrame) -> bool:
        found = 1 - float(tables.kept(rows)["efficient"].iloc[level])
        return min((1 / 4, 1 / 3, 2 / 5, 1 / 2), key=lambda share: abs(share - found)) == lost

    return claim


def _above_beats_below(rows: pd.DataFrame) -> bool:
    found = tables.kept(rows).iloc[1:-1]
    return bool((found["from-above"] < found["from-below"]).all())


def _ties(rows: pd.DataFrame) -> bool:
    leaf = tables.kept(rows).iloc[-1]
    return bool(
        np.isclose(leaf["from-below"], leaf["raw"])
        and np.isclose(leaf["from-above"], leaf["efficient"])
    )


def _as_printed(name: str) -> Claim:
    """A column of Table 1 equals the printed one, wherever the table has a number."""

    def claim(rows: pd.DataFrame) -> bool:
        printed = rows.dropna(subset=[f"printed_{name}"])
        return bool(len(printed) and (printed[name] == printed[f"printed_{name}"]).all())

    return claim


CLAIMS: Mapping[str, Mapping[str, Claim]] = {
    "aqt1": {
        "the sizes of the sets": _as_printed("records"),
        "the numbers of categories": _as_printed("values"),
    },
    "aq4": {
        "all at once is better only at a few small m": _joint_ahead_early,
        "the lead over all at once grows": _lead_grows(JOINT),
        "the lead over one by one grows": _lead_grows(SINGLE),
        "the lead over the noisy tree grows": _lead_grows(TREE),
    },
    "aq5": {
        "all at once is better only at a few small m": _joint_ahead_early,
        "the lead over all at once grows": _lead_grows(JOINT),
        "the lead over one by one grows": _lead_grows(SINGLE),
        "the lead over the noisy tree grows": _lead_grows(TREE),
    },
    "aq6": {
        "better than all at once from small m on": _beaten(JOINT, 10),
        "better than one by one from small m on": _beaten(SINGLE, 10),
        "better than the noisy tree from small m on": _beaten(TREE, 10),
    },
    "aq7": {
        "better than all at once from small m on": _beaten(JOINT, 5),
        "better than one by one from small m on": _beaten(SINGLE, 5),
        "better than the noisy tree from small m on": _beaten(TREE, 5),
    },
    "aq8": {
        "about ten times faster than the noisy tree": _faster(TREE, 8),
        "a hundred times faster than all at once": _faster(JOINT, 100),
        "a hundred times faster than one by one": _faster(SINGLE, 100),
    },
    "psd2": {"the geometric split's lead grows": _even_grows},
    "psd3": {
        "geometric beats even": _better("quad-geo", "quad-baseline"),
        "least squares beats raw": _better("quad-post", "quad-baseline"),
        "both together beat the split": _better("quad-opt", "quad-geo"),
        "both together beat least squares": _better("quad-opt", "quad-post"),
        "an order of magnitude": _order_of_magnitude,
    },
    "psd4": {
        "EM is nowhere clearly beaten, nearly exact at the root": _best_median,
        "sampling helps smooth sensitivity": _depths("SS sampled", "SS"),
        "sampling costs EM accuracy": _depths("EM", "EM sampled"),
        "sampled versions are ten times faster": lambda rows: (
            _depths("SS sampled", "SS", "unsorted_seconds", 8)(rows)
            and _depths("EM sampled", "EM", "unsorted_seconds", 8)(rows)
        ),
        "noisy means are fast": lambda rows: (
            _depths("NM", "EM", "unsorted_seconds")(rows)
            and _depths("NM", "SS", "unsorted_seconds")(rows)
        ),
        "noisy cells are the slowest": _cells_slowest,
    },
    "psd5": {
        "kd-true stays below 1 %": _below("kd-true", ONE),
        "noisy means are weak": _better("kd-standard", "kd-noisymean"),
        "kd-cell is good on small squares": _cell_on_squares,
        "kd-cell clearly loses on large squares, at every ε": _cell_loses(1),
        "kd-cell clearly loses on long thin rectangles, at every ε": _cell_loses(2),
        "kd-hybrid is the most reliable": _most_reliable,
        "all are below 10 %": _below(None, 0.1),
    },
    "psd6": {
        "quad-opt of height 10 is the best of all": _ten_is_best,
        "kd-hybrid of height 8 does as well on larger shapes": _hybrid_as_good,
        "kd-cell is the worst on larger shapes": _cell_worst_on_larger,
        "Hilbert-R is much worse on some": _hilbert_uneven,
    },
    "psdsettings": {
        "half-way down is the best switch level": _best_settings("switch level", 3, 4),
        "a budget biased towards counts is the best": _counts_preferred,
        "about 0.3 for the medians is the best": _best_settings("share", 0.2, 0.4),
        "orders 16 to 24 are alike": _orders_alike,
    },
    "psd7a": {
        "quadtrees are by far the fastest": _quickest("quad-opt", ("kd-hybrid", "kd-standard"), 3),
        "kd-hybrid lies between": _quickest("kd-hybrid", ("kd-standard",), 1),
        "kd-cell and Hilbert-R take longest": _quickest("kd-standard", ("kd-cell", "Hilbert-R"), 1),
        "post-processing adds little": _after_is_little,
    },
    "psd7b": {
        "kd-standard saves more than kd-noisymean": _saves_more_than("kd-noisymean"),
        "kd-standard saves more than quad-baseline": _saves_more_than("quad-baseline"),
    },
    "honaker4": {
        "high nodes keep about one quarter": _between(1, 0.2, 0.3),
        "leaves lose about one third": _nearest_to(4, 1 / 3),
        "from above always beats from below": _above_beats_below,
        "ties at the leaves": _ties,
    },
    **OF_STATEMENTS,
}
