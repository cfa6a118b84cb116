"""Pick the question: ask for what you need, for more numbers cost more."""

from dataclasses import dataclass

from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.figures.stage import findings, frames, people
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import figure
from dpviz.lessons import needs
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import plain, whole

TARGET = 1.0  # per cent of the records
HIGHEST = 0.5  # of the prices that the bars show
ROW, GAP = 0.25, 0.012  # shares of the height: a card, and half of what lies between two


@dataclass(frozen=True, slots=True)
class Prices:
    """What each set of quantiles costs for the same target; chosen is one of them.

    one_by_one is the price of the percentiles if each is asked for by itself.
    """

    chosen: str
    prices: dict[str, float]
    one_by_one: float

    @property
    def price(self) -> float:
        """The smallest ε of the chosen set."""
        return self.prices[self.chosen]

    def times(self, question: str) -> float:
        """How many times the median's price that is."""
        return self.prices[question] / self.prices["median"]

    @property
    def times_one_by_one(self) -> float:
        """How many times the median's price percentiles cost one by one, to one digit."""
        return float(f"{self.one_by_one / self.prices['median']:.0e}")


def numbers(question: str, _: int = 1) -> Prices:
    """The stored searches on the salaries, which are public here."""
    found = {one: needs.need(needs.SALARIES, one, TARGET).epsilon for one in QUESTIONS}
    one_by_one = needs.need(needs.SALARIES, needs.ONE_BY_ONE, TARGET).epsilon
    return Prices(question, found, one_by_one)


def price(value: float) -> str:
    """An ε with two digits."""
    return plain(value, 3 if value < 0.1 else 2 if value < 1 else 1)


def many(question: str) -> str:
    """How many numbers a set has."""
    m = QUESTIONS[question].size
    return f"{m} number" if m == 1 else f"{m} numbers"


def about(times: float) -> str:
    """A factor without more digits than 5,000 releases can tell."""
    return whole(times) if times >= 2.5 else f"{times:.1f}"


def ask(_: Prices) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Percentiles are 99 numbers. How much more ε than one?",
        f"Target: no quantile off by more than {TARGET:g} % of the records, 19 times of 20.",
    )


def say(told: Prices) -> Sentences:
    """The price of the chosen set against that of the median."""
    listed = ", ".join(f"{name} {price(value)}" for name, value in told.prices.items())
    count = many(told.chosen)
    if told.chosen == "median":
        head = f"One number costs :blue[ε = {price(told.price)}]."
    else:
        head = f"{count} cost :blue[about {about(told.times(told.chosen))} times] what one costs."
    apart = f"one by one {price(told.one_by_one)}, about {whole(told.times_one_by_one)} times"
    return Sentences(head, f"{listed[0].upper()}{listed[1:]}; {apart}.")


def finding(told: Prices) -> str:
    """What the percentiles cost beside the median."""
    cost, one = price(told.prices["percentiles"]), price(told.prices["median"])
    return f"ε = {cost} against {one}, about {about(told.times('percentiles'))} times"


def apart() -> str:
    """What is said to somebody who asked for them one by one."""
    times = whole(numbers("percentiles").times_one_by_one)
    return f"One by one is even about {times}: ε is split and every answer must be better."


def alt(told: Prices) -> str:
    """The picture in words."""
    return f"Four cards with growing price bars: {', '.join(map(price, told.prices.values()))}."


def marks(told: Prices, beat: Beat, screen: Screen) -> list[Mark]:
    """Four cards; after the guess each has its price as a bar."""
    asked, bar = screen.said(((0.2, 0.4), (0.45, 0.93)), ((0.55, 0.97), (0.03, 0.8)))
    found: list[Mark] = [
        frames.axis("price", "x", (0, HIGHEST), At(bar[0]), At(bar[1])),
        frames.axis("share", "x", (0, 1), At(asked[0]), At(asked[1])),
        frames.axis("one", "y", (0, 1), At(1), At()),
    ]
    for i, question in enumerate(told.prices):
        found += _card(told, question, i * ROW, beat, screen)
    if beat == "predict":
        return found
    for i, question in enumerate(told.prices):
        found += _price(told, question, i * ROW, 250.0 * i, screen)
    return found


def _card(told: Prices, question: str, top: float, beat: Beat, screen: Screen) -> list[Mark]:
    """The frame, the name, and what is asked as dots from the lowest person to the highest."""
    chosen = question == told.chosen and beat != "predict"
    corners = (At(0, 2), At(top + GAP)), (At(1, -2), At(top + ROW - GAP))
    quantiles = QUESTIONS[question].tolist()
    down, beside = screen.said((0.12, ROW / 2), (0.08, 0.075))
    left, middle = At(0.025), top + beside
    count = frames.label(f"{question} count", (left, At(top + 0.19)), many(question),
                         colour="second")  # fmt: skip
    line = On("share", 0), On("share", 1)
    return [
        findings.frame(f"{question} card", *corners, colour="ink" if chosen else "hairline"),
        figure(f"{question} name", (left, At(top + down)), question, size=screen.size(22)),
        *screen.full(count),
        frames.rule(f"{question} line", *((x, At(middle)) for x in line), width=1, colour="grain"),
        people.points(f"{question} asked", ("share", "one"), quantiles,
                      [1 - middle] * len(quantiles), radius=screen.px(3), colour="private"),
    ]  # fmt: skip


def _price(told: Prices, question: str, top: float, start: float, screen: Screen) -> list[Mark]:
    """The price bar, its number, and how many times the median's it is."""
    value, chosen = told.prices[question], question == told.chosen
    at, under = screen.said((0.1, 0.2), (0.15, 0.218))
    y, size = At(top + at), 30 if chosen else 22
    number = On("price", value, screen.px(14)), At(y.share, 0.4 * screen.size(size))
    found = [
        after(frames.rule(f"{question} bar", (On("price", 0), y), (On("price", value), y),
                          width=screen.px(28), colour="private"), start, 500),
        after(figure(f"{question} price", number, price(value), size=screen.size(size),
                     colour="private"), start + 500),
    ]  # fmt: skip
    if question != "median":
        words = f"{about(told.times(question))} times the median"
        below = On("price", 0), At(top + under)
        ratio = frames.label(f"{question} times", below, words,
                             colour="ink" if chosen else "second")  # fmt: skip
        found.append(after(ratio, start + 700))
    return found


SCENE = Scene(
    story="try",
    name="questions",
    title="Pick the question",
    seconds=60,
    goal="Ask for what you need; more numbers cost more.",
    question="Target: no quantile off by more than 1 % of the records, 19 times of 20. Percentiles "
    "are 99 numbers, asked in halves; the median is 1. How much more ε?",
    ask=ask,
    options=options(
        ("The same", "M7"),
        ("About 10 times, the root of 99", "M7"),
        ("About 27 times", None),
        ("99 times, one by one", "M7", apart()),
    ),
    about="99 percentiles against one median",
    finding=finding,
    control=Control("at", "Question", tuple(QUESTIONS), "deciles", str, revealed="percentiles"),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Asking in halves makes many quantiles cheaper than one by one, but not free. "
    "Every round needs its share, and every quantile is one more chance to miss. Take quartiles if "
    "quartiles will be printed.",
    full=("quantiles", {"data": needs.SALARIES, "set": "deciles"}),
    teacher="A difference of two releases is a third statistic you get free, error included. The "
    "prices are found on the records only because this set is public; for an upload they come "
    "from a stand-in.",
    alt=alt,
    exercise="Exam marks, 6,000, deciles?",
    answer="0.37 (0.35–0.38): 2.5 times fewer records, twice the ε of the salaries.",
)
