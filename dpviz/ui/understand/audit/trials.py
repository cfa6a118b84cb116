"""One audit: the question, its pair of columns, the twin beside it, and what was found."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.privacy.audit import AuditNumbers, AuditQuestion, Proof, answer
from dpviz.answers.privacy.audit_said import AuditNames
from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.hard_pairs import counted_pair, hard_pair
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.one_count import MADE_UP
from dpviz.experiments.privacy.privacy_audit import Audit, Event, audit
from dpviz.experiments.twins.naive import lone_pair, only_from
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import BY_KEY, DOUBLES, Tried, Twin, broken, twins_for
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, purpose_of
from dpviz.ui.kit.process import turns
from dpviz.ui.model.fields import Values
from dpviz.ui.understand import people, questions, rows
from dpviz.ui.understand.people import Person, pair_of
from dpviz.ui.understand.questions import Asked, AskedTree


@confidential("asked", "who", "plan")
@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is audited, and what was found of the mechanism and, behind it, of its twin."""

    asked: Asked | AskedTree
    who: Person | None
    plan: "Plan"
    found: "list[Finding]"
    shows_truth: bool
    numbers: AuditNumbers

    @property
    def is_own(self) -> bool:
        """Whether the pair is of the data in use."""
        return self.plan.pays

    @property
    def names(self) -> AuditNames:
        """What the mechanism and both columns are called."""
        name = f"honest {questions.number_name(self.asked.query)}"
        if self.who is None:
            return AuditNames(name, ("with one person", "without"))
        leaves = self.who.who == people.IDA and not self.who.replaced
        return AuditNames(name, (self.who.names.with_one, self.who.names.without), leaves)


OWN, HARD = "this column", "a hard pair"
CONFIDENCES = {"95 %": 0.95, "99.9 %": 0.999}
ALONE = 1  # people in a made-up count whose doubles are looked at: few, so that they tell much


def is_own(values: Values) -> bool:
    """Whether the pair of columns is to be of the data in use."""
    chosen = values["n_columns"] == OWN and values["a_ask"] != rows.TREE
    return bool(values["truth"] and chosen)


def twins(values: Values) -> list[str]:
    """The twins that may be run. What doubles give away no budget covers: never of a file's people."""
    kind, pays_for_file = values["a_ask"], session.is_upload() and is_own(values)
    query = TreeQuery() if kind == rows.TREE else questions.query_of(kind, values)
    return [one.key for one in twins_for(query) if not (one is DOUBLES and pays_for_file)]


def case_of(asked: Asked | AskedTree, values: Values) -> Case:
    """The audit of what is asked, done once. Raises: DpvizError for a change that cannot be made."""
    query, twin = asked.query, BY_KEY[values["n_mistake"]] if values["n_twin"] else None
    pair, source, who = _pair(asked, twin, values)
    runs, confidence = values["n_runs"], CONFIDENCES[values["n_confidence"]]
    plan = Plan(source, runs, confidence, pays=not asked.is_made_up)
    trials = [Trial(query, asked.budget)]
    if twin:
        trials.append(Trial(*broken(twin, query, asked.budget), is_twin=True))
    with st.spinner(f"{counted(runs, 'run')} on each column"):
        found = [
            finding_of(asked, trial, pair, plan, asks_doubles=twin is DOUBLES) for trial in trials
        ]
    claim = asked.claim()
    attained = [trial.tried.attained(pair, trial.spent, claim.delta) for trial in trials]
    proofs = [Proof(one.audit, lost, one.tells) for one, lost in zip(found, attained, strict=True)]
    question = AuditQuestion(query, claim, runs, confidence, twin, is_made_up=asked.is_made_up)
    return Case(asked, who, plan, found, bool(values["truth"]), answer(question, proofs))


def _pair(
    asked: Asked | AskedTree, twin: Twin | None, values: Values
) -> tuple[Pair, object, Person | None]:
    """The pair of columns, what names it, and who makes the difference, if it is anybody."""
    if isinstance(asked, AskedTree):
        return asked.query.pair(asked.column), ("made up", asked.column.bounds), None
    who = people.person(asked.query, asked.column, values)
    if asked.is_made_up:
        source = ("made up", asked.column.bounds, twin is DOUBLES)
        return _made_up(asked, twin), source, None if who.who != people.IDA else who
    pair = pair_of(asked, who.change)
    if who.comes:
        pair = Pair(pair.other, pair.one, pair.added, pair.removed)
    return pair, people.choices(values), who


def _made_up(asked: Asked, twin: Twin | None) -> Pair:
    """Columns on which the mechanism loses what it may, of nobody's values."""
    query, bounds, relation = asked.query, asked.column.bounds, session.neighbours()
    if isinstance(query, CountQuery):
        return counted_pair(query, bounds, relation, ALONE if twin is DOUBLES else MADE_UP)
    if twin is DOUBLES:
        return lone_pair(bounds, relation)
    return hard_pair(query, bounds, relation, asked.claim().epsilon)


BINS = 60
ONLY_FROM_ONE = Event(0.0, below=False, flipped=False)  # of what only_from says of an output


@dataclass(frozen=True, slots=True)
class Plan:
    """How an audit is done; pays: on columns of real people, whose source names them."""

    source: object
    runs: int
    confidence: float
    pays: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What is run: a mechanism or its twin, and the budget that it really spends."""

    tried: Tried
    spent: Budget
    is_twin: bool = False


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """An audit and a histogram of the outputs that it counted; the outputs are not kept.

    Where it was asked which doubles can come out, telling is the histogram of the outputs on one
    that other cannot give, and tells how many there are; None elsewhere.
    """

    audit: Audit
    edges: FloatArray
    one: IntArray
    other: IntArray
    telling: IntArray | None = None
    tells: int | None = None


def finding_of(
    asked: Asked | AskedTree, trial: Trial, pair: Pair, plan: Plan, *, asks_doubles: bool
) -> Finding:
    """The audit of a mechanism that spends one budget while it claims another, done once.

    asks_doubles: the event is an output that the second column cannot give at all.
    """
    tried, spent, draw, claim = trial.tried, trial.spent, asked.draw, asked.claim()
    purpose = purpose_of(tried, asked.column, spent, "audit", plan.source, plan.runs)
    paid = [Cost("audit", spent, plan.runs, simulated=True)] if plan.pays else FREE
    first = 3 if trial.is_twin else 1  # the twin's noise is its own on samples too

    def compute() -> Finding:
        with turns.aside():
            return found()

    def found() -> Finding:
        one, other = (
            tried.release_many(column, spent, draw.generator(purpose, stream), plan.runs)
            for stream, column in ((first, pair.one), (first + 1, pair.other))
        )
        edges = _bins(np.concatenate((one, other)))
        counts = _histogram(one, edges), _histogram(other, edges)
        if not asks_doubles or isinstance(tried, TreeQuery):
            return Finding(audit(one, other, plan.confidence, claim.delta), edges, *counts)
        columns = pair.one, pair.other
        only, rest = (only_from(tried, columns, spent, part) for part in (one, other))
        done = audit(only, rest, plan.confidence, claim.delta, ONLY_FROM_ONE)
        telling = one[only > 0]
        return Finding(done, edges, *counts, _histogram(telling, edges), telling.size)

    def pay() -> None:
        for stream in (first, first + 1):
            draw.book(purpose, stream, paid=paid)

    key = (purpose, claim, plan.confidence, asks_doubles, draw)
    # the pair, too, is of the column in use alone, or of a made-up one
    return memory.public(asked.column, key, compute, pay)


def _histogram(outputs: FloatArray, edges: FloatArray) -> IntArray:
    return np.histogram(outputs, edges)[0].astype(np.int64)


def _bins(outputs: FloatArray) -> FloatArray:
    """Edges over all but the rarest outputs; whole outputs get bins around whole numbers."""
    low, high = (float(end) for end in np.quantile(outputs, [0.001, 0.999]))
    if (outputs == np.round(outputs)).all():
        low, high = np.floor(low), np.ceil(high)
        width = max(1.0, np.ceil((high - low) / BINS))
        return np.arange(low - 0.5, high + width, width)
    room = 1e-9 * max(abs(low), abs(high), 1e-300)  # all outputs may be one
    return np.linspace(low - room, high + room, BINS + 1)
