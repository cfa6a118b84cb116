"""The marks that Start hands over: every state of it, wide and narrow, and nothing true outside."""

import json
import re
from typing import Any

import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.stage import Stage
from dpviz.lessons.start import numbers, picture, words
from dpviz.lessons.start.sides import side_by_side, stacked
from dpviz.ui.start import page
from tests.rows import by_rows

SEED = 1


@pytest.fixture(scope="module")
def start() -> Stage:
    return picture.stage(1.0, numbers.STOPS, SEED)


def marks(stage: Stage, view: int) -> dict[str, dict[str, Any]]:
    """The marks of a view in the state of its stage, by name, as draw.js puts them together."""
    found = {mark["id"]: dict(mark) for mark in stage.views[view].marks}
    for layer in stage.layers:
        fields = layer.states["|".join(stage.state[name] for name in layer.by)]
        for name, changed in fields.items():
            if name in found:
                found[name] |= changed
    return found


@by_rows("epsilon", numbers.STOPS)
@by_rows("ida", ["in", "out"])
def test_every_state_says_its_numbers(start, epsilon, ida):
    there = ida == "in"
    count = 865 if there else 864
    for view in range(3):
        found = marks(start.at(epsilon=f"{epsilon:g}", ida=ida, draw="3"), view)
        assert found["count"]["text"] == str(count)
        assert found["ida"]["out"] != there
        assert f"{count} true" in [tick["text"] for tick in found["answers"]["ticks"]]
        assert found["dots"]["values"] == numbers.answers(epsilon, there, SEED, 3, 865)
        assert (found["with"]["fill"] > 0) == there
        assert (found["without"]["fill"] > 0) != there
        for name, centre in (("with", 865), ("without", 864)):
            law = numbers.DRAWS * numbers.law(epsilon, centre, 865)
            assert found[name]["heights"] == pytest.approx(law.tolist(), abs=1e-4)
        assert found["alt"]["text"] == words.alternative(epsilon, there)
        told = " ".join(str(one.get("text", "")) for one in found.values())
        crowd = re.findall(r"([\d,]+) salaries, one grain each", told)
        assert set(crowd) == {"15,000"}


def test_the_narrow_picture_is_the_wide_one_elsewhere():
    """What moves is the same in both; only where it stands differs, and that never changes."""
    for epsilon in numbers.STOPS:
        for ida in ("in", "out"):
            for one, other in zip(
                picture._moving(side_by_side(), epsilon, ida, SEED),
                picture._moving(stacked(), epsilon, ida, SEED),
                strict=True,
            ):
                for field in ("text", "out", "heights", "fill", "half", "high", "ticks"):
                    assert one.get(field) == other.get(field)


def test_what_is_handed_over_does_not_depend_on_the_state(start):
    other = picture.stage(5.0, numbers.STOPS, SEED)
    assert json.dumps(start.to_dict()["layers"]) == json.dumps(other.to_dict()["layers"])
    assert json.dumps(start.to_dict()["views"]) == json.dumps(other.to_dict()["views"])
    assert len(json.dumps(start.to_dict())) < 60_000


@pytest.mark.few(3, 9)
@pytest.mark.parametrize("size", [(1270, 408), (356, 452)])
@pytest.mark.parametrize("epsilon", numbers.STOPS)
def test_all_dots_stand_below_the_words(start, epsilon, size):
    for draw in (0, 4):
        text = svg(start.at(epsilon=f"{epsilon:g}", draw=str(draw)), *size, Look())
        dots = [part.split('"') for part in text.split("<circle")[1:] if "dots/" in part]
        assert len(dots) == numbers.DRAWS
        assert min(float(dot[5]) - float(dot[7]) for dot in dots) > (280 if size[0] < 640 else 40)


def test_with_the_truth_off_only_what_is_published_is_handed_over():
    stops = (0.1, 0.2, 0.5)
    answered = {one: page.answer(one, SEED) for one in stops}
    assert 865 not in answered.values()  # else the last lines could not tell
    stage = page.stage(0.5, stops, SEED)
    for epsilon, answer in answered.items():
        for view in range(2):
            found = marks(stage.at(epsilon=f"{epsilon:g}"), view)
            assert found["answer"]["text"] == str(answer)
            assert (found["error"]["value"], found["error"]["half"]) == (
                answer,
                numbers.reach(epsilon),
            )
            # the axis is centred on what is published
            assert found["answers"]["low"] + found["answers"]["high"] == 2 * answer
    handed = json.dumps(stage.to_dict())
    assert "865" not in handed
    assert "heap" not in handed
    assert "865" in json.dumps(picture.stage(0.5, stops, SEED).to_dict())
