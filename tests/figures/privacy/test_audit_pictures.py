"""The pictures of an audit, by their data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.experiments.privacy.privacy_audit import Audit, Event
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import LIGHT
from dpviz.figures.privacy.audit import Audited, audit_picture
from dpviz.figures.privacy.outputs import outputs_picture
from tests.figures.privacy_pictures import LOOKS, sizes, texts, traces

RUNS = np.array([8, 18, 54, 500])
EVENT = Event(864.0, below=False, flipped=False)
SIDES = ("with Ida", "without Ida")


def found(honest=(0.0, 0.2, 0.6, 0.77), twin=(0.0, 1.2, 0.9, 1.747)):
    one = Audit(EVENT, RUNS, np.array(honest), 0.72, 0.28)
    other = Audit(EVENT, RUNS, np.array(twin), 0.88, 0.12)
    return [
        Audited("honest count", one, "more than 864"),
        Audited("broken twin", other, "more than 864", is_twin=True),
    ]


@pytest.mark.few(8, 14)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("claimed", [1e-6, 1.0, 1e4])
def test_every_picture_is_a_valid_one(claimed, look):
    for audited in (found(), found()[:1]):
        picture = audit_picture(audited, claimed, SIDES, look)
        go.Figure(picture)
        assert min(sizes(picture)) >= (18 if look.presenting else 14.5)


def test_bounds_are_drawn_as_they_are_and_rounded_down():
    picture = audit_picture(found(), 1.0, SIDES, Look())
    drawn = traces(picture)
    np.testing.assert_array_equal(drawn["broken twin"]["y"], [0.0, 1.2, 0.9, 1.747])
    assert "1.74</b></span> broken twin" in texts(picture)
    assert drawn["broken twin"]["line"]["color"] == LIGHT.danger
    assert drawn["honest count"]["line"]["color"] == LIGHT.private
    assert drawn["first above the claim"]["y"] == [1.2]


def test_no_word_calls_a_peeked_bound_a_refutation():
    said = texts(audit_picture(found(), 1.0, SIDES, Look()))
    assert "first above the claim at 18 runs" in said
    assert "refuted" not in said
    for look in (Look(presenting=True), Look(screen="narrow")):  # what was claimed stands beside it
        assert "first above at 18 runs" in texts(audit_picture(found(), 1.0, SIDES, look))


def test_a_twin_below_the_claim_is_not_marked():
    picture = audit_picture(found(twin=(0.0, 0.1, 0.2, 0.3)), 1.0, SIDES, Look())
    assert "first above the claim" not in traces(picture)
    assert "first above" not in texts(picture)


def test_an_honest_mechanism_above_its_claim_is_shown_as_a_proof():
    picture = audit_picture(found(honest=(0, 0, 0, 1.1)), 1.0, SIDES, Look())
    assert traces(picture)["honest count"]["line"]["color"] == LIGHT.danger


def test_the_evidence_is_what_was_counted():
    picture = audit_picture(found(), 1.0, SIDES, Look())
    drawn = traces(picture)
    assert drawn["broken twin with Ida"]["x"] == [0.88]
    assert drawn["honest count without Ida"]["x"] == [0.28]
    said = texts(picture)
    assert "7.3 × as often; the claim allows 2.72" in said
    assert "2.6 × as often; the claim allows 2.72" in said
    more = [Audited("honest count", Audit(EVENT, RUNS, np.zeros(4), 0.3, 0.1), "more than 864")]
    assert "allowed in the long run: 2.72" in texts(audit_picture(more, 1.0, SIDES, Look()))


@pytest.mark.parametrize("look", LOOKS)
def test_outputs_are_drawn_with_their_event(look):
    edges, counts = np.arange(860.5, 870), np.array([1, 2, 3, 9, 8, 3, 2, 1, 0])
    picture = outputs_picture(
        edges, counts, counts[::-1], (864.0, np.inf), "more than 864", SIDES, look
    )
    go.Figure(picture)
    np.testing.assert_array_equal(traces(picture)["with"]["y"][:-1], counts)
    (shaded,) = picture["layout"]["shapes"]
    assert (shaded["x0"], shaded["x1"]) == (864.5, 869.5)  # 864 itself is outside
    top = 9 * (1.3 if look.phone else 1.05)  # on a phone words stand above all bars
    assert picture["layout"]["yaxis"]["range"] == [0, pytest.approx(top)]


def test_an_event_that_never_came_is_said_so():
    nothing = Audit(EVENT, RUNS, np.zeros(4), 0.0, 0.0)
    told = Audit(EVENT, RUNS, np.array([0.0, 1.2, 1.9, 2.7]), 0.4, 0.0)
    event = "what only the data with Ida can give"
    pair = [
        Audited("honest count", nothing, event),
        Audited("broken twin", told, event, is_twin=True, fault="NumPy's doubles"),
    ]
    for look in LOOKS:
        said = texts(audit_picture(pair, 1.0, SIDES, look))
        assert "Broken twin: NumPy's doubles" in said
        if not look.phone:
            assert "never on either side" in said
            assert "never on the other side" in said
            assert event in said
        assert ("the claim allows 2.72" in said) == (not look.phone and not look.presenting)


@pytest.mark.parametrize("look", LOOKS)
def test_answers_that_give_somebody_away_are_vermilion_and_nothing_is_shaded(look):
    edges, all_of, some = np.linspace(0, 4, 5), np.array([1, 5, 6, 2]), np.array([0, 2, 3, 2])
    names = ("broken twin with Ida", "of these only possible with Ida")
    picture = outputs_picture(edges, all_of, some, None, "", names, look)
    go.Figure(picture)
    assert traces(picture)["without"]["line"]["color"] == look.ink.danger
    assert "shaded" not in texts(picture)
    assert not picture["layout"].get("shapes")
