"""Each page in each of its states: plain, empty, without the truth, and after bad input."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.driver import (
    ALL,
    declare,
    figures,
    opened,
    pick,
    table,
    text,
    with_file,
)

TRUE = "True CDF (confidential)"
HIDDEN = ("records below", "Mean gap", "True (", "largest", "in theory", "6,000", "gap")


def problems(app):
    return [box.value for box in app.error]


def test_methods_shows_every_family_and_needs_no_data():
    app = opened("methods")
    for family in app.get_by_key("methods_family").options:
        pick(app, methods_family=family)
        assert len(text(app)) > 500
    assert not app.get("badge")


@pytest.mark.parametrize("detail", ["Table", "Recursion tree", "Synthetic column"])
def test_quantiles_in_each_detail(detail):
    app = pick(opened("quantiles"), mechanisms=ALL, bands=True, detail=detail)
    chart = figures(app)[0]
    assert [name for name in chart if "runs" not in name] == [
        TRUE, "AQ", "JointExp", "AppIndExp", "AggTree",
    ]  # fmt: skip
    assert len(chart) == 9
    assert len(figures(app)) == {"Table": 1, "Recursion tree": 3, "Synthetic column": 2}[detail]
    assert problems(app) == []


@pytest.mark.parametrize("detail", ["Table", "Recursion tree", "Synthetic column"])
def test_quantiles_without_the_truth(detail):
    app = pick(opened("quantiles"), mechanisms=ALL, bands=True, detail=detail)
    before = figures(app)[0]
    pick(app, truth=False)
    first, *others = figures(app)
    assert list(first) == ["AQ", "JointExp", "AppIndExp", "AggTree"]
    for name, curve in first.items():
        np.testing.assert_array_equal(curve[0], before[name][0])
    assert len(others) == (0 if detail == "Table" else 1)
    assert not any(TRUE in other for other in others)
    assert [word for word in HIDDEN if word in text(app)] == []
    if detail == "Table":
        assert table(app).columns.tolist() == ["quantile", *ALL]
    pick(app, truth=True)
    assert TRUE in figures(app)[0]


def test_the_table_says_what_the_chart_draws():
    app = opened("quantiles")
    chart, frame = figures(app)[0], table(app)
    np.testing.assert_array_equal(chart["AQ"][0][1:-1], frame["ApproximateQuantiles"])
    np.testing.assert_array_equal(chart["AQ"][1][1:-1], frame["quantile"])
    at = np.searchsorted(chart[TRUE][1], frame["quantile"].to_numpy() + 1e-9)
    assert (np.abs(chart[TRUE][0][at] - frame["true"]) <= 1).all()


def test_the_slider_and_the_field_move_together():
    app = opened("quantiles", eps="0.3")
    assert app.get_by_key("eps_slider").value == 0.2
    pick(app, eps_slider=2.0)
    assert app.get_by_key("eps").value == 2.0
    pick(app, eps=7.0)
    assert app.get_by_key("eps_slider").value == 5.0
    assert "ε = 7" in text(app)


def test_no_mechanism_is_an_empty_state():
    app = pick(opened("quantiles"), mechanisms=[])
    assert "Choose at least one mechanism" in app.info[0].value
    assert list(figures(app)[0]) == [TRUE]
    assert problems(app) == []


def test_the_recursion_asks_for_aq():
    app = pick(opened("quantiles"), mechanisms=["AggTree"], detail="Recursion tree")
    assert "Choose AQ" in app.info[0].value


BAD = [
    ({"set": "own list", "own": "0.5, x"}, "'x' is not a number"),
    ({"set": "own list", "own": "0, 1"}, "strictly between 0 and 1; 2 of 2 do not"),
    ({"set": "own list", "own": ""}, "quantile set is empty"),
    ({"eps": 0.0}, "ε must be a positive finite number"),
    ({"eps": -1.0}, "ε must be a positive finite number"),
    ({"notion": "approx", "delta": 2.0}, "δ must lie strictly between 0 and 1"),
    ({"notion": "approx", "delta": 0.0}, "δ must be a positive"),
    ({"notion": "zcdp", "rho": -3.0}, "ρ must be a positive finite number"),
]


@pytest.mark.parametrize(("values", "message"), BAD)
def test_bad_input_is_named_and_the_page_stays(values, message):
    app = pick(opened("quantiles"), **values)
    (found,) = problems(app)
    assert message in found.replace("\\", "")
    assert figures(app) == []
    assert "marked in red" in app.info[0].value
    for key in ("mechanisms", "notion", "set", "seed", "fanout", "data", "truth"):
        assert app.get_by_key(key) is not None
    pick(app, notion="pure", eps=1.0, set="deciles")  # mended, and the picture is back
    assert problems(app) == []
    assert "AQ" in figures(app)[0]


REFUSED = [
    ({"fanout": 4096, "height": 5}, "leaves"),
    ({"noise": "gaussian"}, "AggTree"),
    ({"root": "public"}, "replace"),
    ({"neighbours": "replace-one", "root": "public"}, "has to be declared"),
    ({"notion": "approx", "noise": "laplace"}, "AggTree"),
]


@pytest.mark.parametrize(("values", "message"), REFUSED)
def test_a_mechanism_that_refuses_leaves_the_others(values, message):
    app = pick(opened("quantiles"), mechanisms=["ApproximateQuantiles", "AggTree"], **values)
    (found,) = problems(app)
    assert found.startswith("AggTree")
    assert message in found
    assert list(figures(app)[0]) == [TRUE, "AQ"]


@pytest.mark.parametrize(("low", "high"), [(10, 3), (5, 5)])
@pytest.mark.parametrize("page", ["quantiles"])
def test_bounds_out_of_order(page, low, high):
    app = declare(opened(page), low, high)
    assert "lower bound must be below the upper one" in problems(app)[0]
    assert figures(app) == []
    declare(app, 0, 100)
    assert problems(app) == []
    assert figures(app)


def test_a_resolution_coarser_than_the_bounds():
    app = declare(opened("quantiles"), 0, 10, 50)
    assert "coarser than the bounds" in problems(app)[0]


@pytest.mark.parametrize("content", [b"a\n5\n", b"a\n7\n7\n7\n7\n", b"a\n-1\n99\n"])
def test_tiny_columns_run_everywhere(content):
    app = with_file("a.csv", content, 0, 10)
    assert problems(app) == []
    app.switch_page("pages/quantiles.py").run()
    pick(app, mechanisms=ALL, bands=True, ties="keep")
    for detail in ("Table", "Recursion tree", "Synthetic column", "Download and code"):
        pick(app, detail=detail)
        assert problems(app) == []
    pick(app, set="m uniform", m=500)
    (refused,) = problems(app)  # for any column: nobody learns how small this one is
    assert refused.startswith("JointExp")
    assert figures(app)[0]["AQ"][0].size == 502
