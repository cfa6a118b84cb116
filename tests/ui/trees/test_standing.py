"""What stands in the place of a view that does not fit a tree, and the key above its curves."""

from types import SimpleNamespace

import pytest

from dpviz.answers.trees.names import Names
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.trees.bucket_release import MOST_BINS
from dpviz.core.trees.shape import TreeShape
from dpviz.figures.kit.look import Look
from dpviz.ui.trees import buckets, cdf, prefixes
from tests.figures.inks import DARK, LIGHT
from tests.rows import by_rows


def page(fanout, height, budget):
    return SimpleNamespace(choice=SimpleNamespace(shape=TreeShape(fanout, height), budget=budget))


def said(view, case):
    """What a view says in place of its picture; empty where it has one."""
    instead = view.instead(case, None, {})
    if instead is None:
        return ""
    found = instead.say(case, None)
    assert ("parts", f"{case.choice.shape.leaves:,}") in found.strip
    return found.headline()


@by_rows(
    ("fanout", "height", "wrong"),
    [(2, 0, "1 leaf"), (2, 1, ""), (2, 14, ""), (2, 15, "32,768 leaves"), (3, 9, "19,683 leaves")],
)
def test_running_counts_are_shown_for_trees_of_their_size(fanout, height, wrong):
    start = "Errors at every edge are shown for 2 to 16,384 leaves; this tree has "
    for budget in (ZCDP(0.5), PureDP(1)):
        found = said(prefixes, page(fanout, height, budget))
        assert found == (f"{start}{wrong}." if wrong else "")


@by_rows(("height", "wrong"), [(0, "1 leaf"), (1, ""), (12, ""), (13, "8,192 leaves")])
def test_buckets_are_made_for_trees_of_their_size(height, wrong):
    assert MOST_BINS == 4_096
    start = "Buckets are made of 2 to 4,096 bins; this tree has "
    assert said(buckets, page(2, height, PureDP(1))) == (f"{start}{wrong}." if wrong else "")
    assert said(buckets, page(2, height, ZCDP(1))) == buckets.NEEDS_EPSILON[0]


@pytest.mark.parametrize("truth", [None, 1])
@pytest.mark.parametrize("ink", [LIGHT, DARK])
@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_the_key_above_curves_names_those_that_are_there(monkeypatch, truth, ink, screen):
    monkeypatch.setattr(cdf, "names", lambda: Names("students", "mark"))
    monkeypatch.setattr(cdf, "coloured", lambda text, _, **bold: f"<{text}>")
    colour = "white" if ink is DARK else "black"
    true = [f"<b>truth</b> in {colour}"] if truth else []
    start = "" if screen == "phone" else "Students below each mark: "
    for shown, lines in (
        (("raw", "smoothed"), ["<smoothed>", "<dotted as read>"]),
        (("raw",), ["<as read>"]),
        (("smoothed",), ["<smoothed>"]),
    ):
        found = cdf._key(SimpleNamespace(truth=truth), shown, Look(ink, screen=screen))
        assert found == start + ", ".join([*lines, *true])
