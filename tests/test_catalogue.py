"""The tables of the catalogue, and the proof that one file and one word make a method.

A throw-away quantile mechanism and a throw-away spatial method are put in place, and then found
in the picker, in the picture, in a sweep, on the Methods page and in the contract's parameters.
"""

import ast
import sys
import textwrap
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.planning.beforehand import _planned
from dpviz.experiments.planning.sweeps import Axis, sweep
from dpviz.figures.kit.palette import HUES, LIGHT
from dpviz.mechanisms.spatial.method import SpatialChoice
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.reports.words import method, paragraph
from dpviz.ui.methods import canvas, cards, columns
from scripts.methods_table import table
from tests.conftest import ROOT
from tests.mechanisms.quantiles import test_contract
from tests.pages.columns import published
from tests.pages.driver import figures, healthy, inside, opened, pick, text
from tests.pages.pictures import pictures

BOX = Box(Bounds(0, 1), Bounds(0, 2))
THROWAWAY = '''
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.core.budgets import Neighbours
from dpviz.core.card import Card
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.releasing import quantile_release


@dataclass(frozen=True, slots=True)
class EvenlySpaced:
    """Answers that ignore the data: 0-DP, and as bad as can be."""

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    lift: int | None = None
    name: ClassVar[str] = "EvenlySpaced"
    knobs: ClassVar[tuple[Knob, ...]] = (
        Knob(field="lift", label="Lift", help="Up so much.", ends=(0, 9), chip="lifted by {}"),
    )
    card: ClassVar[Card] = replace(
        ApproximateQuantiles.card, key="EvenlySpaced", title="Evenly spaced answers",
        label="Even", words="evenly spaced", brief="Evenly", way="evenly", hue="",
        used=("lifted by {lift}",), miniature="line",
    )

    @property
    def parameters(self):
        return {} if self.lift is None else {"lift": self.lift}

    def check(self, budget, quantiles):
        QuantileSet.of(quantiles)

    def release(self, column, quantiles, budget, rng):
        wanted = QuantileSet.of(quantiles)
        values = self.release_many(column, wanted, budget, rng, 1)[0]
        return quantile_release(self, column, wanted, values, budget)

    def release_many(self, column, quantiles, budget, rng, runs):
        wanted = QuantileSet.of(quantiles)
        values = column.bounds.low + column.bounds.width * wanted.asked + (self.lift or 0)
        return np.tile(values, (runs, 1))

    def seconds(self, n, m, budget, runs, resolution=0.0):
        return 1e-6 * runs
'''


@pytest.fixture
def even(tmp_path, monkeypatch):
    """One class in a module of its own, and one word in the table."""
    (tmp_path / "evenly_spaced.py").write_text(textwrap.dedent(THROWAWAY), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    from evenly_spaced import EvenlySpaced  # noqa: PLC0415

    monkeypatch.setattr(catalogue, "QUANTILES", (*catalogue.QUANTILES, EvenlySpaced))
    _planned.cache_clear()  # of tests that ran before, whatever they planned
    yield EvenlySpaced
    _planned.cache_clear()
    sys.modules.pop("evenly_spaced")


@pytest.fixture
def coarse(monkeypatch):
    """One row in the table of spatial methods, which comes after the page's own tables."""
    import_module("dpviz.ui.pages.map")
    row = replace(
        catalogue.SPATIAL[0],
        name="coarse quadtree",
        paper="quad-coarse",
        card=replace(Quadtree.card, key="CoarseQuadtree", title="A quadtree of height 1"),
        build=lambda choice: Quadtree(min(choice.height, 1), neighbours=choice.neighbours),
        hue="",
    )
    monkeypatch.setattr(catalogue, "SPATIAL", (*catalogue.SPATIAL, row))
    return row


@pytest.mark.page
def test_a_new_mechanism_is_in_the_picker_and_on_the_cdf(even):
    app = healthy(opened("quantiles"))
    assert any("(Even)" in one for one in app.get_by_key("method").options)
    assert not any(one.key == "lift" for one in app.number_input)
    pick(app, method="EvenlySpaced")
    assert "Even" in text(app)
    before = published(app)
    pick(app, lift=3)
    np.testing.assert_allclose(published(app), before + 3)
    assert "lifted by 3" in text(app)
    assert app.query_params["lift"] in ("3", ["3"])
    pick(app, q_view="compare", mechanisms=["ApproximateQuantiles", "EvenlySpaced"])
    assert "Even" in str(pictures(app)[0].spec)


@pytest.mark.page
def test_a_new_mechanism_is_in_a_sweep_and_in_the_picker_of_sweeps(even):
    column = Column.from_values(np.linspace(0, 1, 200), Bounds(0, 1))
    swept = sweep(
        column,
        {"EvenlySpaced": even()},
        QuantileSet.of([0.5]),
        PureDP(1),
        Axis.BUDGET,
        (0.1, 1.0),
        10,
        np.random.default_rng(0),
    )
    rows = swept.cells[0].run(swept.shared, np.random.default_rng(0))
    assert set(rows["mechanism"]) == {"EvenlySpaced"}
    assert MEAN_GAP in set(rows["metric"])
    app = inside(opened())
    assert any("Evenly" in one.options for one in app.pills)


@pytest.mark.page
def test_a_new_mechanism_is_on_the_methods_page_and_in_the_contract(even):
    assert "Evenly spaced answers" in text(healthy(opened("methods")))
    asked = []

    class Recorder:
        fixturenames = ("mechanism",)

        def parametrize(self, name, cases):
            asked.extend((name, case.id) for case in cases)

    test_contract.pytest_generate_tests(Recorder())
    assert ("mechanism", "EvenlySpaced") in asked


def test_a_new_mechanism_gets_a_colour_that_no_other_has(even):
    ink = LIGHT.carrying(*catalogue.shown())
    others = {ink.of(kind.name) for kind in catalogue.QUANTILES if kind is not even}
    assert ink.of("EvenlySpaced") not in others
    assert ink.label("EvenlySpaced") == "Even"


def test_a_new_mechanism_is_in_readme_and_a_report_says_what_its_card_says(even):
    assert "| Quantiles | Evenly spaced answers |" in table()
    column = Column.from_values(np.linspace(0, 1, 200), Bounds(0, 1))
    lifted, plain = (
        even(lift=lift).release(column, [0.5], PureDP(1), np.random.default_rng(0))
        for lift in (3, None)
    )
    assert "Evenly spaced answers (" in paragraph(lifted)
    assert method(lifted).endswith(", lifted by 3")
    assert "lifted" not in paragraph(plain)


def test_a_new_mechanism_is_drawn_from_its_own_release(even):
    assert "EvenlySpaced" not in cards.stored()
    drawn = cards.of("EvenlySpaced")
    dots = [shape["d"] for shape in drawn["shapes"] if "rim" in shape]
    values = np.clip(100 * np.arange(1, 6) / 6, *columns.ENDS)  # evenly over the marks' bounds
    for place in canvas.across(values, columns.ENDS).tolist():
        assert canvas.dot(place, 116.0)["d"] in dots


def test_a_new_spatial_method_is_in_readme_and_drawn_from_its_own_release(coarse):
    assert "| Maps | A quadtree of height 1 |" in table()
    drawn, fine = cards.of("CoarseQuadtree"), cards.of("Quadtree")
    assert str(drawn).count("Z") < str(fine).count("Z") / 8  # 4 leaves, not 256


@pytest.mark.page
def test_a_new_spatial_method_is_in_the_picker_on_the_map_and_on_the_methods_page(coarse):
    app = healthy(opened("map", data="towns"))
    picker = app.get_by_key("m_method")
    assert coarse.name in picker.options
    healthy(picker.set_value(coarse.name).run())
    assert len(figures(app)) == 1
    assert coarse.name in text(app)
    listed = healthy(opened("methods", methods_family="Maps"))
    assert "A quadtree of height 1" in text(listed)


def test_rows_have_names_of_their_own():
    for rows in (catalogue.SPATIAL, catalogue.MEDIANS):
        for name in ("name", "paper"):
            names = [getattr(row, name) for row in rows]
            assert len(set(names)) == len(names)
    for named in (catalogue.QUANTILES, catalogue.cards()):
        keys = [getattr(one, "card", one).key for one in named]
        assert len(set(keys)) == len(keys)


def test_every_card_is_complete():
    for card in catalogue.cards():
        for field in ("title", "summary", "guarantee", "neighbours", "cost", "good_for", "source"):
            assert getattr(card, field), (card.key, field)
        assert not card.hue or card.hue.split()[0] in {*HUES, "grey"}


def test_the_quadtrees_of_the_paper():
    """Baseline and post split evenly, geo and opt geometrically; the first two are read raw."""
    rows = {row.paper: row for row in catalogue.SPATIAL}
    best = LevelBudget.workload_optimal([0.1, 0.2, 0.7])
    built = {
        name: rows[name].build(SpatialChoice(BOX, 2, workload=best))
        for name in rows
        if name.startswith("quad-")
    }
    uniform = LevelBudget.uniform()
    assert [built[name].levels for name in ("quad-baseline", "quad-post")] == [uniform, uniform]
    assert built["quad-geo"] == built["quad-opt"] == Quadtree(2)
    assert built["quad-workload"].levels == best
    raw = {name for name in built if not rows[name].estimated}
    assert raw == {"quad-baseline", "quad-geo"}
    with pytest.raises(InvalidParameter, match="split"):
        rows["quad-workload"].build(SpatialChoice(BOX, 2))


def test_only_the_references_are_not_private():
    assert [row.name for row in catalogue.SPATIAL if not row.private] == [
        "kd-true (not private)",
        "kd-pure (not private)",
    ]


def test_every_median_and_every_split_is_built_where_it_is_asked_for():
    for row in catalogue.SPATIAL:
        for median in catalogue.MEDIANS if row.uses_median else ():
            built = row.build(SpatialChoice(BOX, 2, median=median.median))
            assert built.median == median.median


# upper rooms that still name a mechanism in a text, and why; the list may only shrink
NAMED = {
    "figures/studies/aq.py": 4,  # figures of a paper that compares these four
}
UPPER = ("answers", "figures", "reports", "lessons", "ui")


def named_in(source: str) -> set[str]:
    """The mechanisms of the catalogue that a module calls by name in a text."""
    names = {kind.name for kind in catalogue.QUANTILES}
    if not any(name in source for name in names):  # most are not even parsed
        return set()
    texts = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    return texts & names


def test_nobody_above_the_catalogue_calls_a_mechanism_by_name():
    package = ROOT / "dpviz"
    found = {
        path.relative_to(package).as_posix(): len(named)
        for room in UPPER
        for path in (package / room).rglob("*.py")
        if (named := named_in(path.read_text(encoding="utf-8")))
    }
    assert found == NAMED


def test_a_module_that_names_one_is_found():
    assert named_in('"""Not AggTree in prose."""\nWORDS = {"AggTree": "noisy tree"}') == {"AggTree"}
    assert named_in("kind.name == other.name") == set()
