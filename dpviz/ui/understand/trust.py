"""One person, fourth view: what it costs to trust one server, two, a shuffler, or nobody."""

from dataclasses import dataclass
from typing import Any

from dpviz.answers.privacy import trust, trust_said
from dpviz.answers.privacy.trust import PEOPLE, Question, TrustNumbers
from dpviz.core.budgets import ZCDP, ApproxDP, Budget
from dpviz.figures.privacy.trust import trust_picture
from dpviz.mechanisms.local.shuffling import LARGEST, LEAST_DELTA, SMALLEST
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, Values, Whole
from dpviz.ui.model.render import View, standing
from dpviz.ui.understand import rows
from dpviz.ui.visit.page import Visit

QUESTIONS: dict[Question, str] = {"count": "Count", "median": "Median", "cdf": "CDF"}
FIRST = 10_000  # people: of no data set


def _is_shown(values: Values) -> bool:
    return bool(values["view"] == "trust")


FIELDS = (
    Field("n_trust", "What is published", rows.segments(QUESTIONS), "count", "question", when=_is_shown),
    Field("n_people", "People", Whole(PEOPLE[0], PEOPLE[-1], lambda _: PEOPLE), FIRST, "dock",
          when=_is_shown),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trusted:
    """What is published under which ε, and δ with a shuffler.

    own is how many people the data set has, None where that may not be shown.
    """

    question: Question
    epsilon: float
    delta: float
    people: int
    own: int | None
    notion: type[Budget]

    def refused(self) -> "View[Trusted, Any] | None":
        """What stands where no report keeps to the budget."""
        if self.notion is ZCDP:
            return RHO
        fits = SMALLEST <= self.epsilon <= LARGEST and self.delta >= LEAST_DELTA
        return None if fits else BEYOND


def case_of(values: Values, now: Visit) -> Trusted:
    """What is asked now. A sample set's number of people is public, a file's is not asked for."""
    delta = now.budget.delta if isinstance(now.budget, ApproxDP) else float(values["n_at"])
    own = None if session.is_upload() else session.column().n
    return Trusted(
        values["n_trust"], now.budget.size, delta, values["n_people"], own,
        type(now.budget),
    )  # fmt: skip


RHO = standing(
    "Reports of single people promise ε: choose pure ε or (ε, δ) under Budget.",
    "A ρ is read as ε only at a δ, and then each trust at another.",
)
BEYOND = standing(
    "Trust is compared for ε from 10⁻⁶ to 30, and δ from 10⁻¹⁵ up: choose such a budget.",
    "Beyond, the chances of single reports are too small for doubles.",
)

VIEW: View[Trusted, TrustNumbers] = View(
    "trust", "Trust",
    lambda asked, _: trust.answer(
        asked.question, asked.epsilon, asked.delta, asked.people, asked.own
    ),
    say=lambda _, found: trust_said.say(found),
    draw=lambda _, found, __, look: trust_picture(found, look),
    instead=lambda asked, _, __: asked.refused(),
    hero="trust", kept="run", saved=False, of_data=False,
)  # fmt: skip
