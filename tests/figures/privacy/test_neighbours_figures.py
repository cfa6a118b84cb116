"""The pictures of the Neighbours page, by their data."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.noise import Noise
from dpviz.experiments.privacy.loss import Shape, noise_loss
from dpviz.experiments.privacy.loss_view import LossCurves, loss_curves, outputs_span
from dpviz.figures.kit.layout import NOTICE
from dpviz.figures.privacy.averaging import averaging_figure, ledger_figure
from dpviz.figures.privacy.neighbours import loss_figure
from dpviz.figures.privacy.odds import odds_figure
from dpviz.figures.privacy.privacy_audit import TWIN, Proof, audit_figure, outputs_figure
from tests.figures.inks import DARK, LIGHT

AQ = "ApproximateQuantiles"


def notices(figure):
    return [one.text for one in figure.layout.annotations if one.text == NOTICE]


@pytest.mark.parametrize("ink", [LIGHT, DARK])
@pytest.mark.parametrize("noise", Noise)
def test_both_laws_and_the_ratio_are_drawn_as_they_are(noise, ink):
    loss = noise_loss(noise, 2.0, 5.0, 6.0)
    curves, view = loss_curves(loss, outputs_span(loss)), outputs_span(loss)
    figure = loss_figure(curves, view, 0.5, "AggTree", ink)
    one, other, ratio = figure.data
    np.testing.assert_array_equal(one.y, np.exp(loss.log_one))
    np.testing.assert_array_equal(other.y, np.exp(loss.log_other))
    np.testing.assert_array_equal(ratio.y, loss.log_ratio)
    assert one.line.color == ink.truth
    assert other.line.color == ink.of("AggTree")
    assert (one.line.dash, other.line.dash) == (None, "dash")
    assert notices(figure)
    assert {shape.y0 for shape in figure.layout.shapes} == {-0.5, 0.5}
    assert all(isinstance(trace.x, np.ndarray) for trace in figure.data)


def test_a_changed_record_is_marked_only_where_it_is_seen():
    steps = LossCurves(Shape.STEPS, *(np.array([0.0, 1.0, 2.0]) for _ in range(5)))
    figure = loss_figure(
        steps, (0.0, 2.0), 1.0, AQ, LIGHT, unit="<b>$x$", changed=(("gone", 0.5), ("come", 9.0))
    )
    texts = [one.text for one in figure.layout.annotations]
    assert "gone" in texts
    assert "come" not in texts
    assert "<" not in figure.layout.xaxis2.title.text
    assert "$" not in figure.layout.xaxis2.title.text


def test_an_audit_shows_each_proof_beside_its_exact_value():
    runs = np.array([10, 100])
    proofs = [
        Proof("as claimed", AQ, runs, np.array([0.1, 0.4]), 0.5),
        Proof("broken twin", TWIN, runs, np.array([0.4, 1.2]), 1.5),
    ]
    figure = audit_figure(proofs, 1.0, LIGHT, shows_truth=False)
    assert [trace.name for trace in figure.data] == [
        "as claimed", "as claimed: exact", "broken twin", "broken twin: exact",
    ]  # fmt: skip
    np.testing.assert_array_equal(figure.data[2].y, [0.4, 1.2])
    np.testing.assert_array_equal(figure.data[3].y, [1.5, 1.5])
    assert figure.layout.shapes[0].y0 == 1.0
    assert figure.layout.yaxis.range[1] > 1.5
    assert not notices(figure)


def test_outputs_are_drawn_with_their_event():
    edges, counts = np.array([0.0, 1.0, 2.0]), np.array([3, 4])
    figure = outputs_figure(edges, counts, counts[::-1], (1.5, np.inf), AQ, LIGHT, shows_truth=True)
    np.testing.assert_array_equal(figure.data[0].y, [3, 4, 4])
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (1.5, 2.0)
    assert notices(figure)


def test_the_attack_shows_only_what_was_asked_for(rng):
    answers = rng.normal(7, 1, 1_000)
    means = np.cumsum(answers) / np.arange(1, 1_001)
    figure = averaging_figure(answers, means, 6.5, 1.0, 7.0, 20, AQ, LIGHT)
    traces = {trace.name: trace for trace in figure.data}
    np.testing.assert_array_equal(traces["answers"].y, answers[:20])
    np.testing.assert_array_equal(traces["mean"].y, means[:20])
    assert traces["truth"].line.color == LIGHT.truth
    np.testing.assert_array_equal(traces["truth"].y, [6.5, 6.5])
    assert traces["95 % band"].x.size <= 400
    low, high = figure.layout.yaxis.range
    assert low < 6.5 < high
    assert notices(figure)


def test_a_constant_answer_still_has_a_range():
    same = np.full(10, 3.0)
    low, high = averaging_figure(same, same, 3.0, 0.0, 3.0, 1, AQ, LIGHT).layout.yaxis.range
    assert low < 3.0 < high


def test_the_bill_is_public():
    ks = np.array([1, 10])
    figure = ledger_figure(ks, {"basic": 1.0 * ks, "zCDP, at δ": 0.5 * ks}, 10, LIGHT)
    np.testing.assert_array_equal(figure.data[0].y, [1, 10])
    assert len({trace.line.dash for trace in figure.data}) == 2
    alone = ledger_figure(ks, {"zCDP, at δ": 0.5 * ks}, 10, LIGHT)
    assert alone.data[0].line == figure.data[1].line
    assert not notices(figure)


def test_odds_are_public_and_mark_the_observer():
    priors = np.linspace(0, 1, 11)
    figure = odds_figure(priors, priors / 2, priors, (0.1, 0.05, 0.2), LIGHT)
    observer = figure.data[-1]
    np.testing.assert_array_equal(observer.y, [0.05, 0.2])
    assert not notices(figure)
