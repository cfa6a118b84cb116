"""Methods side by side, by their data."""

import itertools

import plotly.graph_objects as go
import pytest

from dpviz.core.quantiles import DECILES
from dpviz.figures.quantiles.compare import Compared, compare_picture
from tests.figures.inks import LIGHT
from tests.figures.quantiles.releases import LOOKS, case, named, said
from tests.rows import by_rows

KEYS = ("ApproximateQuantiles", "JointExp", "AggTree", "IndependentExp")


def compared(count):
    one = case("exam", DECILES)
    return [
        Compared(key, f"Method {at}", one.answers, f"{at}.5", "marks off", "marks")
        for at, key in enumerate(KEYS[:count])
    ]


@pytest.mark.law
@by_rows("look", LOOKS, ids=lambda look: f"{look.screen}{look.presenting}")
@by_rows("count", [1, 2, 3, 4])
def test_plotly_takes_every_picture(count, look):
    go.Figure(compare_picture(compared(count), 1.0, look))


def test_panels_share_rows_and_range_and_keep_their_order():
    picture = compare_picture(compared(4), 1.0, LOOKS[0])
    axes = [picture["layout"][f"xaxis{number}"] for number in ("", "2", "3", "4")]
    assert len({tuple(axis["range"]) for axis in axes}) == 1
    lefts = [axis["domain"][0] for axis in axes]
    assert lefts == sorted(lefts)
    assert all(a["domain"][1] < b["domain"][0] for a, b in itertools.pairwise(axes))
    assert picture["layout"]["yaxis3"]["matches"] == "y"
    names = [text for text in said(picture) if "Method" in text]
    assert [name.count(f"Method {at}") for at, name in enumerate(names)] == [1, 1, 1, 1]


def test_each_method_has_its_shape_and_hue_and_takes_clicks():
    picture = compare_picture(compared(4), 1.0, LOOKS[0])
    dots = named(picture, "published")
    assert [one["marker"]["symbol"][0] for one in dots] == [LIGHT.mark(key).symbol for key in KEYS]
    assert len({one["marker"]["color"] for one in dots}) == 4
    assert [set(one["customdata"]) for one in dots] == [{key} for key in KEYS]
    assert all(one["hoverinfo"] != "skip" for one in dots)


def test_a_phone_has_two_abreast():
    picture = compare_picture(compared(4), 1.0, LOOKS[3])
    first, third = picture["layout"]["xaxis"], picture["layout"]["xaxis3"]
    assert first["domain"] == third["domain"]
    assert picture["layout"]["yaxis"]["domain"][0] > picture["layout"]["yaxis3"]["domain"][1]
