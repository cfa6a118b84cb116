"""What is said of how far a belief about anybody can move."""

from dpviz.answers.privacy.amounts import at_least_percent, most_percent, times, tiny
from dpviz.answers.privacy.belief import BeliefNumbers
from dpviz.answers.said import Line, Said, plain, private, unmarked
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP


def say(found: BeliefNumbers, budget: Budget, neighbours: Neighbours) -> Said:
    """Everything."""
    first, then = headline(found), second(found, neighbours)
    return Said(Line(first), then, strip(found, budget), unmarked(f"{first} {then()}"))


def headline(found: BeliefNumbers) -> str:
    """What a suspicion becomes at most."""
    but = f", but for a chance of {plain(tiny(found.failure))}" if found.failure else ""
    most = private(most_percent(found.most))
    return f"A suspicion of {100 * found.prior:.0f} % becomes at most {most}{but}."


def second(found: BeliefNumbers, neighbours: Neighbours) -> Line:
    """What it becomes at least, for whom, and what the promise does not hide."""
    least = plain(at_least_percent(found.least))
    what = "is in the data"
    if neighbours is Neighbours.REPLACE_ONE:
        what = "has a certain value and not another"
    return Line(
        f"Somebody who knows everybody else and suspects that one person {what} believes it "
        f"afterwards with at least {least}. What the others say about people in general, ε does "
        "not hide.",
        f"At least {least}, even for those who know everybody else.",
    )


def strip(found: BeliefNumbers, budget: Budget) -> list[tuple[str, str]]:
    """By how much odds move, and where that is read."""
    return [
        ("odds move at most", f"{times(found.epsilon)} times"),
        ("that is e to the power of", _reading(found, budget)),
    ]


def _reading(found: BeliefNumbers, budget: Budget) -> str:
    if isinstance(budget, PureDP):
        return "ε"
    if isinstance(budget, ApproxDP):
        return f"ε + ln 2, read from {budget}"
    return f"ρ + 2√(ρ ln 1/δ) = {found.epsilon:.4g}, read at δ = {found.failure:g}"
