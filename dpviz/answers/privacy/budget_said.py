"""What is said of many answers to one question."""

from collections.abc import Sequence

from dpviz.answers.number_text import counted, significant
from dpviz.answers.privacy.amounts import epsilon_text, tiny, value_text
from dpviz.answers.privacy.budget import Averages, BudgetNumbers
from dpviz.answers.said import Line, Said, danger, plain, private, true, unmarked
from dpviz.intake.samples import Noun

MANY = 100  # answers from which a quantile's average is said to stop


def say(found: BudgetNumbers, people: Noun, question: str = "", chips: Sequence[str] = ()) -> Said:
    """Everything; question is plain, and asked where nothing true is shown."""
    first, then = headline(found), second(found, people)
    items = strip(found, question)
    fewer = {"low": items[1:], "narrow": items[-2:]}  # the sentences say the others already
    return Said(Line(first), then, items, unmarked(f"{first} {then()}"), chips, strips=fewer)


def headline(found: BudgetNumbers) -> str:
    """What the average tells, or what share of the promise is taken."""
    many, averages = counted(found.bill.answers, "answer"), found.averages
    if averages is None:
        return _taken(found, many)
    average = average_text(averages.average, averages.grid, found.bill.answers)
    truth = true(value_text(averages.truth, averages.grid))
    if averages.gives_away and found.bill.is_overspent:
        leak = danger(average)
        return f"{plain(many)} give it away: their average is {leak}, the truth is {truth}."
    told = f"the average is {private(average)}"
    if found.bill.answers == 1:
        told = f"the answer is {private(average)}"
    elif not found.is_count and found.bill.answers >= MANY:
        told = f"the average stops at {private(average)}"
    return f"{plain(many)}: {told}, the truth is {truth}."


def _taken(found: BudgetNumbers, many: str) -> str:
    takes = "takes" if found.bill.answers == 1 else "take"
    if found.bill.is_overspent:
        times = f"{found.bill.tanks:,.{0 if found.bill.tanks >= 100 else 1}f}".removesuffix(".0")
        more = "more than" if times == "1" else f"{times} times"
        return f"{plain(many)} {takes} {danger(more)} what was promised."
    share = private(f"{100 * found.bill.tanks:.3g} %")
    return f"{plain(many)} {takes} {share} of what was promised."


def second(found: BudgetNumbers, people: Noun) -> Line:
    """How many answers the promise pays for, or where a quantile's averages settle."""
    promise = f"{found.bill.symbol} = {epsilon_text(found.bill.promise)}"
    pays = f"the promise of {promise} pays for {found.bill.affordable:,}"
    if found.averages is None:
        return Line(f"Noise averages away, so every answer must be paid for: {plain(pays)}.")
    if not found.is_count:
        return Line(_settles(found.averages))
    off = people.after(significant(found.averages.one_is_off, 2))
    return Line(
        f"One answer is off by {plain(off)} on average. Noise averages away, so every answer must "
        f"be paid for: {plain(pays)}.",
        f"Every answer must be paid for: {plain(pays)}.",
    )


def _settles(averages: Averages) -> str:
    settles = f"Averages of it settle at {plain(value_text(averages.limit, 0))}"
    if averages.gives_away:
        return (
            f"{settles}. A private quantile leans to where values are sparse, but it is published "
            "in the steps of the data: rounded to them, averages give it away."
        )
    return (
        f"{settles}, near the truth and not on it: a private quantile leans to where values are "
        "sparse, and no average takes that away."
    )


def strip(found: BudgetNumbers, question: str) -> list[tuple[str, str]]:
    """How far answers are off, or how often was asked, and what that adds up to.

    question is said where nothing true is; plain.
    """
    many = f"{found.bill.answers:,}"
    said = [(question, "once" if found.bill.answers == 1 else f"{many} times")]
    if found.averages is not None:
        said = [("one answer is off by", significant(found.averages.one_is_off, 2))]
        if found.bill.answers > 1:
            off = significant(found.averages.average_is_off, 2)
            said.append((f"the average of {many} by", off))
    return [
        *said,
        ("added up", f"{found.bill.symbol} = {epsilon_text(found.bill.spent)}"),
        (f"best account at δ = {tiny(found.delta)}", f"ε = {epsilon_text(found.best)}"),
    ]


def average_text(average: float, grid: float, answers: int) -> str:
    """The average of all answers, with one digit more than the truth has; one answer as it is."""
    return value_text(average, grid if answers == 1 else grid / 10)
