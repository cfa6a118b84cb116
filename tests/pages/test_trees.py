"""The Trees page: its views, its controls and its numbers."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.trees.readings import TreeEstimator
from tests.conftest import ROOT
from tests.pages.driver import alts, figures, opened, pick, table, text

HIDDEN = ("6,000", "confidential", "In brackets", "Leaves off by", "true error")


def on_screen(app) -> TreeRelease:
    """The release behind the page, from the session's results."""
    found = [one for one in app.session_state["_results"].values() if isinstance(one, TreeRelease)]
    return found[-1]


def test_the_strip_says_noise_error_and_budget():
    app = opened("trees")
    shown = {metric.label: metric.value for metric in app.metric}
    release = on_screen(app)
    assert shown["Noise of a leaf"] == "99.0"  # 7 levels share ε = 0.1: √2 · 70
    assert shown["Budget spent"] == "ε = 0.1"
    values = np.loadtxt(ROOT / "sample_data" / "exam.csv", skiprows=1, delimiter=",", usecols=0)
    truth, _ = np.histogram(values, release.edges())
    levels = TreeEstimator.EFFICIENT.apply(release.levels)
    off = np.abs(levels.counts[-1] - truth).mean()
    assert float(shown["Leaves off by"]) == pytest.approx(off, rel=0.01)
    error = float(shown["Standard error"])
    assert error == pytest.approx(float(np.sqrt(levels.variances[0])), rel=0.01)


def test_numbers_are_grouped_and_have_the_digits_of_their_errors():
    frame = table(opened("trees"))
    assert list(frame) == ["reading", "count", "s.e.", "error"]
    assert frame["count"].str.fullmatch(r"\d,\d{3}\.\d").all()
    assert frame["s.e."].str.fullmatch(r"\d\d\.\d").all()


def test_without_the_truth_nothing_of_it_is_left():
    app = opened("trees")
    assert all(word in text(app) for word in HIDDEN[:4])
    pick(app, t_colour="true error", truth=False)
    assert not [word for word in HIDDEN if word in text(app)]
    assert "error" not in table(app)
    assert len(app.metric) == 3
    spec = app.get("plotly_chart")[0].proto.spec
    assert "true count" not in spec
    assert "confidential" not in spec
    pick(app, truth=True)
    assert "coloured by true error" in text(app)


def test_the_workload_is_asked_for_where_it_matters_and_is_kept():
    app = opened("trees")
    assert "t_workload" not in [box.key for box in app.selectbox]
    pick(app, t_view="Budgets", t_workload="CDF")
    assert "(CDF)" in text(app)
    pick(app, t_view="Tree")
    assert "t_workload" not in [box.key for box in app.selectbox]
    pick(app, t_view="Budgets")
    assert "(CDF)" in text(app)
    pick(app, t_view="Tree", t_split="workload-optimal")
    assert app.get_by_key("t_workload").value == "CDF"


def test_own_weights_are_sliders_and_a_text_in_step():
    app = pick(opened("trees"), t_height=2, t_split="own weights", t_view="Budgets")
    assert app.get_by_key("t_weights").value == "1, 1, 1"
    assert [slider.label for slider in app.main.slider] == ["Level 0", "Level 1", "Level 2"]
    pick(app, t_weight_1=3.5)
    assert app.get_by_key("t_weights").value == "1, 3.5, 1"
    (chosen,) = [bars for name, bars in figures(app)[0].items() if name.startswith("chosen")]
    np.testing.assert_allclose(chosen[1], np.array([1, 3.5, 1]) / 5.5)
    pick(app, t_weights="0, 2, 6")
    assert [slider.value for slider in app.main.slider] == [0, 2, 6]
    pick(app, t_view="CDF")
    pick(app, t_view="Budgets", t_weight_0=1)
    assert app.get_by_key("t_weights").value == "1, 2, 6"
    assert not app.warning


def test_sliders_give_way_to_the_text_and_even_weights_follow_the_height():
    app = pick(opened("trees"), t_split="own weights", t_view="Budgets", t_height=11)
    assert not app.main.slider
    assert app.get_by_key("t_weights").value == ", ".join(["1"] * 12)
    pick(app, t_height=2, t_weights="1, 2, 40")
    assert not app.main.slider
    assert not app.error
    pick(app, t_height=3)
    assert "3 weights" in app.error[0].value


def test_a_public_total_is_asked_for_and_nothing_is_proposed():
    app = pick(opened("trees"), neighbours="replace-one", t_root="public")
    assert app.get_by_key("t_records").value is None
    assert "Declare N" in app.info[0].value
    assert alts(app) == []
    pick(app, t_records=1234)
    assert not app.info
    assert len(alts(app)) == 1


@pytest.mark.parametrize(
    ("neighbours", "gain"), [("add-remove", "0.976"), ("replace-one", "0.695")]
)
def test_the_page_says_how_much_less_noise_rho_buys(neighbours, gain):
    """One level, ρ = .01; a replaced record pays twice for .005, not once for a change by 2."""
    leaves = {"t_notion": "zcdp", "t_rho": 0.01, "t_split": "leaves only", "t_noise": "Laplace"}
    app = pick(opened("trees"), neighbours=neighbours, **leaves)
    (said,) = [one.value for one in app.caption if one.value.startswith("Noise × ")]
    assert gain in said
    pick(app, t_noise="by budget")
    assert not [one.value for one in app.caption if one.value.startswith("Noise × ")]
