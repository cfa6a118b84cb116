"""The sentences of Start; each follows ε, and what stands after "at most" is rounded up."""

import math

from dpviz.answers.said import danger, private, true
from dpviz.lessons.start import numbers

LEARN = "Learn about everyone."
LEDE = (
    "How many of 15,000 people earn over 100,000? An exact count can betray who joins or leaves. "
    "Differential privacy adds noise first."
)
HINT, LEAK = 0.75, 0.90  # beliefs from which one answer hints at anyone, and reveals anyone
MOST_DIGITS = 9


def heading(epsilon: float) -> str:
    """The finding: what one answer can tell about one person, as Markdown."""
    belief = numbers.belief(epsilon)
    if belief > LEAK:
        return f"{LEARN} {danger('Reveal anyone.')}"
    return f"{LEARN} {'Hint at anyone.' if belief > HINT else 'Reveal no one.'}"


def belief(epsilon: float) -> str:
    """The belief after one answer in per cent, rounded up, so exactly that it is not 100."""
    missing = 100 * numbers.doubt(epsilon)
    digits = max(1, math.ceil(-math.log10(missing))) if missing > 0 else MOST_DIGITS + 1
    if digits > MOST_DIGITS:
        return "100\N{NO-BREAK SPACE}%"
    rounded = math.floor(missing * 10**digits) / 10**digits
    return f"{100 - rounded:.{digits}f}\N{NO-BREAK SPACE}%"


def sentence(epsilon: float, ida: bool) -> str:
    """How good an answer is, and what it tells about Ida, as Markdown."""
    return f"{_accuracy(epsilon, numbers.people().count(ida))} {_guess(epsilon)}"


def outside(epsilon: float, answer: int) -> str:
    """The same for readers of one published answer, who do not know the truth."""
    reach, published = numbers.reach(epsilon), private(f"{answer:,}")
    near = f"within {private(f'±{reach}')} of the truth 19 times in 20"
    near = near if reach else "nearly always exactly true"
    return f"The answer is {published}, {near}. {_guess(epsilon)}"


def _accuracy(epsilon: float, count: int) -> str:
    reach = numbers.reach(epsilon)
    if reach == 0:
        return f"Nearly every answer is exactly the true {true(f'{count:,}')}."
    return f"19 answers in 20 fall within {private(f'±{reach}')} of the true {true(f'{count:,}')}."


def _guess(epsilon: float) -> str:
    colour = danger if numbers.belief(epsilon) > LEAK else private
    most = colour(belief(epsilon))
    return f"One answer lifts a 50\N{NO-BREAK SPACE}% guess that Ida is in to at most {most}."


def alternative(epsilon: float, ida: bool) -> str:
    """The picture in words."""
    people = numbers.people()
    low, high = people.over - numbers.REACH, people.over + numbers.REACH
    return (
        f"{people.everybody:,} salaries, one grain each; {people.count(ida)} of them are over "
        f"100,000. Behind a barrier of noise, at ε = {epsilon:g}, answers that could be published "
        f"stand on a line from {low} to {high}: 19 in 20 lie within {numbers.reach(epsilon)} of "
        f"{people.count(ida)}. Ida is {'in' if ida else 'out'}."
    )


def alternative_outside(epsilon: float, answer: int) -> str:
    """The picture without the truth in words."""
    return (
        "The salaries are closed: nobody looks into them. Behind a barrier of noise, at "
        f"ε = {epsilon:g}, one published answer, {answer}, with an error of up to "
        f"{numbers.reach(epsilon)} 19 times in 20."
    )
