"""One person, third view: how far a belief about anybody can move. Nothing here is data."""

from dataclasses import dataclass

from dpviz.answers.privacy import belief, belief_said
from dpviz.answers.privacy.belief import BeliefNumbers
from dpviz.core.budgets import Budget, Neighbours
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.privacy.belief import belief_picture
from dpviz.ui.model.fields import Field, Values, Whole
from dpviz.ui.model.render import View
from dpviz.ui.visit.page import Visit

HELP = "How likely somebody holds it that the person is in the data, before the answer."
SUSPICION = Field(
    "n_prior", "Suspicion before, in per cent", Whole(1, 99, lambda _: range(1, 100)), 50,
    lambda values: "dock" if values["view"] == "meaning" else "question",
    lambda values: None if values["view"] == "meaning" else HELP,  # a dock has no room for it
    when=lambda values: values["view"] in {"count", "meaning"},
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Promise:
    """A budget, read at a δ where it has none, and who is protected."""

    budget: Budget
    delta: float
    neighbours: Neighbours


def promise_of(values: Values, now: Visit) -> Promise:
    """What is promised now."""
    return Promise(now.budget, float(values["n_at"]), now.neighbours)


VIEW: View[Promise, BeliefNumbers] = View(
    "meaning", "What ε means",
    lambda asked, values: belief.answer(asked.budget, asked.delta, values["n_prior"] / 100),
    say=lambda asked, found: belief_said.say(found, asked.budget, asked.neighbours),
    draw=lambda asked, found, _, look: belief_picture(
        odds_of(asked.budget, asked.delta), found.prior, look
    ),
    hero="belief", kept="run", saved=False, of_data=False,
)  # fmt: skip
