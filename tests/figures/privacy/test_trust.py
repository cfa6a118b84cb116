"""The picture of what trust costs: lines at their errors, names with the chosen n's, own people."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.privacy.trust import PEOPLE, answer
from dpviz.figures.kit.look import Look
from dpviz.figures.privacy.trust import trust_picture
from tests.figures.privacy_pictures import LOOKS


@pytest.fixture(scope="module")
def found():
    return answer("count", 1.0, 1e-6, 10_000, 6000)


@pytest.mark.parametrize("look", LOOKS)
def test_every_line_is_there_with_its_name_and_number(look, found):
    drawn = trust_picture(found, look)
    lines = {one["name"]: one for one in drawn["data"]}
    for one in found.lines:
        np.testing.assert_allclose(lines[one.trusted]["x"], np.log10(PEOPLE))
        np.testing.assert_allclose(lines[one.trusted]["y"], np.log10(one.errors))
        dot = lines[f"{one.trusted} now"]
        np.testing.assert_allclose((dot["x"][0], dot["y"][0]), (4, np.log10(one.error)))
    said = " ".join(one["text"] for one in drawn["layout"]["annotations"])
    for words in ("trust one server", "trust two servers", "trust a shuffler", "trust nobody"):
        assert words in said
    assert "± 96" in said
    assert "here: 6,000" in said
    np.testing.assert_allclose(lines["this data set"]["x"], np.log10([6000, 6000]))


def test_the_own_number_stands_away_from_the_upright(found):
    for own, align in ((300, "right"), (found.people, "left"), (900_000, "left")):
        drawn = trust_picture(replace(found, own=own), Look())
        (note,) = [one for one in drawn["layout"]["annotations"] if "here: " in one["text"]]
        assert note["xanchor"] == align
        assert (note["xshift"] > 0) == (align == "left")


def test_no_number_of_people_is_drawn_where_it_may_not_be_shown(found):
    drawn = trust_picture(replace(found, own=None), Look())
    assert "this data set" not in [one["name"] for one in drawn["data"]]
    assert "here" not in " ".join(one["text"] for one in drawn["layout"]["annotations"])
