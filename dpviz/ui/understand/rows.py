"""Rows that One person, Budget and Audit share: what is asked, the person, the noise, and δ.

Three pages share questions and people, so that what is chosen on one holds on the others.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dpviz.answers.trees.names import NOISE_NAMES
from dpviz.core.budgets import ApproxDP, Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, Number, OneOf, Values, Whole, same
from dpviz.ui.model.render import Page
from dpviz.ui.understand import declared
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

LINE, LOWEST, MIDDLE, HIGHEST, AT_RANK = "line", "least", "median", "greatest", "at a rank"
LEAVES, JOINS = "removed", "added"
LOWER, UPPER, ANY = "lower bound", "upper bound", "a value"
OVER, UP_TO = "over", "up to"
COUNT, QUANTILE, TREE = "count", "quantile", "tree"
ASKS = {COUNT: "A count", QUANTILE: "A quantile"}
SIDES = {OVER: "over it", UP_TO: "at most it"}
PEOPLE = {
    LINE: "at the line",
    LOWEST: "the least",
    MIDDLE: "the middle",
    HIGHEST: "the greatest",
    AT_RANK: "at a rank",
}
NOISES = {one: NOISE_NAMES[one] for one in (
    Noise.DISCRETE_LAPLACE, Noise.DISCRETE_GAUSSIAN, Noise.LAPLACE, Noise.GAUSSIAN,
)}  # fmt: skip
WAYS = {LEAVES: "leaves", JOINS: "joins"}
SHARES = {LOWEST: 0, MIDDLE: 50, HIGHEST: 100}  # per cent of the people below whoever is chosen
FIRST_DELTA = 1e-6
MENDED = "The picture returns once this is mended."
Test = Callable[[Values], bool]
Group = tuple[Field, ...]


def called(words: Mapping[Any, str], among: Callable[[Values], Iterable[Any]] | None = None) -> Any:
    """What the screen calls options by words and links by their own names; among are those of now."""
    return {
        "options": {one: str(one) for one in words},
        "shown": lambda one, _: words[one],
        "among": None if among is None else lambda values: list(among(values)),
    }


def segments(
    words: Mapping[Any, str], among: Callable[[Values], Iterable[Any]] | None = None
) -> OneOf:
    """Options side by side."""
    return OneOf(shape="segments", **called(words, among))


def known(now: Visit) -> Values:
    """What the rows look at besides each other."""
    return {"budget": now.budget, "truth": now.truth, "relation": session.neighbours()}


def page_of(**own: Any) -> Page[Any]:
    """A page of this room; own is what it has for itself."""
    return Page(
        known=known,
        missing_why=MENDED,
        refused=MENDED,
        question_tab="Question",
        data_last=True,
        steady=True,
        first_data=declared.FIRST_DATA,
        epsilon=1.0,
        rho=0.1,
        **own,
    )


def asks(key: str, words: Mapping[str, str], then: Callable[[Any], None] | None = None) -> Group:
    """Which number is published."""
    return (Field(key, "What is published", segments(words), COUNT, "question", then=then),)


def question(kind: Callable[[Values], str]) -> tuple[Group, ...]:
    """The line of a count, or which quantile."""
    return (
        (Field("n_quantile", "Quantile", Number(0.001, 0.999, "%.3g", is_needed=True, step=0.05),
               0.5, "question", "q: a share q of the people lies below it. 0.5 is the median.",
               when=lambda values: kind(values) == QUANTILE),),
        (Field("n_line", "Line", Number(is_needed=True), first_line, "question",
               "Those are counted who lie over it, or at most at it. It is public: choose it "
               "without the data.", when=lambda values: kind(values) == COUNT, late=True,
               linked=lambda: session.link() is not None,
               kept=lambda: f"n_{session.scope()}_line"),
         Field("n_side", "Counted", segments(SIDES), OVER, "question",
               when=lambda values: kind(values) == COUNT)),
    )  # fmt: skip


def first_line(values: Values) -> float:
    """The public line of a count that suits the column's declaration."""
    return declared.line(is_middle=values["n_side"] == UP_TO)


class _Whom(OneOf):
    """Whose record it is; where no line is asked for, whoever was at it is the one at the top."""

    def fit(self, value: Any, values: Values) -> Any:
        return value if value in self._there(values) else HIGHEST


def replaces(values: Values) -> bool:
    """Whether one value changes, and nobody comes or goes."""
    return bool(values["relation"] is Neighbours.REPLACE_ONE)


def joins(values: Values) -> bool:
    """Whether one person more makes the difference."""
    return bool(values["n_way"] == JOINS) and not replaces(values)


def share(values: Values) -> int | None:
    """The rank that was chosen, in per cent; None for whoever is at the line."""
    whom = values["n_which"]
    return int(values["n_share"]) if whom == AT_RANK else SHARES.get(whom)


def person(kind: Callable[[Values], str], there: Test) -> tuple[Group, ...]:
    """Who joins or leaves, or whose value changes; at which value they come."""

    def first_where(values: Values) -> str:
        """On the other side than who was chosen.

        It never looks at the record, so that what it is at first, and what a change of it books,
        tell nothing of the data.
        """
        is_count, over = kind(values) == COUNT, values["n_side"] == OVER
        if not replaces(values):  # joins, and is counted
            return UPPER if over or not is_count else LOWER
        at = share(values)
        if at is None:  # is counted, and leaves the count
            return LOWER if over else UPPER
        return LOWER if at > (50 if is_count else 100 * values["n_quantile"]) else UPPER

    def leaves(values: Values) -> bool:
        return there(values) and not joins(values)

    def comes(values: Values) -> bool:
        return there(values) and (joins(values) or replaces(values))

    def whom(values: Values) -> list[str]:
        return [one for one in PEOPLE if one != LINE or kind(values) == COUNT]

    return (
        (Field("n_way", "One person", segments(WAYS), LEAVES, "question",
               "Two data sets are neighbours if one person more or less makes the difference. "
               "Expert has the other relation: one value changed.",
               when=lambda values: there(values) and not replaces(values)),),
        (Field("n_which", "Who leaves", _Whom(**called(PEOPLE, whom)), LINE, "question",
               when=leaves,
               worded=lambda values: "Whose value changes" if replaces(values) else "Who leaves"),),
        (Field("n_share", "Rank, in per cent of the people", Whole(0, 100, lambda _: range(101)), 25,
               "question", "0 is the least value, 100 the greatest; a share does not tell how many "
               "there are.",
               when=lambda values: leaves(values) and values["n_which"] == AT_RANK),),
        (Field("n_where", "At which value", OneOf(same(LOWER, UPPER, ANY)),
               first_where, "question", when=comes),),
        (Field("n_value", "Value", Number(is_needed=True), lambda _: declared.middle(), "question",
               "Clipped to the bounds like every value. It stands in no link.",
               when=lambda values: comes(values) and values["n_where"] == ANY,
               linked=lambda: False, kept=lambda: f"n_{session.scope()}_value"),),
    )  # fmt: skip


def noise(is_drawn: Test) -> Group:
    """The law of the noise on a count."""
    return (
        Field("n_noise", "Noise on the count", segments(NOISES), first_noise, "expert",
              when=is_drawn, then=_take_noise),
    )  # fmt: skip


def first_noise(values: Values) -> Noise:
    """Noise that suits the notion."""
    is_approx = isinstance(values["budget"], ApproxDP)
    return Noise.DISCRETE_GAUSSIAN if is_approx else Noise.DISCRETE_LAPLACE


def _take_noise(chosen: Noise) -> None:
    """Gaussian noise has no pure ε, Laplace noise no use for δ: take a notion that fits."""
    notion = state.get("notion")
    if chosen.gaussian and notion == "pure":
        state.put("notion", "zcdp")
    elif not chosen.gaussian and notion == "approx":
        state.put("notion", "pure")


def read_at(is_read: Test) -> Group:
    """The δ at which noise without a pure ε, or many answers, are read."""
    return (
        Field("n_at", "Read at δ",
              Number(1e-300, 1 - 1e-9, "%.3g", is_needed=True, step=1e-7),
              FIRST_DELTA, "expert", "The δ that ε is read at; choose it far below 1 / people.",
              when=lambda values: is_read(values) and not isinstance(values["budget"], ApproxDP),
              width=150),
    )  # fmt: skip
