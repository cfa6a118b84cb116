"""What the papers state in their texts, as tests of rows; read as claims.py is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from dpviz.experiments.papers.medians import sample_budget
from dpviz.experiments.papers.stored.tables import crossed
from dpviz.experiments.papers.tree_figures import SIGMA
from dpviz.experiments.statements.flattening import BINARY, FLAT
from dpviz.experiments.statements.psd_medians import LAPLACE
from dpviz.experiments.statements.weighing import BIAS, ERROR, VARIANCE, WEIGHT


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
