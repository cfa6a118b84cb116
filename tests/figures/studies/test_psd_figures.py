"""The pictures of PSD's figures, tested by their data."""

import numpy as np
import pandas as pd
import pytest

from dpviz import catalogue
from dpviz.figures.studies.psd import (
    accuracy_figure,
    construction_figure,
    matching_figure,
    worst_case_figure,
)
from tests.figures.studies.drawn import LOOKS, WIDE, checked, lines, words
from tests.rows import by_rows

FIGURES = (
    ("quad-baseline", "quad-geo", "quad-post", "quad-opt", "quad-workload"),
    ("kd-pure", "kd-true", "kd-standard", "kd-hybrid", "kd-cell", "kd-noisymean"),
    ("quad-opt", "kd-cell", "kd-hybrid", "Hilbert-R"),
    ("quad-baseline", "kd-noisymean", "kd-standard"),
)


def frame(methods, **extra):
    rows = [
        {"method": method, "height": 8, "epsilon": epsilon, "shape": shape, **extra}
        | {"runs": 2, "mean": 0.1 + at + epsilon, "standard_error": np.nan if at else 0.01}
        for at, method in enumerate(methods)
        for epsilon in (1.0, 0.1)
        for shape in ("1 × 1", "<b>")
    ]
    return pd.DataFrame(rows)


@pytest.mark.law
@by_rows("methods", FIGURES)
@by_rows("look", LOOKS)
def test_a_panel_for_each_shape_and_every_method_named_once(methods, look):
    picture = checked(accuracy_figure(frame(methods), look, x="epsilon"))
    panels = lines(picture)
    assert len(panels) == 2
    for panel in panels:
        names = [name.removesuffix(" (not private)") for name in panel]
        assert names == list(methods)
        assert [name.endswith("(not private)") for name in panel] == [
            method in {"kd-pure", "kd-true"} for method in methods
        ]
        for at, (x, y) in enumerate(panel.values()):
            assert x == [0.1, 1.0]
            assert np.allclose(y, [100 * (0.2 + at), 100 * (1.1 + at)])
    looks = {(t["line"]["color"], t["marker"]["symbol"]) for t in picture["data"]}
    assert len(looks) == len(methods)
    assert all(words(picture).count(f">{name}</b>") == 1 for name in panels[0])
    assert "&lt;b&gt; rectangles" in words(picture)
    assert {row.paper for row in catalogue.SPATIAL} >= set(methods)


def test_errors_are_two_standard_errors_and_stay_on_the_log_axis():
    wide = frame(["quad-opt"]).assign(standard_error=100.0)
    trace = accuracy_figure(wide, WIDE, x="epsilon")["data"][0]
    assert list(trace["error_y"]["array"]) == [20_000.0, 20_000.0]
    assert (np.asarray(trace["error_y"]["arrayminus"]) < np.asarray(trace["y"])).all()


def test_further_lines_are_hollow_and_drawn_if_they_are_wanted():
    both = pd.concat([frame(["quad-opt"], variant="paper"), frame(["quad-opt"], variant="further")])
    alone = accuracy_figure(both, WIDE, x="epsilon")["data"]
    assert [trace["marker"]["symbol"] for trace in alone] == ["circle"] * 2
    all_of_them = accuracy_figure(both, WIDE, x="epsilon", further=True)["data"]
    assert [t["marker"]["symbol"] for t in all_of_them] == ["circle", "circle-open"] * 2


def test_the_paper_s_lines_come_first_whichever_order_rows_have():
    methods = ["quad-opt", "quad-geo"]
    apart = [frame(methods, variant="paper"), frame(methods, variant="further")]
    mixed = [frame([one], variant=which) for one in methods for which in ("paper", "further")]
    first, second = (
        accuracy_figure(pd.concat(rows, ignore_index=True), WIDE, x="epsilon", further=True)
        for rows in (apart, mixed)
    )
    assert [t["name"] for t in first["data"]] == [t["name"] for t in second["data"]]


def test_a_further_line_without_privacy_is_called_so_and_dashed():
    methods = ["quad-opt", "Hilbert-R"]
    both = pd.concat([frame(methods, variant="paper"), frame(methods, variant="further")])
    drawn = accuracy_figure(both, WIDE, x="epsilon", further=True)["data"]
    found = {t["name"].split(", ")[1]: t["line"]["dash"] for t in drawn if ", " in t["name"]}
    assert found == {"our variant": "dot", "not private": "dash"}


def test_panels_stay_while_nothing_is_done():
    whole = frame(["quad-opt"])
    picture = checked(accuracy_figure(whole.iloc[:0], WIDE, x="epsilon", around=whole))
    assert len(lines(picture)) == 2
    assert picture["layout"]["yaxis"]["range"] == picture["layout"]["yaxis2"]["range"]


@pytest.mark.parametrize("look", LOOKS)
def test_worst_case_matching_and_construction(look):
    worst = pd.DataFrame(
        {"height": [5, 6] * 2, "split": ["uniform"] * 2 + ["geometric"] * 2, "error": range(1, 5)}
    )
    (drawn,) = lines(checked(worst_case_figure(worst, look)))
    assert drawn == {"even split": ([5, 6], [1, 2]), "geometric split": ([5, 6], [3, 4])}
    one = frame(["kd-standard", "quad-baseline"]).query("shape == '1 × 1'").copy()
    one["mean"] /= 10
    (left,) = lines(checked(matching_figure(one, look)))
    assert np.allclose(left["kd-standard"][1], [98.0, 89.0])  # what remains, in %
    steps = pd.concat([one.assign(step=step) for step in ("release", "post-processing")])
    steps = steps[steps["epsilon"] == 1.0]
    bars = checked(construction_figure(steps, look))
    assert bars["data"][0]["y"] == ["quad-baseline", "kd-standard"]  # the longest at the bottom
    assert np.allclose(bars["data"][0]["x"], [210, 110])
    assert "210 ms" in words(bars)
