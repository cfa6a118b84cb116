"""Many quantiles or one curve: numbers of a place, what is said of them, and the picture."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.said import unmarked
from dpviz.answers.studies import many_said
from dpviz.answers.studies.many import answer
from dpviz.experiments.statements.many import COUNTS, EPSILONS, PEOPLE, SHAPES, places
from dpviz.figures.kit.look import Look
from dpviz.figures.studies.many import many_picture


@pytest.mark.parametrize("shape", SHAPES)
def test_every_number_of_a_place(shape):
    for people in PEOPLE:
        for epsilon in EPSILONS:
            found = answer(shape, people, epsilon)
            (own,) = [
                one for one in places()
                if (one.shape, one.people, one.epsilon) == (shape, people, epsilon)
            ]  # fmt: skip
            for name, errors in own.errors.items():
                np.testing.assert_allclose(found.errors[name], errors * people)
            for at in range(len(COUNTS)):
                asked = [one for key in ("halving", "together")
                         if not math.isnan(one := own.errors[key][at])]  # fmt: skip
                assert found.asking[at] == pytest.approx(min(asked) * people)
                curve = min(own.errors["tree"][at], own.errors["density"][at]) * people
                assert found.curve[at] == pytest.approx(curve)
            assert found.crosses[people, epsilon] == own.crosses
            if math.isfinite(own.crosses):
                after = [at for at, one in enumerate(COUNTS) if one > own.crosses]
                assert (found.curve[after] < found.asking[after]).all()


FOUND = answer("normal", 10_000, 1.0)
SHOWN = replace(
    FOUND,
    place=replace(FOUND.place, crosses=33.2, people=5_432, epsilon=0.7),
    asking=np.array([1.25, 99.0, 77.0]),
    curve=np.array([22.0, 99.0, 3.5]),
    crosses={key: 12.1 + at for at, key in enumerate(FOUND.crosses)},
)


def test_what_is_said():
    said = many_said.say(SHOWN)
    assert unmarked(said.headline()) == "From 34 quantiles on, one curve errs less than asking."
    assert unmarked(said.second()).startswith(
        "Measurements of 5,432, ε = 0.7: asking is off by 1.2 people for one quantile, by 77 "
        "people for 639; a curve by 22 people and 3.5 people."
    )
    assert list(said.strip) == [
        ("made-up column", "Measurements"), ("one curve from", "34"), ("releases a place", "400"),
    ]  # fmt: skip
    (table,) = said.tables
    assert table.rows == (
        ("1,000", "13", "14", "15"), ("10,000", "16", "17", "18"), ("100,000", "19", "20", "21"),
    )  # fmt: skip
    never = replace(SHOWN, place=replace(SHOWN.place, crosses=math.inf))
    assert "Up to 639 quantiles, asking" in many_said.headline(never)
    assert many_said.crossing_text(math.inf) == "above 639"
    always = replace(SHOWN, place=replace(SHOWN.place, crosses=1.0))
    assert many_said.headline(always) == "One curve errs less even for one quantile."


@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_the_picture_has_every_error_and_the_crossing(look):
    made = many_picture(FOUND, many_said.NAMES, look)
    assert len(made["data"]) == 4
    low = 10 ** made["layout"]["yaxis"]["range"][0]
    for trace, errors in zip(made["data"], FOUND.errors.values(), strict=True):
        kept = np.isfinite(errors)
        np.testing.assert_allclose(10 ** trace["y"], np.maximum(errors[kept], low))
        np.testing.assert_allclose(10 ** trace["x"], np.array(COUNTS)[kept])
    (mark,) = made["layout"]["shapes"]
    assert 10 ** mark["x0"] == pytest.approx(FOUND.place.crosses)
    texts = [note["text"] for note in made["layout"]["annotations"]]
    assert f"<b>{math.ceil(FOUND.place.crosses)}</b>" in texts
    never = replace(FOUND, place=replace(FOUND.place, crosses=math.inf))
    assert many_picture(never, many_said.NAMES, look)["layout"]["shapes"] == []
