"""Frames and notebook views of every release: the private values by plain loops, and no more."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import dpviz as dp
from dpviz.core.releases import SHOWN
from dpviz.estimators.spatial.cell_ranges import cell_counts
from tests.facade.every_release import CASES, EVERY, NAMES, PLACES
from tests.rows import by_rows

ESTIMATED = [
    *(dp.estimate(one) for kind in ("tree", "spatial") for one in EVERY[kind]),
    *(dp.prune(dp.estimate(one), 20) for one in EVERY["spatial"]),
]


def nodes(tree, places, kept=None):
    """Rows of the nodes with information, node by node."""
    rows = []
    for level, counts in enumerate(tree.levels.counts):
        where = places(level)
        for node, count in enumerate(counts):
            variance = tree.levels.node_variances(level)[node]
            if np.isfinite(variance) and (kept is None or kept[level][node]):
                rows.append((level, node, *where[node], count, variance**0.5))
    return rows


def intervals(tree):
    def places(level):
        edges = tree.edges(level)
        return list(pairwise(edges))

    return nodes(tree, places)


def rectangles(tree):
    return nodes(tree, tree.level_boxes, getattr(tree, "kept", None))


def of_cells(cells):
    errors = np.sqrt(cell_counts(cells, cells.boxes)[1])  # by the formula of any rectangle
    return [(*box, count, error) for box, count, error in
            zip(cells.boxes, cells.counts, errors, strict=True)]  # fmt: skip


def of_buckets(one):
    ends = [*one.starts, one.bins]
    width = one.bounds.width / one.bins
    at = [one.bounds.low + end * width for end in ends]
    return [(*side, count) for side, count in zip(pairwise(at), one.counts, strict=True)]


NOTION = {dp.PureDP: "pure ε-", dp.ApproxDP: "(ε, δ)-", dp.ZCDP: "ρ-zero-concentrated "}
SIDES = ["x_low", "x_high", "y_low", "y_high"]
COUNTED = ["count", "standard_error"]
QUANTILE = ["quantile", "value"]
# kind: the columns, and the rows of a release
EXPECTED = {
    "quantiles": (QUANTILE, lambda one: list(zip(one.quantiles, one.values, strict=True))),
    "profile": (
        ["column", *QUANTILE],
        lambda one: [
            (name, q, value)
            for name, each in one.releases.items()
            for q, value in zip(each.quantiles, each.values, strict=True)
        ],
    ),
    "tree": (["level", "node", "low", "high", *COUNTED], intervals),
    "prefixes": (
        ["below", *COUNTED],
        lambda one: list(zip(one.edges[1:], one.counts, one.standard_errors, strict=True)),
    ),
    "buckets": (["low", "high", "count"], of_buckets),
    "histogram": (
        ["low", "high", *COUNTED],
        lambda one: [
            (*side, count, one.standard_error)
            for side, count in zip(pairwise(one.edges), one.counts, strict=True)
        ],
    ),
    "spatial": (["level", "node", *SIDES, *COUNTED], rectangles),
    "cells": ([*SIDES, *COUNTED], of_cells),
    "places": (
        ["level", "place", *COUNTED],
        lambda one: [
            (level, ", ".join(path), count, one.noise.variance(scale) ** 0.5)
            for depth, (level, counts, scale) in enumerate(
                zip(("whole", "land", "town"), one.counts, one.scales, strict=True)
            )
            if np.isfinite(scale)
            for path, count in zip(
                sorted({path[:depth] for path in PLACES.places}) if depth else [("the whole",)],
                counts,
                strict=True,
            )
        ],
    ),
    "number": (["value", "standard_error"], lambda one: [(one.value, one.standard_error)]),
    "unbounded-quantile": (QUANTILE, lambda one: [(one.quantile, one.value)]),
    "bounds": (["low", "high"], lambda one: [(one.low, one.high)]),
    "local-counts": (
        ["low", "high", *COUNTED],
        lambda one: [
            (*side, count, error)
            for side, count, error in zip(
                pairwise(one.edges), one.counts, one.standard_errors, strict=True
            )
        ],
    ),
    "local-quantiles": (QUANTILE, lambda one: list(zip(one.quantiles, one.values, strict=True))),
    "rank-check": (
        [*QUANTILE, "rank_error", "standard_error"],
        lambda one: list(
            zip(one.quantiles, one.values, one.errors, one.standard_errors, strict=True)
        ),
    ),
}


def check_frame(frame, columns, rows):
    expected = pd.DataFrame(rows, columns=columns)
    assert len(frame) > 0
    pd.testing.assert_frame_equal(frame, expected, check_dtype=False, rtol=1e-12)


@by_rows(("kind", "release"), CASES, ids=NAMES)
def test_a_frame_holds_the_private_values_a_row_each(kind, release):
    columns, rows = EXPECTED[kind]
    check_frame(release.to_frame(), columns, rows(release))


@pytest.mark.parametrize("best", ESTIMATED, ids=lambda best: best.release.mechanism)
def test_an_estimate_has_a_frame_too(best):
    is_tree = isinstance(best.release, dp.releases.TreeRelease)
    columns, rows = EXPECTED["tree" if is_tree else "spatial"]
    check_frame(best.to_frame(), columns, rows(best))


def test_pruned_nodes_have_no_row():
    best = dp.estimate(EVERY["spatial"][0])
    assert len(dp.prune(best, 20).to_frame()) < len(best.to_frame()) == 21


# without a picture
PLAIN = {
    *("number", "rank-check", "unbounded-quantile", "bounds", "profile"),
    *("local-counts", "local-quantiles", "places"),
}


@pytest.mark.law
@by_rows(("kind", "release"), CASES, ids=NAMES)
def test_a_release_draws_itself_as_the_app_does(kind, release):
    if kind in PLAIN:
        assert not hasattr(release, "plot")
    else:
        assert release.plot().to_json() == dp.plot(release).to_json()


@pytest.mark.few(4)
@pytest.mark.parametrize("best", ESTIMATED, ids=lambda best: best.release.mechanism)
def test_an_estimate_draws_its_release(best):
    assert best.plot().to_json() == dp.plot(best.release).to_json()


def test_what_found_nothing_is_unknown():
    found = EVERY["unbounded-quantile"][0]
    guesses = found.parameters["guesses"]
    assert replace(found, stop=guesses, value=None).to_frame()["value"].isna().all()
    assert replace(EVERY["bounds"][0], low=None, high=1.0).to_frame()["low"].isna().all()


class Text(HTMLParser):
    """The words of a page, cell by cell, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.words, self.elements = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        assert not attrs

    def handle_data(self, data):
        self.words.append(data)


@by_rows(
    "shown", [*(one for _, one in CASES), *ESTIMATED],
    ids=[*NAMES, *(f"estimate of {one.release.mechanism}" for one in ESTIMATED)],
)  # fmt: skip
def test_a_notebook_shows_values_budget_and_guarantee_and_nothing_else(shown):
    """Every word is one of the frame's, or of the promise; a twin with one more would be seen."""
    page, frame = Text(shown._repr_html_()), shown.to_frame()
    promise, *rest = page.words
    origin = getattr(shown, "release", shown)
    notion = f"{NOTION[type(origin.spent)]}differential privacy"
    assert promise == f"{origin.spent}: {notion}, neighbours {origin.neighbours}"
    head = frame.head(SHOWN)
    expected = [*frame.columns]
    for row in head.itertuples(index=False):
        expected += [each if isinstance(each, str) else f"{each:,.6g}" for each in row]
    if len(frame) > SHOWN:
        expected.append(f"and {len(frame) - SHOWN:,} more")
    assert rest == expected
    assert page.elements <= {"p", "table", "tr", "th", "td"}


def test_texts_of_a_stranger_are_escaped():
    nasty = "<script>alert(1)</script>"
    (quantiles,) = EVERY["quantiles"][:1]
    profile = dp.releases.ProfileRelease({nasty: quantiles}, quantiles.spent)
    for shown in (profile, replace(quantiles, mechanism=nasty, version=nasty)):
        page = shown._repr_html_()
        assert "<script" not in page
    assert "&lt;script&gt;" in profile._repr_html_()


def test_whose_rows_they_are_and_what_is_not_protected_is_said():
    cells = EVERY["cells"][0]
    exposed = replace(cells, non_private=("structure",))
    assert "not protected: structure" in exposed._repr_html_()
    assert "not protected" not in cells._repr_html_()
    exact = replace(
        cells, non_private=("counts",), spent=None, variances=np.zeros(cells.counts.size)
    )
    assert "no guarantee" in exact._repr_html_()
    rng, rows = np.random.default_rng(1), dp.PersonRows.at_most(3)
    column = dp.person_column([1, 1, 2], [3, 4, 5], dp.Bounds(0, 9), 1, rows, rng)
    person = dp.release_for_people(
        dp.CountTree(2, 2), column, budget=dp.PureDP(1), rows=rows, rng=rng
    )
    assert "for a person with up to 3 rows" in person._repr_html_()


def test_every_class_with_a_text_shows_itself():
    assert set(EXPECTED) == set(EVERY)
    for kind, release in CASES:
        assert re.search(r"ε|ρ", release._repr_html_()), kind
