"""What runs prove: each number and verdict worked out anew; and what is said of them."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpviz.answers.privacy.audit import AuditQuestion, Proof, Undetected, answer
from dpviz.answers.privacy.audit_said import (
    AuditNames,
    event_text,
    facts,
    headline,
    ratio_text,
    second,
    strip,
)
from dpviz.core.budgets import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.privacy_audit import Audit, Event
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import DOUBLES, LAYERS, NOISE
from tests.rows import by_rows

COUNT = CountQuery(50.0, noise=Noise.LAPLACE)
MEDIAN = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
IDA = AuditNames("honest count", ("with Ida", "without Ida"), leaves=True)
MARKED = AuditNames("*mean*", ("with [x]", "without [x]"))


def proof(bound, attained=1.0, tells=None, threshold=864.0, below=False):
    event = Event(threshold, below=below, flipped=False)
    audit = Audit(event, np.array([5, 500]), np.array([9.0, bound]), 0.7, 0.2)
    return Proof(audit, attained, tells)


def numbers(
    honest=0.7, twin=1.6049, *, lost=2.0, mistake=NOISE, query=COUNT, runs=1_000, epsilon=1.0,
    confidence=0.95, delta=0.0, made_up=False, tells=(None, None),
):  # fmt: skip
    asked = AuditQuestion(query, Claim(epsilon, delta), runs, confidence, mistake, made_up)
    proofs = [proof(honest, 0.987654, tells[0])]
    if mistake:
        proofs.append(proof(twin, lost, tells[1]))
    return answer(asked, proofs)


@pytest.mark.parametrize("mistake", [NOISE, DOUBLES, None])
@pytest.mark.parametrize(("runs", "confidence"), [(1_000, 0.95), (200, 0.999)])
def test_how_many_count_and_what_they_could_prove(mistake, runs, confidence):
    found = numbers(mistake=mistake, runs=runs, confidence=confidence, tells=(0, 3))
    counted = runs if mistake is DOUBLES else runs / 2
    doubt = (1 - confidence) / 2  # all hits on one side, none on the other
    least, greatest = doubt ** (1 / counted), 1 - doubt ** (1 / counted)
    assert found.counted == counted
    assert found.limit == pytest.approx(math.log(least / greatest))
    assert found.odds == {0.95: 20, 0.999: 1_000}[confidence]
    assert len(found.proofs) == (1 if mistake is None else 2)


@by_rows(
    ("honest", "twin", "lost", "runs", "epsilon"),
    [
        *product((0.5, 1.0, 1.1), (0.9, 1.0, 1.2), (0.9, 1.0, 1.09, 1.1, 2.0), (20, 1_000), (1.0,)),
        (0.5, 1.2, 3.0, 1_000, 2.0),
        (0.5, 1.2, 3.0, 10, 2.0),
    ],
)
def test_every_verdict(honest, twin, lost, runs, epsilon):
    found = numbers(honest, twin, lost=lost, runs=runs, epsilon=epsilon)
    assert found.refuted == (honest > epsilon)
    assert found.caught == (twin > epsilon)
    if twin > epsilon:
        assert found.why is None
    elif lost <= epsilon:
        assert found.why is Undetected.WITHIN
    elif found.limit <= epsilon:
        assert found.why is Undetected.FEW
    else:
        assert found.why is (Undetected.NEAR if lost < 1.1 * epsilon else Undetected.UNLUCKY)
    alone = numbers(honest, mistake=None)
    assert (alone.twin, alone.caught, alone.why) == (None, False, None)


def test_layers_are_those_of_the_tree():
    tree = numbers(mistake=LAYERS, query=TreeQuery(4, 3)).layers
    rows = np.ones(16)
    levels = [rows, rows.reshape(4, 4).sum(1), rows.sum(keepdims=True)]
    assert (tree.leaves, tree.layers, tree.each) == (16, 3, 4.0)
    assert tree.moved == pytest.approx(math.sqrt(sum((level**2).sum() for level in levels)))
    assert numbers(query=TreeQuery(4, 3)).layers is None
    assert numbers().layers is None


def test_the_headline():
    assert headline(numbers(epsilon=1.25), IDA) == (
        r"The broken twin is caught: it claims ε = 1\.25 and loses at least :orange[1\.60]."
    )
    assert headline(numbers(1.0396, epsilon=1.02), IDA) == (
        r"These runs speak against the honest count: at least :orange[1\.03] of ε = 1\.02."
    )
    assert headline(numbers(mistake=None), IDA) == (
        r"The runs prove that at least :blue[0\.70] of the claimed ε = 1 is lost."
    )
    assert headline(numbers(twin=0.9), IDA) == ("1,000 runs prove nothing against the claim yet.")
    assert r"against the \*mean\*" in headline(numbers(1.1), MARKED)


def test_the_second_line():
    never = r"An audit can refute a claim with 95 % confidence; it can never confirm one."
    line = second(numbers(), IDA)
    assert line() == (rf"The honest count proves at least 0\.70, within its claim. {never}")
    assert line(brief=True) == second(numbers(mistake=None), IDA)() == never
    assert second(numbers(1.1, confidence=0.999), IDA)() == (
        r"Its noise is as promised, so this is chance: at 99\.9 % confidence up to 1 audit in "
        "1,000 accuses an honest mechanism."
    )
    assert "even the broken twin stays within the claim" in second(numbers(twin=0, lost=1), IDA)()
    few = second(numbers(twin=0, runs=12), IDA)()
    assert few.startswith(r"So many runs can prove at most ε = 0\.17, even of")
    assert numbers(runs=12).limit == pytest.approx(0.1633, abs=1e-4)  # rounded up, as a limit is
    near = second(numbers(twin=0, lost=1.0501), IDA)()
    assert near.startswith(r"On these two columns the twin loses 1\.05, hardly more")
    assert second(numbers(twin=0), IDA)().startswith("The broken twin goes undetected")
    assert r"The \*mean\* proves" in second(numbers(), MARKED)()


def test_the_second_line_of_a_tree():
    line = second(numbers(mistake=LAYERS, query=TreeQuery()), IDA)
    assert line() == (
        r"A person with a row in each of 256 leaves moves the counts by 264 (L2); this twin has "
        r"noise for 3 layers × 16, as in OpenDP's issue 2924."
    ).replace("(L2)", r"(L2)")
    assert "never confirm one" in line(brief=True)


def test_doubles():
    told = numbers(mistake=DOUBLES, runs=10_000, tells=(0, 1234))
    assert headline(told, IDA) == (
        "In :orange[1,234] of 10,000 runs the answer could only come from the data with Ida."
    )
    passes = "Every answer of the honest count could come from either."
    assert second(told, IDA)(brief=True) == passes
    assert second(told, IDA)() == (
        f"For real numbers this twin keeps its ε, in NumPy's doubles no ε at all. {passes}"
    )
    both = numbers(mistake=DOUBLES, tells=(77, 5))
    assert second(both, IDA)(brief=True) == "So could 77 of the honest count."
    none = {"mistake": DOUBLES, "tells": (0, 0)}
    assert headline(numbers(**none), MARKED) == (
        r"In none of 1,000 runs did the twin give an answer that only the data with \[x\] can give."
    )
    assert "Choose more runs" in second(numbers(**none, made_up=True), IDA)()
    assert "small counts" in second(numbers(**none), IDA)()
    assert "lie close together" in second(numbers(**none, query=MEDIAN), IDA)()


def test_the_strip():
    assert strip(numbers(), IDA) == [
        ("runs", "1,000 with Ida, 1,000 without"),
        ("half of them counted", "500"),
        ("confidence", "95 %"),
        ("most that can be proved", "5.0"),
    ]
    assert numbers().limit == pytest.approx(4.9046, abs=1e-3)
    shown = strip(numbers(mistake=DOUBLES, tells=(0, 1)), MARKED)
    assert shown[:2] == [("runs", "1,000 on each column"), ("all of them counted", "1,000")]


def test_facts():
    assert facts(numbers(lost=1.23456, delta=1e-6), IDA) == [
        ("honest count: exact ε of this pair", "0.9877"),
        ("broken twin: exact ε of this pair", "1.235"),
        ("the claim, and the bounds, hold at δ =", "1e-06"),
    ]
    assert facts(numbers(mistake=DOUBLES, tells=(0, 2)), IDA)[1:] == [
        ("broken twin: exact ε of this pair, for real numbers", "2"),
        ("broken twin: ε in doubles, at δ = 0", "none"),
    ]
    assert facts(numbers(mistake=DOUBLES, tells=(0, 0)), IDA)[-1][1] == "unknown"
    assert len(facts(numbers(mistake=None), IDA)) == 1


def test_events():
    def said(query, names=IDA, **event):
        return event_text(numbers(query=query), proof(0.0, **event), names)

    assert said(COUNT) == "more than 864"
    assert said(COUNT, threshold=-1234.0, below=True) == "at most −1,234"
    assert said(COUNT, threshold=864.25) == "more than 864.25"
    assert said(MEDIAN, threshold=-58.1234567) == "more than −58.1235"
    assert said(TreeQuery(), threshold=-0.0123) == "more than −0.012 people"
    assert said(COUNT, MARKED, tells=3) == "what only the data with [x] can give"


def test_how_many_times_as_often():
    def said(one, other, bound=0.0, claimed=1.0, *, brief=False):
        event = Event(1.0, below=False, flipped=False)
        audit = Audit(event, np.array([9]), np.array([bound]), one, other)
        return ratio_text(audit, claimed, brief=brief)

    assert said(0.5, 0.2) == "2.5 × as often; the claim allows 2.72"
    assert said(0.2, 0.5, brief=True) == "2.5 × as often; the claim allows 2.72"
    assert said(0.3, 0.1) == "3.0 × as often; allowed in the long run: 2.72"
    assert said(0.3, 0.1, brief=True) == "3.0 × as often"
    assert said(0.3, 0.1, bound=1.05) == "3.0 × as often; the claim allows 2.72"
    assert said(0.3, 0.0) == "never on the other side; the claim allows 2.72"
    assert said(0.3, 0.0, brief=True) == "never on the other side"
    assert said(0.0, 0.0) == "never on either side"
    assert said(0.9, 0.1, claimed=800.0).startswith("9.0 × as often; the claim allows 2.73 × 10")


def test_a_proof_prints_no_data():
    assert "0.7" not in repr(replace(numbers(), layers=None))
    assert "864" not in repr(proof(0.7))
