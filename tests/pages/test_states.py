"""Each page in each of its states: plain, empty, without the truth, and after bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.pages.driver import (
    ALL,
    alts,
    declare,
    figures,
    opened,
    pick,
    sidebar_number,
    table,
    text,
    uploaded,
    with_file,
)

TRUE = "True CDF (confidential)"
HIDDEN = ("records below", "Mean gap", "True (", "largest", "in theory", "6,000", "gap")


def problems(app):
    return [box.value for box in app.error]


def test_data_shows_the_column_and_the_playground():
    app = opened()
    assert [metric.value for metric in app.metric] == ["6,000", "0", "0"]
    histogram, playground = figures(app)
    assert histogram["records"][1].sum() == 6000
    assert set(playground) == {"AQ", "AggTree"}
    assert all(len(alt) > 15 for alt in alts(app))


def test_data_shows_points_of_a_set_in_the_plane():
    app = opened(data="Towns along roads")
    assert len(figures(app)) == 3
    assert app.get_by_key("axis").value == "east"


def test_data_without_the_truth_shows_no_number_of_it():
    app = pick(opened(), truth=False)
    assert figures(app) == []
    assert not app.metric
    assert "6,000" not in text(app)
    assert [metric.value for metric in pick(app, truth=True).metric] == ["6,000", "0", "0"]


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
@pytest.mark.parametrize("page", ["data", "quantiles"])
def test_bounds_out_of_order(page, low, high):
    app = declare(opened(page), low, high)
    assert "lower bound must be below the upper one" in problems(app)[0]
    assert figures(app) == []
    declare(app, 0, 100)
    assert problems(app) == []
    assert figures(app)


def test_a_file_starts_without_bounds_and_that_is_no_mistake():
    app = uploaded("a.csv", b"a\n1\n2\n3\n")
    assert sidebar_number(app, "Lower bound").value is None
    assert problems(app) == []
    assert "Declare the bounds" in app.info[0].value
    app.switch_page("pages/quantiles.py").run()
    assert "Declare the bounds" in app.info[0].value
    assert figures(app) == []
    assert figures(declare(app, 0, 10))


def test_a_resolution_coarser_than_the_bounds():
    app = declare(opened("quantiles"), 0, 10, 50)
    assert "coarser than the bounds" in problems(app)[0]


FILES = [
    ("junk.csv", bytes(range(256)) * 40, "junk.csv"),
    ("empty.csv", b"", "empty (0 bytes)"),
    ("header.csv", b"a,b\n", "no rows"),
    ("book.csv", b"PK\x03\x04" + bytes(100), "Excel workbook"),
    ("cut.parquet", b"PAR1" + bytes(50), "cut.parquet"),
]


@pytest.mark.parametrize(("name", "content", "message"), FILES)
def test_a_file_that_cannot_be_read(name, content, message):
    app = uploaded(name, content)
    (found,) = problems(app)
    assert message in found.replace("\\", "")
    assert len(figures(app)) == 2  # the sample is still there
    assert app.get_by_key("data").value == "exam"


def test_a_file_without_numbers_is_refused_and_the_one_before_stays():
    app = with_file("mine.csv", b"a\n5\n6\n", 0, 10)
    app.file_uploader(key="file").set_value(("words.csv", b"w\na\nb\n", "text/csv"))
    app.run()
    (found,) = problems(app)
    assert "has no column with numbers" in found.replace("\\", "")
    assert "Still in use: mine" in text(app)
    assert [metric.value for metric in app.metric] == ["2", "0", "0"]


def warnings(app):
    return " ".join(one.value for one in app.warning)


def test_odd_columns_are_warned_of_while_the_truth_is_shown():
    app = with_file("mine.csv", b"a\n5\n5\n5\n170\ninf\n", 0, 100)
    said = warnings(app)
    assert "40% of the records lie outside" in said
    assert "1 infinite value:" in said
    assert "100% of the records share" in said  # 170 and inf lie on the bound together
    app.switch_page("pages/quantiles.py").run()
    assert "share their value" in warnings(app)
    pick(app, truth=False)
    assert warnings(app) == ""
    pick(app, truth=True, ties="jitter")
    assert warnings(app) == ""


def test_a_declared_resolution_answers_the_warning_of_ties():
    app = with_file("mine.csv", b"a\n5\n5\n5\n7\n", 0, 100, 1)
    assert warnings(app) == ""


def test_a_column_of_text_and_a_mixed_one():
    app = uploaded("t.csv", b"words,mixed\na,1\nb,2\nc,oops\nd,4\n")
    assert app.get_by_key("upload_column").value == "mixed"
    declare(app, 0, 10)
    assert "1 of 4 values that are not numbers (first: 'oops', row 3)" in problems(app)[0].replace(
        "\\", ""
    )
    pick(app, truth=False)
    assert "oops" not in "".join(problems(app))
    pick(app, truth=True, drop_unreadable=True)
    assert problems(app) == []
    assert [metric.value for metric in app.metric] == ["3", "0", "1"]
    pick(app, upload_column="words")
    declare(app, 0, 10)
    assert "no numbers" in problems(app)[0]


def test_a_column_without_a_value_is_named():
    app = uploaded("e.csv", b"a,b\n,1\n,2\n")
    pick(app, upload_column="a")
    declare(app, 0, 10)
    assert "has no values" in problems(app)[0]


def test_markup_in_a_file_stays_text():
    app = with_file("<b>*x*.csv", b"$a_b$ <script>\n1\n2\n3\n", 0, 10)
    written = "".join(one.value for one in app.markdown)
    assert r"\<b\>\*x\*" in written
    for chart in app.get("plotly_chart"):
        spec = json.loads(chart.proto.spec)
        assert "<script>" not in json.dumps(spec)
        assert "$" not in json.dumps(spec["layout"])


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


def test_a_forgotten_file_leaves_nothing():
    app = with_file("mine.csv", b"a\n5\n6\n", 0, 10)
    app.get_by_key("data")
    (button,) = [one for one in app.button if one.label == "Forget this file"]
    button.click()
    app.run()
    assert "mine" not in text(app)
    assert app.session_state["_upload"] is None
    assert app.get_by_key("data").value == "exam"
