"""How cells of the map are looked at, and what a link of it restores."""

import numpy as np
import pytest

from tests.browser.steps import decoded
from tests.pages.driver import pick
from tests.pages.maps import cells, charts, entered


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
