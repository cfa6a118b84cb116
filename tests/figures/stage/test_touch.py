"""What a person touches in a picture (touch.js): where an edge goes, and what is refused."""

import json

import pytest
import quickjs

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage import touched
from dpviz.figures.stage.engine import staging
from dpviz.figures.stage.places import At

EDGE = touched.grip("edge", "age", 44, (8, 96), 4, At(), At(1), label="Edge", says="44")
ROOM = {"axes": {"age": {"start": 100, "low": 0, "unit": 5}}}


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(staging())
    return lambda call: json.loads(context.eval(f"JSON.stringify($touch.{call})"))


@pytest.mark.parametrize(
    ("value", "by", "to"),
    [(44, 1, 48), (44, -1, 40), (96, 1, 96), (8, -1, 8), (92, 4, 96), (44, 4, 60)],
)
def test_a_key_goes_a_step_and_never_beyond_the_ends(engine, value, by, to):
    assert engine(f"stepped({json.dumps(EDGE | {'value': value})}, {by})") == to


def test_home_and_end_lead_to_the_ends(engine):
    assert engine(f"stepped({json.dumps(EDGE)}, Infinity)") == 96
    assert engine(f"stepped({json.dumps(EDGE)}, -Infinity)") == 8


@pytest.mark.parametrize(
    ("px", "to"), [(100 + 44 * 5, 44), (329, 44), (331, 48), (0, 8), (9_999, 96), (141, 8)]
)
def test_a_finger_leads_to_the_nearest_step(engine, px, to):
    assert engine(f"nearest({json.dumps(EDGE)}, {px}, {json.dumps(ROOM)})") == to


@pytest.mark.parametrize(("span", "step"), [((8, 96), 5), ((9, 96), 4), ((8, 96), 0), ((96, 8), 4)])
def test_steps_that_miss_an_end_are_refused(span, step):
    with pytest.raises(InvalidParameter, match="cannot go from"):
        touched.grip("edge", "age", 44, span, step, At(), At(1), label="Edge", says="44")
