"""Many columns at a glance, by its data."""

import numpy as np
import plotly.graph_objects as go

from dpviz.core.bounds import Bounds
from dpviz.figures.quantiles.profile import Portrait, profile_picture
from tests.figures.quantiles.releases import LOOKS, named
from tests.rows import grid


def portraits(count, true=True, quantiles=(0.25, 0.5, 0.75)):
    bounds, at = Bounds(10, 30), np.array(quantiles)
    values = 10 + 20 * at
    return [
        Portrait(f"column {n}", bounds, 1.0, at, values, values + 1 if true else None)
        for n in range(count)
    ]


def one_of(picture, name):
    (found,) = named(picture, name)
    return found


@grid(
    look=LOOKS,
    count=[1, 3, 8, 50],
    quantiles=[(0.5,), (0.25, 0.75), tuple(np.arange(1, 10) / 10)],
)
def test_plotly_takes_every_picture(count, look, quantiles):
    picture = profile_picture(portraits(count, quantiles=quantiles), look)
    go.Figure(picture)
    published = one_of(picture, "published")
    assert len(published["x"]) == count * len(quantiles)
    assert len(one_of(picture, "names")["text"]) == count
    # every line has a place of its own inside the picture
    places = set(zip(one_of(picture, "names")["x"], one_of(picture, "names")["y"], strict=True))
    assert len(places) == count
    low, high = picture["layout"]["yaxis"]["range"]
    assert low < min(published["y"])
    assert max(published["y"]) < high
    words = [trace for trace in picture["data"] if trace["mode"] == "text"]
    assert min(trace["textfont"]["size"] for trace in words) >= (18 if look.presenting else 13.5)


def test_marks_stand_where_their_values_lie_between_the_bounds():
    picture = profile_picture(portraits(1), LOOKS[0])
    line = one_of(picture, "declared bounds")["x"]
    share = (np.array(one_of(picture, "published")["x"]) - line[0]) / (line[1] - line[0])
    np.testing.assert_allclose(share, [0.25, 0.5, 0.75])
    true = (np.array(one_of(picture, "true")["x"]) - line[0]) / (line[1] - line[0])
    np.testing.assert_allclose(true, [0.3, 0.55, 0.8])
    assert one_of(picture, "medians")["text"] == ["<b>20</b>"]


def test_without_the_truth_nothing_of_it_is_in_the_picture():
    picture = profile_picture(portraits(4, true=False), LOOKS[0])
    assert all(one["name"] != "true" for one in picture["data"])


def test_names_of_a_file_are_no_markup():
    (one,) = portraits(1)
    bold = Portrait("<b>x</b>", one.bounds, 1.0, one.quantiles, one.published)
    assert "<b>" not in one_of(profile_picture([bold], LOOKS[0]), "names")["text"][0]


def test_a_pointer_says_the_share_of_its_own_quantile():
    at = np.array([0.001, 0.125, 0.5, 0.999])
    values = np.array([11.0, 13.0, 20.0, 29.0])
    portrait = Portrait("a < b", Bounds(10, 30), 1.0, at, values)
    other = Portrait("pay", Bounds(0, 100), 0.5, at, 3 * values)
    told = one_of(profile_picture([portrait, other], LOOKS[0]), "published")["text"]
    assert told == [
        *(f"a &lt; b: {share} % at most {value}" for share, value in
          (("0.1", 11), ("12.5", 13), ("50", 20), ("99.9", 29))),
        *(f"pay: {share} % at most {value}" for share, value in
          (("0.1", "33.0"), ("12.5", "39.0"), ("50", "60.0"), ("99.9", "87.0"))),
    ]  # fmt: skip
