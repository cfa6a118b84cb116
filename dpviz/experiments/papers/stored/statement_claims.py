"""What the papers state in their texts, as tests of rows; read as claims.py is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from dpviz.experiments.papers.stored.tables import crossed
from dpviz.experiments.statements.flattening import BINARY, FLAT


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
    "good-split": {"EM with at least 1/6": _promised("EM"), "SS as promised": _promised("SS")},
}
