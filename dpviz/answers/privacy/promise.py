"""What a budget promises everybody, as odds, in one sentence for every kind of release."""

from dpviz.answers.privacy.amounts import times, tiny
from dpviz.core.budgets import Budget, Neighbours
from dpviz.experiments.privacy.odds import odds_of

DELTA = 1e-6  # the chance that is left out where a budget in ρ is said as odds


def promised(budget: Budget, neighbours: Neighbours, person: str, what: str = "release") -> str:
    """The promise in words, plain: to one person ("student"), about what is released ("map").

    By how much the chance of any one release can grow, rounded up. (ε, δ) bounds it only with room
    to spare, by ε + ln 2 but for 2δ; ρ by ρ + 2√(ρ ln 1/δ) but for δ.
    """
    found = odds_of(budget, DELTA)
    whose = f"with or without any one {person}"
    if neighbours is Neighbours.REPLACE_ONE:
        whose = f"whatever any one {person}'s value is"
    said = f"{budget}: {whose}, no {what} is more than {times(found.epsilon)} times as likely"
    return f"{said}, but for a chance of {tiny(found.failure)}" if found.failure else said
