"""One audit as a page holds it, and what it says in words."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import DOUBLES, LAYERS, Twin
from dpviz.figures.privacy.amounts import epsilon_text, least
from dpviz.ui.bench.headline import danger, plain, private
from dpviz.ui.kit.number_text import counted
from dpviz.ui.understand import questions, settings
from dpviz.ui.understand.audit.findings import Finding, Plan
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked, AskedTree
from dpviz.ui.visit.page import Visit

CATCHABLE = 1.1  # times the claim: a twin that attains less is hardly ever caught


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is audited: the pair of columns, who makes the difference, and what was found.

    The mechanism comes first, its twin second if there is one; attained are the ε that this pair
    really loses, in the same order.
    """

    asked: Asked | AskedTree
    pair: Pair
    who: Person | None
    plan: Plan
    found: list[Finding]
    attained: list[float]
    twin: Twin | None

    @property
    def asks_doubles(self) -> bool:
        """Whether the event is an output that only one of the columns can give."""
        return self.twin is DOUBLES

    @property
    def counted(self) -> int:
        """Runs of each column that the bounds count: half chose the event, unless it was fixed."""
        return self.plan.runs if self.asks_doubles else self.plan.runs // 2

    @property
    def is_own(self) -> bool:
        """Whether the pair is of the data in use."""
        return self.plan.pays

    @property
    def claimed(self) -> float:
        """The claimed ε."""
        return self.asked.claim().epsilon

    @property
    def name(self) -> str:
        """The mechanism as it is called here."""
        return f"honest {questions.number_name(self.asked.query)}"

    @property
    def sides(self) -> tuple[str, str]:
        """Both columns by what makes the difference."""
        if self.who is None:
            return "with one person", "without"
        return self.who.names.with_one, self.who.names.without


def finding(case: Case) -> str:
    """The bounds of all runs, and no other: the 95 % hold for a size chosen beforehand."""
    if case.asks_doubles:
        return _finding_of_doubles(case)
    claimed = plain(epsilon_text(case.claimed))
    honest = case.found[0].audit.bound
    if honest > case.claimed:
        lost = danger(least(honest))
        return f"These runs speak against the {plain(case.name)}: at least {lost} of ε = {claimed}."
    if len(case.found) == 1:
        lost = private(least(honest))
        return f"The runs prove that at least {lost} of the claimed ε = {claimed} is lost."
    twin = case.found[1].audit.bound
    if twin > case.claimed:
        lost = danger(least(twin))
        return f"The broken twin is caught: it claims ε = {claimed} and loses at least {lost}."
    return f"{plain(counted(case.plan.runs, 'run'))} prove nothing against the claim yet."


def _finding_of_doubles(case: Case) -> str:
    """How many answers could come from one column alone; counted on all runs, for none chose."""
    runs, tells = counted(case.plan.runs, "run"), case.found[1].tells
    where = f"the data {plain(case.sides[0])}"
    if not tells:
        return f"In none of {plain(runs)} did the twin give an answer that only {where} can give."
    return f"In {danger(f'{tells:,}')} of {plain(runs)} the answer could only come from {where}."


def second_line(now: Visit, case: Case) -> str:
    """The honest bound, and what an audit can tell at all; or why it told nothing here."""
    if case.asks_doubles:
        return _second_of_doubles(now, case)
    confidence = settings.get("n_confidence")
    honest = case.found[0].audit.bound
    if honest > case.claimed:
        odds = round(1 / (1 - case.plan.confidence))
        return (
            f"Its noise is as promised, so this is chance: at {plain(confidence)} confidence up to "
            f"1 audit in {odds:,} accuses an honest mechanism."
        )
    never = f"An audit can refute a claim with {plain(confidence)} confidence; it can never confirm one."
    advice = _advice(case)
    query = case.asked.query
    if case.twin is LAYERS and isinstance(query, TreeQuery) and not (advice or now.look.phone):
        return _second_of_layers(query)
    if advice or now.look.phone or len(case.found) == 1:
        return advice or never
    return (
        f"The {plain(case.name)} proves at least {plain(least(honest))}, within its claim. {never}"
    )


def _second_of_doubles(now: Visit, case: Case) -> str:
    """Where the twin keeps its promise, and that the honest mechanism passes the same test."""
    honest, twin = (one.tells for one in case.found)
    passes = f"Every answer of the {plain(case.name)} could come from either."
    if honest:
        passes = f"So could {plain(f'{honest:,}')} of the {plain(case.name)}."
    if not twin:
        return _where_doubles_tell(case)
    if now.look.phone:
        return passes
    return f"For real numbers this twin keeps its ε, in NumPy's doubles no ε at all. {passes}"


def _where_doubles_tell(case: Case) -> str:
    """Why no answer gave anybody away, and where some would."""
    if case.asked.is_made_up:
        return "Between these bounds nearly every double can come from either. Choose more runs."
    if isinstance(case.asked.query, CountQuery):
        return (
            "Doubles tell more about small counts: choose a line with few people beyond it, more "
            "runs, or the made-up pair."
        )
    return (
        "Where records lie close together, every double can come from either. Choose the made-up "
        "pair."
    )


def _second_of_layers(query: TreeQuery) -> str:
    """What OpenDP's issue 2924 is about, in this tree's numbers."""
    leaves, reach = plain(f"{query.leaves:,}"), plain(f"{query.moved:,.0f}")
    taken = plain(f"{query.layers} layers × {query.leaves**0.5:.0f}")
    return (
        f"A person with a row in each of {leaves} leaves moves the counts by {reach} (L2); this twin "
        f"has noise for {taken}, as in OpenDP's issue 2924."
    )


def _advice(case: Case) -> str:
    """Why the twin is not caught, where it is not."""
    if len(case.found) == 1 or case.found[1].audit.bound > case.claimed:
        return ""
    limit, attained = most_provable(case.plan.runs // 2, case.plan.confidence), case.attained[1]
    if attained <= case.claimed:
        return (
            "On these two columns even the broken twin stays within the claim, so that no number "
            "of runs can catch it. Choose another person, or the made-up pair."
        )
    if limit <= case.claimed:
        return (
            f"So many runs can prove at most ε = {plain(least(limit))}, even of a mechanism without "
            "privacy."
        )
    if attained < CATCHABLE * case.claimed:
        return (
            f"On these two columns the twin loses {plain(f'{attained:.4g}')}, hardly more than it "
            "claims. Choose another person, or the made-up pair."
        )
    return "The broken twin goes undetected: more runs come nearer to what it loses."
