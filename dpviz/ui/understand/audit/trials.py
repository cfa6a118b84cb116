"""One audit: the question, its pair of columns, the twin beside it, and what was found."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.privacy.audit import AuditNumbers, AuditQuestion, Proof, answer
from dpviz.answers.privacy.audit_said import AuditNames
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.hard_pairs import counted_pair, hard_pair
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.one_count import MADE_UP
from dpviz.experiments.twins.naive import lone_pair
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import BY_KEY, DOUBLES, Twin, broken, twins_for
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.understand import people, questions, rows
from dpviz.ui.understand.audit.findings import Finding, Plan, Trial, finding_of
from dpviz.ui.understand.people import Person, pair_of
from dpviz.ui.understand.questions import Asked, AskedTree


@confidential("asked", "who", "plan")
@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is audited, and what was found of the mechanism and, behind it, of its twin."""

    asked: Asked | AskedTree
    who: Person | None
    plan: Plan
    found: list[Finding]
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
