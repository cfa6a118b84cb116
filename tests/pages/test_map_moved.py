"""Everything that the Map page could do before: where it is now, in a list that is walked."""

from __future__ import annotations

import numpy as np
import pytest

from tests.browser.steps import decoded
from tests.pages.driver import has, pick, shared
from tests.pages.maps import cells, charts, entered, words

look = shared(entered)
TEACHING, RELEASE = {}, {"truth": "false"}
# what it was, the key of its widget today, and the states of the page that have it
MOVED = {
    "data set, in the sidebar": ("data_choice", (TEACHING, RELEASE)),
    "bounds of both columns, in the sidebar": ("towns_1_high", (TEACHING, RELEASE)),
    "neighbours, in the sidebar": ("neighbours", (TEACHING, RELEASE)),
    "Show the truth, in the sidebar": ("truth", (TEACHING, RELEASE)),
    "notion of privacy": ("notion", (TEACHING, RELEASE)),
    "ε on a slider": ("eps", (TEACHING,)),
    "ε, exact": ("eps_exact", (TEACHING, RELEASE)),
    "δ": ("delta_exact", ({"notion": "approx"},)),
    "ρ on a slider": ("rho", ({"notion": "zcdp"},)),
    "New draw": ("new_draw", (TEACHING,)),
    "New draw, for an outsider": ("publish", (RELEASE,)),
    "Seed": ("seed", (TEACHING, RELEASE)),
    "Method": ("m_method", (TEACHING, RELEASE)),
    "Beside it": ("m_second", (TEACHING, RELEASE)),
    "Height": ("m_height", (TEACHING, RELEASE)),
    "Which? (a suggested height)": ("m_expected", (TEACHING, RELEASE)),
    "Private medians": ("m_median", (TEACHING, RELEASE)),
    "Prune": ("m_prune", (TEACHING, RELEASE)),
    "Threshold": ("m_threshold", ({"m_prune": "true"},)),
    "View": ("map_view", (TEACHING, RELEASE)),
    "Colour": ("m_colour", (TEACHING, RELEASE)),
    "Depth": ("m_depth", (TEACHING, RELEASE)),
    "Degrees": ("m_earth", (TEACHING, RELEASE)),
    "Points": ("m_points", (TEACHING,)),
    "Nodes that answer": ("m_behind", (TEACHING, RELEASE)),
    "x from": ("m_x0", (TEACHING, RELEASE)),
    "y to": ("m_y1", (TEACHING, RELEASE)),
    "Clear": ("m_clear", (TEACHING, RELEASE)),
    "Level of a node": ("m_level", ({"view": "node"},)),
    "Node": ("m_node", ({"view": "node"},)),
    "quadtree settings or all methods": ("m_compare", ({"view": "compare", "m_height": "3"},)),
    "Run, of the medians": ("m_run_medians", ({"view": "medians"},)),
    "Distance of matching": ("m_distance", ({"view": "matching", "m_height": "3"},)),
    "Release as JSON": ("offer_quadtree-optimal.json", ({"view": "take", "m_height": "3"},)),
    "Cells as CSV": ("offer_quadtree-optimal.csv", ({"view": "take", "m_height": "3"},)),
    "Private figure": ("offer_quadtree-optimal.html", ({"view": "take", "m_height": "3"},)),
}
# what was said in numbers, and the words that say it now
SAID = {
    "Noise of a leaf": "noise of a leaf, as released",
    "Cells": "cells drawn",
    "Cells off by": "cells are off by, on average (confidential)",
    "± before estimation": "before estimation",
    "Budget spent": "spent: **ε = 0.5, add-remove neighbours",
    "Public: so many noisy counts": "noisy counts released: **87,381",
    "Confidential: so many records": "30,000 people",
    "off by, noise, uniformity": "because people do not fill the cut cells evenly",
    "Truth": "the truth is **4,797**",
}


@pytest.mark.parametrize("what", MOVED)
def test_every_control_is_still_there(what):
    key, states = MOVED[what]
    for link in states:
        assert has(look(**link), key), link


def test_every_number_is_still_said():
    found = words(look())
    for what, now in SAID.items():
        assert now in found, what


def test_a_link_restores_what_it_says():
    app = entered(
        data="towns", eps="0.7", seed="9", m_second="kd-tree",
        m_x0="20", m_x1="55", m_y0="10", m_y1="60", m_height="5", m_colour="count",
        m_earth="true", m_prune="true", m_threshold="400",
    )  # fmt: skip
    keys = ("seed", "m_second", "m_x0", "m_y1", "m_height", "m_colour", "m_earth", "m_threshold")
    held = [app.get_by_key(key).value for key in keys]
    assert held == [9, "kd-tree", 20.0, 60.0, 5, "count", True, 400.0]
    assert app.get_by_key("eps").value == 0.7
    assert len(cells(app)) == 2


def test_looks_change_the_picture():
    app = entered()
    (density,) = cells(app)
    assert len(charts(app)[0]["layout"]["images"]) == 1
    pick(app, m_points=True)
    assert len(charts(app)[0]["layout"]["images"]) == 2
    pick(app, m_points=False, m_behind=True)
    assert "cells that answer" in [trace["name"] for trace in charts(app)[0]["data"]]
    pick(app, m_behind=False, m_earth=True)
    assert charts(app)[0]["layout"]["yaxis"]["scaleratio"] > 1.2
    pick(app, m_colour="standard error")
    (errors,) = cells(app)
    assert np.ptp(decoded(errors["z"])) == pytest.approx(0, abs=1e-5)
    pick(app, m_colour="count", m_depth=3)
    assert decoded(cells(app)[0]["z"]).size == 64
    pick(app, m_colour="density", m_depth=6, m_sure=True)
    sure = decoded(cells(app)[0]["z"])
    assert (sure[sure > 0] > 40).all()
    np.testing.assert_array_equal(decoded(cells(app)[0]["customdata"]), decoded(density["z"]))
