"""One audit as a page holds it, and what it says in words."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.figures.privacy.amounts import epsilon_text, least
from dpviz.ui.bench.headline import danger, plain, private
from dpviz.ui.kit.number_text import counted
from dpviz.ui.understand import questions, settings
from dpviz.ui.understand.findings import Finding, Plan
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Visit

CATCHABLE = 1.1  # times the claim: a twin that attains less is hardly ever caught


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is audited: the pair of columns, who makes the difference, and what was found.

    The mechanism comes first, its twin second if there is one; attained are the ε that this pair
    really loses, in the same order.
    """

    asked: Asked
    pair: Pair
    who: Person | None
    plan: Plan
    found: list[Finding]
    attained: list[float]

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


def second_line(now: Visit, case: Case) -> str:
    """The honest bound, and what an audit can tell at all; or why it told nothing here."""
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
    if advice or now.look.phone or len(case.found) == 1:
        return advice or never
    return (
        f"The {plain(case.name)} proves at least {plain(least(honest))}, within its claim. {never}"
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
