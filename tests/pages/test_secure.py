"""Releases of an upload: no generator reaches them; what is not exact is looked at, never taken."""

from functools import wraps
from inspect import signature

import numpy as np
import pytest

from dpviz.core.errors import NotExact
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.ui.kit.draws import NOT_DRAWN, Draw
from tests.pages.driver import healthy, opened, pick
from tests.pages.maps import with_points
from tests.pages.own_file import with_own

LINE = b"a\n" + b"".join(b"%d\n" % (value % 90) for value in range(400))
PLANE = b"a,b\n" + b"".join(b"%d,%d\n" % (value % 89, value % 83) for value in range(300))
LINES = (ApproximateQuantiles, IndependentExp, AggTree, SanitizedColumn, CountTree)
MAPS = (AdaptiveGrid, HilbertTree, KdCell, KdTree, Quadtree, UniformGrid)


@pytest.fixture
def drawn(monkeypatch):
    """Every exact release raises if a generator reaches it; what was drawn is listed."""
    found: list[str] = []

    def guarded(kind, name, original):
        @wraps(original)
        def release(*args, **named):
            rng = signature(original).bind(*args, **named).arguments["rng"]
            if isinstance(rng, np.random.Generator):
                raise AssertionError(f"{kind.__name__}.{name} was given a generator")
            found.append(f"{kind.__name__}.{name}")
            return original(*args, **named)

        return release

    for kind in (*LINES, *MAPS):
        for name in ("release", "trace"):
            if original := getattr(kind, name, None):
                monkeypatch.setattr(kind, name, guarded(kind, name, original))
    return found


def at(app, page, **choices):
    healthy(app.switch_page(f"pages/{page}.py").run())
    return pick(app, **choices)


def test_the_guard_catches_a_generator(drawn):
    app = opened("data", seed="90817")  # kept of no other test
    app.switch_page("pages/quantiles.py").run()  # a sample draws from its seed
    assert app.exception
    assert drawn == []


@pytest.mark.parametrize("truth", [True, False])
def test_no_generator_reaches_a_release_of_a_column(drawn, truth):
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles")
    pick(app, truth=truth)
    for method in ("IndependentExp", "AggTree", "ApproximateQuantiles"):
        pick(app, method=method)
    for view in ("column", "recursion") if truth else ("column",):
        pick(app, q_view=view)
    at(app, "trees", t_height=3)
    wanted = {"ApproximateQuantiles.release", "SanitizedColumn.release", "CountTree.release"}
    assert wanted <= set(drawn)
    assert not truth or "ApproximateQuantiles.trace" in drawn


@pytest.mark.few(3)
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize(
    "method",
    [
        "kd-tree",
        "kd-hybrid",
        "Hilbert R-tree",
        "quadtree, optimal",
        "adaptive grid",
        "uniform grid",
    ],
)
def test_no_generator_reaches_a_release_of_points(drawn, truth, method):
    app = with_points(PLANE, box=((0.0, 90.0), (0.0, 90.0)))
    pick(app, truth=truth)
    drawn.clear()
    pick(app, m_height=2, m_method=method)
    if truth:
        pick(app, map_view="matching")
    assert drawn


def said(app):
    return "\n".join(str(one.value) for one in (*app.error, *app.warning, *app.info, *app.markdown))


TEACHING = ({"method": "JointExp"}, {"method": "IndependentExp", "ties": "jitter"})


@pytest.mark.parametrize("settings", TEACHING, ids=str)
def test_a_method_that_is_not_exact_is_a_teaching_view(settings):
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles", **settings)
    assert not app.error
    pick(app, below="Take away")
    assert any("Nothing to download" in one.value for one in app.caption)
    pick(app, truth=False)
    assert "not drawn for your own file" in said(app)
    assert app.get("download_button") == []


def test_a_map_that_is_not_exact_is_a_teaching_view():
    app = with_points(PLANE, box=((0.0, 90.0), (0.0, 90.0)))
    pick(app, m_height=2, m_method="PrivTree", map_view="take")
    assert any("Nothing to download" in one.value for one in app.caption)
    pick(app, truth=False)
    assert "not drawn for your own file" in said(app)


def test_a_tree_with_continuous_noise_is_a_teaching_view():
    app = at(with_own(LINE, 0, 90, 1, truth=True), "trees", t_height=3, t_noise="Laplace")
    assert not app.error
    pick(app, trees_view="take")
    assert any("Nothing to download" in one.value for one in app.caption)
    pick(app, truth=False)
    assert "not drawn for your own file" in said(app)


def test_what_is_refused_is_not_paid_and_a_kept_teaching_view_is_hidden(monkeypatch):
    monkeypatch.setattr("dpviz.ui.kit.session.shows_truth", lambda: False)
    own = Draw(1, secret=bytes(32))

    def refuses(rng):
        if isinstance(rng, SecureBits):
            raise NotExact("floating point")
        return "drawn"

    with pytest.raises(NotExact, match="switch the truth on"):
        own.released(refuses, "purpose")
    monkeypatch.setattr("dpviz.ui.kit.session.shows_truth", lambda: True)
    assert own.released(refuses, "purpose") == "drawn"
    assert Draw(1).released(refuses, "purpose") == "drawn"
    assert "not drawn for your own file" in NOT_DRAWN


def test_each_use_has_bits_of_its_own():
    def words(draw, *use):
        return draw.randomness(*use).words(4, np.uint64).tobytes()

    own, other = Draw(1, secret=bytes(32)), Draw(1, secret=bytes(31) + b"1")
    uses = [("a",), ("a", 1), ("b",), (("a", 1),), ("a", 1, 2)]
    drawn = [words(draw, *use) for draw in (own, other, Draw(2, secret=bytes(32))) for use in uses]
    assert len(set(drawn)) == len(drawn)
    assert words(own, "a") == words(Draw(1, secret=bytes(32)), "a")
    assert own.randomness("a") is not own.randomness("a")
    with pytest.raises(TypeError, match="ndarray"):
        own.randomness(("tree", np.zeros(3)))
    key = own.entropy("a")[0].to_bytes(32, "big")
    assert SecureBits(key).words(4, np.uint64).tobytes() != words(own, "a")  # simulations apart


def test_no_link_holds_how_far_a_published_answer_is_from_a_files_count():
    """The distance is the noise: beside the published answer it would tell the exact count."""
    app = at(with_own(LINE, 0, 100, 1, truth=True), "neighbours")
    for moved in ({"new_draw": True}, {"n_offset": -1}, {"truth": False}, {"eps": 0.5}):
        app = pick(app, **moved)
        assert "n_offset" not in app.query_params
