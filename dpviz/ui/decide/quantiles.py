"""Quantiles as the sentence is about them: about at first, checked within seconds, then released.

Of a file nothing goes into an answer but what is declared; a sample is answered on itself.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from dpviz import catalogue
from dpviz.answers.decide import needs, price_said, quantile_buys, quantiles
from dpviz.answers.decide.budget import unfolded
from dpviz.answers.decide.budget.rail import RailNumbers
from dpviz.answers.decide.budget.unfolded import UnfoldedNumbers
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.decide.quantile_buys_said import BuysNames, StandIn, say
from dpviz.answers.decide.quantiles import Checked, QuantilesQuestion, Sampled
from dpviz.answers.decide.sentences import SETS
from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet, parse_quantiles
from dpviz.core.releases import QuantileRelease
from dpviz.experiments.planning import decide_curves
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.experiments.planning.shaped import Shape
from dpviz.figures.decide.buys import buys as buys_picture
from dpviz.ui.decide import checking, stand_ins, words
from dpviz.ui.decide.final import Final
from dpviz.ui.decide.topics import Shown
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import draw_of_visit, purpose_of
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.model.fields import Values
from dpviz.ui.visit.page import Visit

FOR_ANY = decide_curves.SIZES[1]  # people that answers are reckoned on where nobody said how many
CHECKED, REHEARSED = "decide checked", "decide rehearsed"


@dataclass(frozen=True, eq=False)
class QuantilesTopic:
    """The question, with stored curves or with those that a check has measured."""

    now: Visit
    values: Values
    form: QuantilesQuestion
    stand_in: StandIn | None = None

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """Everything public that an answer hangs on."""
        one = self.form
        asked = tuple(one.quantiles.distinct.tolist())
        budget = one.budget.resized(1.0)
        return (asked, one.people, one.source, budget, one.neighbours, one.only_exact)

    def price(self, need: Need) -> Price:
        """What a need takes. Raises: InvalidParameter for a need that cannot be asked."""
        if refused := quantiles.refused(need, self.form.source, self.form.quantiles):
            raise InvalidParameter(refused)
        return self._price(need, None)

    def bought(self, size: float, need: Need) -> Price:
        """What a budget buys."""
        return self._price(Need(0.0, need.unit, need.sure), size)

    def _price(self, need: Need, size: float | None) -> Price:
        found = self._checked(need, size)
        if found is not None:
            return found.price
        name = (CHECKED, "first", self.key, need, size)
        first: Price = self._kept(name, partial(quantiles.first, self.form, need, size))
        return first

    def _checked(self, need: Need, size: float | None) -> Checked | None:
        name = (CHECKED, self.key, need, size)
        if not (name in PUBLIC if self.is_sample else memory.holds(name)):
            return None
        found: Checked = self._kept(name, lambda: quantiles.check(self.form, need, size))
        return found

    def _checked_of(self, found: Price) -> Checked | None:
        return self._checked(*_asked_by(found))

    def is_checked(self, found: Price) -> bool:
        """Whether a check of this answer has ended, even where it could not settle the last digit."""
        return self._checked_of(found) is not None

    def check(self, found: Price) -> None:
        """Measure an answer that was read from stored curves, beside the page.

        Of a sample once for everybody: whoever asks for the same waits for it.
        """
        need, size = _asked_by(found)
        name, form = (CHECKED, self.key, need, size), self.form

        def work(progress: quantiles.Progress) -> Checked:
            return quantiles.check(form, need, size, progress)

        def shared(progress: quantiles.Progress) -> Checked:
            return PUBLIC.get(name, lambda: work(progress))

        def keep(checked: Checked) -> None:
            self._kept(name, lambda: checked)

        checking.watch(name, shared if self.is_sample else work, keep)

    def _kept(self, name: tuple[Hashable, ...], work: Callable[[], Any]) -> Any:
        """Of a sample for everybody; of a file for this visit, though nothing of it is in there."""
        return PUBLIC.get(name, work) if self.is_sample else memory.remembered(name, work)

    @property
    def is_sample(self) -> bool:
        """Whether it is computed on a public sample."""
        return isinstance(self.form.source, Sampled)

    @property
    def count(self) -> int:
        """How many numbers are promised at once."""
        return self.form.quantiles.count

    def words(self, way: str) -> str:
        """A method in words."""
        return {kind.name: kind.card.words for kind in catalogue.QUANTILES}[way]

    def basis(self, found: Price, *, brief: bool = False) -> str:
        """What the answer is reckoned on, and the need in places."""
        if brief:
            return "on the sample" if self.is_sample else "on made-up values. Nothing is spent"
        on = price_said.ON_SAMPLE
        if not self.is_sample:
            on = f"Reckoned on made-up {words.column_name()}, never on your file."
        places = None if found.need.unit == needs.PLACES else self._places(found)
        return price_said.ranked(on, places, self.form.people)

    def percent(self, found: Price) -> float | None:
        """The need in per cent of the places; None where it is no whole place, or no budget keeps it."""
        need = found.need
        if need.unit == needs.SHARE:
            return need.amount
        places = need.amount if need.unit == needs.PLACES else self._places(found)
        return 100 * places / self.form.people if places else None

    def _places(self, found: Price) -> int | None:
        return quantiles.in_places(self.measured(found), found)

    def measured(self, found: Price) -> QuantilesQuestion:
        """The question with the curves of the check, once there was one."""
        checked = self._checked_of(found)
        return self.form if checked is None else checked.question

    def unfolded(self, found: Price, on: RailNumbers) -> UnfoldedNumbers | None:
        """How far off the methods are along a rail, by the curves that the answer was read from."""
        return unfolded.answer(self.measured(found), found, on)

    def spread(self, found: Price) -> tuple[float, float] | None:
        """The answers for values that lie nearer together, and less near."""
        equal, less = quantiles.by_spread(self.form, found)
        return None if equal is None or less is None else (equal, less)

    def final(self, found: Price) -> Final:
        """The release that the button would make."""
        assert found.size is not None
        column, asked = session.column(), self.form.quantiles
        budget = self.now.budget.resized(found.size)
        mechanism = with_settings(self.form.neighbours, budget, None, None)[found.chosen.key]
        purpose = purpose_of(mechanism, column, tuple(asked.asked.tolist()), budget)
        return Final(
            draw_of_visit(),
            purpose,
            budget,
            lambda rng: mechanism.release(column, asked, budget, rng),
            f"released-{mechanism.name}",
        )

    def shown(self, found: Price, released: QuantileRelease | None) -> Shown:
        """One possible release, or the one that was made."""
        is_true = session.shows_truth() and (self.is_sample or released is not None)
        numbers = self.buys(found, released, session.column() if is_true else None)
        names = self._names(found)
        said = say(numbers, names)
        return Shown(
            said.headline, said.second, buys_picture(numbers, names, self.now.look), said.alt
        )

    def buys(
        self, found: Price, released: QuantileRelease | None, truth: Column | None = None
    ) -> QuantileBuys:
        """The numbers of one possible release, or of the one that was made; truth while shown."""
        rehearsal = self._rehearsal(found)
        assert rehearsal is not None
        if released is None:
            return quantile_buys.rehearsed(self.form, found, rehearsal, truth)
        made: QuantileBuys = self._released(found, rehearsal, released, truth).buys
        return made

    def _released(self, found: Price, rehearsal: Any, release: Any, truth: Any) -> Any:
        name = (REHEARSED, "released", release.to_json(), found.need, truth is None)
        make = partial(quantile_buys.released, self.form, found, rehearsal, release, truth)
        return memory.remembered(name, make)

    def _rehearsal(self, found: Price) -> Any:
        checked = self._checked_of(found)
        if checked is not None and checked.rehearsal is not None:
            return checked.rehearsal
        name = (REHEARSED, self.key, found.need, found.size, found.chosen.key)
        return self._kept(name, partial(quantiles.rehearse, self.form, found))

    def came(self, found: Price, released: QuantileRelease) -> str:
        """What the release is off by, as text in the need's unit; empty where nothing tells it."""
        came = self.off(found, released)
        return "" if came is None else words.rounded_of(came, found.need.unit)

    def off(self, found: Price, released: QuantileRelease) -> float | None:
        """What the release is off by, in the need's unit; None where nothing tells it."""
        came: float | None = self._released(found, self._rehearsal(found), released, None).came
        return came

    def _names(self, found: Price) -> BuysNames:
        spoken = session.words()
        return BuysNames(
            spoken.people,
            spoken.unit,
            spoken.at_most[0],
            words.column_name(),
            words.amount_of(price_said.asked(found), found.need.unit),
            often_words(found.need.sure),
            self.is_sample,
            self.stand_in,
            price_said.line_name(found, self.now.budget.symbol),
        )


def _asked_by(found: Price) -> tuple[Need, float | None]:
    """What an answer was asked by: a need, or a budget with a need of no amount yet."""
    if found.is_given:
        return Need(0.0, found.need.unit, found.need.sure), found.size
    return found.need, None


def topic(values: Values, now: Visit, budget: Budget | None = None) -> QuantilesTopic:
    """What the sentence asks; budget is of the notion, that of the visit by default.

    Raises: DpvizError for words that no question can have.
    """
    size = session.declared("size")
    people = max(1, round(FOR_ANY if size is None else size))
    source, stand_in = _source()
    form = quantiles.question(
        asked(values),
        people,
        source,
        budget or now.budget,
        session.neighbours(),
        only_exact=session.is_upload(),
    )
    return QuantilesTopic(now, values, form, stand_in)


def asked(values: Values) -> QuantileSet:
    """The quantiles of the first word. Raises: InvalidQuantiles for own ones that cannot be read."""
    if values["what"] in SETS:
        return QuantileSet.of(SETS[values["what"]])
    return QuantileSet.of(parse_quantiles(values["own"]))


def _source() -> tuple[Shape | Sampled, StandIn | None]:
    """A sample, or the shape of a file that is publicly assumed."""
    if session.is_upload():
        return stand_ins.shape()
    bounds = session.declared_bounds()
    step = session.declared_step(bounds)
    axis = session.axis_options().index(session.unit())
    return Sampled(session.chosen_sample().key, bounds, step, axis), None
