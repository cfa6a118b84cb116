"""One person, second view: the exact densities of a private quantile with and without them."""

from dataclasses import dataclass

from dpviz.answers.number_text import in_digits
from dpviz.answers.privacy import one_quantile, one_quantile_said
from dpviz.answers.privacy.one_quantile import QuantileOdds
from dpviz.answers.privacy.one_quantile_said import QuantileOf
from dpviz.answers.said import Said
from dpviz.core.confidential import confidential
from dpviz.core.errors import DpvizError
from dpviz.experiments.privacy.loss import Loss
from dpviz.experiments.privacy.loss_view import loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.privacy.one_quantile import quantile_picture
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.tables import facts
from dpviz.ui.model.fields import Field, OneOf, Values, same
from dpviz.ui.model.render import View
from dpviz.ui.understand import people, questions, rows
from dpviz.ui.understand.people import Person, pair_of, spreads_ties
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Visit

OUTPUTS, WHOLE = "where outputs fall", "the whole range"
MADE_UP = "Exact densities on a made-up column. Nothing of the data is on screen."
RANGE = Field(
    "n_range", "Show", OneOf(same(OUTPUTS, WHOLE), "segments"), OUTPUTS, "expert",
    "Outputs beyond the first range are rare; the limit holds for them all the same.",
    when=lambda values: values["view"] == "quantile",
)  # fmt: skip


@confidential("asked")
@dataclass(frozen=True, slots=True, eq=False)
class QuantileCase:
    """A private quantile, whoever makes the difference, and both laws."""

    asked: Asked
    who: Person
    pair: Pair
    loss: Loss

    @property
    def query(self) -> QuantileQuery:
        """Which quantile."""
        assert isinstance(self.asked.query, QuantileQuery)
        return self.asked.query

    @property
    def name(self) -> str:
        """What it is called."""
        return questions.quantile_name(self.query.quantile)


def case_of(values: Values, now: Visit) -> QuantileCase | None:
    """What is asked, and of whom."""
    asked = questions.asked(rows.QUANTILE, values, now.budget, hides=not now.truth)
    if asked is None:
        return None
    who = attempt(lambda: people.person(asked.query, asked.column, values))
    pair = attempt(lambda: pair_of(asked, who.change)) if who else None
    if who is None or pair is None:
        return None
    return QuantileCase(asked, who, pair, asked.query.loss(pair, asked.budget))


def _spreads(values: Values) -> bool:
    """Whether another draw spreads ties in another way: of data that are on screen."""
    try:
        column = questions.column_in_use() if values["truth"] else None
    except DpvizError:  # said where the picture would stand
        return False
    return column is not None and spreads_ties(questions.query_of(rows.QUANTILE, values), column)


def _numbers(case: QuantileCase, _: Values) -> QuantileOdds:
    asked = case.asked
    hides = asked.is_made_up or asked.column.n == 0
    true = None if hides else float(asked.query.truth(asked.column))
    return one_quantile.answer(case.loss, asked.claim().epsilon, true)


def _say(case: QuantileCase, found: QuantileOdds) -> Said:
    asked, then = case.asked, MADE_UP
    if not asked.is_made_up:
        then = one_quantile_said.second(
            case.query.neighbours,
            session.words().people.one,
            spreads=spreads_ties(asked.query, asked.column),
            tied=asked.column.tied,
        )
    true = "" if found.true is None else in_digits(found.true)
    of = QuantileOf(case.name, case.who.who, case.who.replaced)
    return one_quantile_said.say(found, of, then, asked.budget, true)


def _draw(case: QuantileCase, found: QuantileOdds, values: Values, look: Look) -> Picture:
    loss = case.loss
    view = outputs_span(loss)
    if values["n_range"] == WHOLE:
        view = float(loss.at[0]), float(loss.at[-1])
    marks = () if case.asked.is_made_up else _marks(case, found)
    view = _with_truth(view, marks)
    curves = loss_curves(loss, view)
    names = case.who.names
    return quantile_picture(curves, view, found.epsilon, names, look, what=case.name, marks=marks)


def _with_truth(
    view: tuple[float, float], marks: tuple[tuple[str, float], ...]
) -> tuple[float, float]:
    """The stretch that is shown, wide enough for the true number, with room for its name."""
    true = [at for name, at in marks if name.startswith("true ")]
    low, high = min([view[0], *true]), max([view[1], *true])
    room = 0.05 * (high - low)
    return (low - room if low < view[0] else low), (high + room if high > view[1] else high)


def _marks(case: QuantileCase, found: QuantileOdds) -> tuple[tuple[str, float], ...]:
    """The true number, and where somebody leaves or comes. Confidential."""
    pair = case.pair
    places = ((f"true {case.name}", found.true), ("leaves", pair.removed), ("comes", pair.added))
    return tuple((name, at) for name, at in places if at is not None)


VIEW: View[QuantileCase, QuantileOdds] = View(
    "quantile", "A quantile", _numbers, say=_say, draw=_draw, hero="quantile", kept="run",
    saved=False, badge=lambda case: not case.asked.is_made_up,
    draws=_spreads, draw_label="New spread",
    behind=lambda shown: facts(
        one_quantile_said.facts(shown.numbers, shown.asked.asked.budget)
    ),
)  # fmt: skip
