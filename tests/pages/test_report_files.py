"""Report and notebook of a draw on the workbenches: of the release on screen alone."""

import json
import re
import secrets

import numpy as np
import pytest
import streamlit as st

from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.republish import likely_errors
from tests.pages.driver import healthy, pick
from tests.pages.maps import with_points
from tests.pages.own_file import at, with_own

LINE = b"a\n" + b"".join(b"%d\n" % (value % 90) for value in range(400))
PLACES = {
    "quantiles": ({"below": "Take away"}, "release"),
    "trees": ({"trees_view": "take"}, "tree"),
    "map": ({"map_view": "take"}, "quadtree-optimal"),
}


@pytest.fixture
def taken(monkeypatch) -> dict[str, str]:
    """What every file of the last run holds."""
    found: dict[str, str] = {}
    real = st.download_button

    def button(label, data, file_name, *others, **settings):
        found[file_name] = data() if callable(data) else data
        return real(label, data, file_name, *others, **settings)

    monkeypatch.setattr(st, "download_button", button)
    return found


def own(page, *, truth=True, **choices):
    if page == "map":
        return pick(with_points(truth=truth), **choices)
    return pick(at(with_own(LINE, 0, 100, 1, truth=truth), page), **choices)


@pytest.mark.parametrize("page", PLACES)
def test_they_are_of_the_release_on_screen(page, taken):
    choices, file = PLACES[page]
    own(page, **choices)
    release = json.loads(taken[f"{file}.json"])
    assert release["randomness"] == "secure"
    assert "AES-256" in taken[f"{file}-report.html"]
    assert f"ε = {release['spent']['epsilon']:g}" in taken[f"{file}-report.html"]
    assert f"{file}.json" in taken[f"{file}.ipynb"]


@pytest.mark.parametrize("page", PLACES)
def test_there_is_no_second_button_that_releases(page):
    for truth in (True, False):
        app = own(page, truth=truth)
        assert not [one.label for one in app.button if "elease" in one.label]


def test_the_report_says_how_exact_numbers_are_where_the_people_are_known(taken, monkeypatch):
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2021 % 2**bits)  # the same noise always
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))
    app = own("quantiles", method="ApproximateQuantiles", below="Take away")
    app.session_state["_visit"]["eps"] = 0.3
    healthy(app.run())
    assert "lie within" not in taken["release-report.html"]
    app.session_state["_visit"]["own1_0_size"] = 400.0
    healthy(app.run())
    told = taken["release-report.html"]
    least, most = re.search(r"lie within (\d+)(?: to (\d+))? of", told).groups()
    release = QuantileRelease.from_json(taken["release.json"])
    mechanism = ApproximateQuantiles(round_to_grid=True)
    # the page has random numbers of its own: its ends lie among those of fifteen others
    every = [
        likely_errors(mechanism, release, 400, np.random.default_rng(run)) for run in range(15)
    ]
    ends = np.array([(half.min(), half.max()) for half in every])
    assert ends[:, 0].min() - 1 <= float(least) <= ends[:, 0].max() + 1  # steps of 1
    assert ends[:, 1].min() - 1 <= float(most or least) <= ends[:, 1].max() + 1
    assert "about 400." in told


def test_several_releases_have_no_report_together(taken):
    own("quantiles", q_view="compare", below="Take away")
    assert isinstance(json.loads(taken["release.json"]), list)
    assert "release-report.html" not in taken


def test_a_release_that_holds_up_to_rounding_has_no_files(taken):
    app = own("quantiles", below="Take away", method="JointExp")
    taken.clear()
    healthy(app.run())
    assert taken == {}
