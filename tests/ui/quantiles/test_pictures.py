"""What the views of Quantiles hand to their pictures: titles, names and numbers of the release."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.figures.kit.look import Look
from dpviz.intake.samples import sample
from dpviz.ui.quantiles import below, column, compare, outside, picture
from tests.figures.inks import LIGHT

EXAM = sample("exam")
COLUMN = Column.from_values(np.arange(321) % 101.0, Bounds(0, 100), 1.0)
LOOK = Look(LIGHT)
VALUES = np.arange(10.0, 100, 10)


@pytest.fixture(autouse=True)
def of_marks(monkeypatch):
    monkeypatch.setattr(picture.memory, "public", lambda _, __, made: made())
    for module in (picture, column, outside, below, compare):
        monkeypatch.setattr(module, "voice_of", lambda scale: SimpleNamespace(words=EXAM.words))
    for module in (picture, outside, below):
        scale = SimpleNamespace(view=(0.0, 100.0))
        monkeypatch.setattr(module, "scale_of", lambda _, scale=scale: scale)


def page():
    question = SimpleNamespace(
        column=COLUMN, quantiles=QuantileSet.of(DECILES), budget=PureDP(1), key=lambda *one: one
    )
    one = SimpleNamespace(
        mechanism=SimpleNamespace(name="AggTree"), draws=None, between=None,
        answers=lambda _: "beside the truth", alone=lambda _: "alone",
    )  # fmt: skip
    return SimpleNamespace(one=one, question=question, now=SimpleNamespace(look=LOOK))


def seen(monkeypatch, module, name):
    """What a function of pictures is called with."""
    calls = []
    monkeypatch.setattr(module, name, lambda *given, **others: calls.append((given, others)) or {})
    return calls


def test_beside_the_truth_the_axis_counts_the_people(monkeypatch):
    calls = seen(monkeypatch, picture, "answers_picture")
    picture._draw(page(), None, {}, LOOK)
    ((given, _),) = calls
    assert given[0] == "beside the truth"
    assert given[3] == "Share of the 321 students with at most this mark"


def test_without_the_truth_nobody_is_counted(monkeypatch):
    for module, draw in (
        (outside, lambda: outside._draw(page(), SimpleNamespace(answers=1, half=2), {}, LOOK)),
        (below, below._public_figure(page(), page().one)),
    ):
        calls = seen(monkeypatch, module, "release_picture")
        monkeypatch.setattr(below.go, "Figure", dict)
        draw()
        ((given, _),) = calls
        assert given[3] == "Share of the students with at most this mark"


@pytest.mark.parametrize("truth", [True, False])
def test_a_made_up_column_is_named_by_its_own_number(monkeypatch, truth):
    calls = seen(monkeypatch, column, "made_up_picture")
    known = SimpleNamespace(
        scale=SimpleNamespace(view=(0.0, 100.0)), found=SimpleNamespace(count=1_234),
        release=SimpleNamespace(values=VALUES, quantiles=DECILES),
    )  # fmt: skip
    shown = page()
    shown.has_truth = truth
    column._draw(shown, known, {}, LOOK)
    ((given, others),) = calls
    assert given[0] is VALUES
    assert given[1] is DECILES
    assert given[4] == "Share of the students with at most this mark"
    assert others["names"] == ("1,234 made-up", "321 real" if truth else "")
    assert (given[2] is not None) == truth


def test_each_panel_of_a_comparison_has_its_own_methods_numbers(monkeypatch):
    calls = seen(monkeypatch, compare, "compare_picture")
    methods = [SimpleNamespace(key=key, mean=mean) for key, mean in (("a", 1.5), ("b", 2.5))]
    found = SimpleNamespace(methods=methods)
    shown = page()
    shown.every = {key: SimpleNamespace(answers=lambda _, key=key: f"of {key}") for key in "ab"}
    monkeypatch.setattr(compare, "_voice", lambda _: SimpleNamespace(
        words=EXAM.words, writing=SimpleNamespace(error=lambda mean: f"{mean:.1f}")))  # fmt: skip
    monkeypatch.setattr(compare.compared_said, "beside", lambda one, _, unit: (unit, one.key))
    monkeypatch.setattr(compare.methods, "heading", str.upper)
    compare._draw(shown, found, {}, LOOK)
    ((given, _),) = calls
    panels = [(one.key, one.title, one.answers, one.number) for one in map(_panel, given[0])]
    assert panels == [("a", "A", "of a", "1.5"), ("b", "B", "of b", "2.5")]


def _panel(one):
    """A panel by its fields in order, whatever they are called."""
    values = [getattr(one, name) for name in one.__slots__]
    return SimpleNamespace(key=values[0], title=values[1], answers=values[2], number=values[3])
