"""Quantiles of several columns of a file: the same words hold for all, and their budgets add up."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dpviz.answers.decide import together
from dpviz.answers.decide.budget import unfolded
from dpviz.answers.decide.budget.rail import RailNumbers
from dpviz.answers.decide.budget.unfolded import UnfoldedNumbers
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.quantile_buys_said import in_each, of_columns
from dpviz.core.budgets import Budget, compose
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Randomness
from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.ui.decide import quantiles, words
from dpviz.ui.decide.final import Final
from dpviz.ui.decide.quantiles import QuantilesTopic
from dpviz.ui.decide.topics import Shown
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import draw_of_visit, prepared
from dpviz.ui.model.fields import Values
from dpviz.ui.visit.page import Visit


@dataclass(frozen=True, eq=False)
class Together:
    """The question about one of the columns, which is about each; prices are of all of them."""

    one: QuantilesTopic
    columns: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        """What does not hang on the budget is that of one column."""
        return getattr(self.one, name)

    def price(self, need: Need) -> Price:
        """What a need takes for all columns."""
        return together.price_of(self.one.price(need), len(self.columns))

    def bought(self, size: float, need: Need) -> Price:
        """What a budget for all columns buys of each."""
        each = together.parts_of(size, len(self.columns))[0]
        return together.price_of(self.one.bought(each, need), len(self.columns), size)

    def alone(self, found: Price) -> Price:
        """The price of one column that a price of all is made of."""
        if not found.is_given:
            return self.one.price(found.need)
        assert found.size is not None
        return self.one.bought(together.parts_of(found.size, len(self.columns))[0], found.need)

    def basis(self, found: Price, *, brief: bool = False) -> str:
        """What the answer is reckoned on, and that the budgets of the columns add up."""
        said = self.one.basis(self.alone(found), brief=brief)
        if brief or found.size is None:
            return said
        sizes = together.parts_of(found.size, len(self.columns))
        return f"{said} {together.stated(sizes, self.one.form.budget.symbol)}"

    def percent(self, found: Price) -> float | None:
        """The need, which is one of each column, in per cent of the places."""
        return self.one.percent(self.alone(found))

    def lead(self, found: Price) -> str:
        """What stands before the sum in the sentence."""
        each = self.alone(found).size
        return "" if each is None or found.is_given else together.lead(each, len(self.columns))

    def is_checked(self, found: Price) -> bool:
        """Whether a check of this answer has ended: it is one for all columns."""
        return self.one.is_checked(self.alone(found))

    def check(self, found: Price) -> None:
        """Measure an answer beside the page."""
        self.one.check(self.alone(found))

    def spread(self, found: Price) -> tuple[float, float] | None:
        """The answers for other shapes."""
        ends = self.one.spread(self.alone(found))
        if ends is None:
            return None
        low, high = (together.whole_of(one, len(self.columns)) for one in ends)
        return low, high

    def unfolded(self, found: Price, on: RailNumbers) -> UnfoldedNumbers | None:
        """How far off the methods are along a rail of the budget for all columns."""
        form: Any = together.Shared(self.one.measured(self.alone(found)), len(self.columns))
        return unfolded.answer(form, found, on)

    def final(self, found: Price) -> Final:
        """The release of all columns that the button would make."""
        assert found.size is not None
        whole = self.one.now.budget.resized(found.size)
        budgets = together.budgets_of(whole, len(self.columns))
        columns = {name: _column(name) for name in self.columns}
        data = tuple((name, *prepared(one)) for name, one in columns.items())
        asked = tuple(self.one.form.quantiles.asked.tolist())
        purpose = ("together", found.chosen.key, data, asked, budgets)
        make = partial(self._release, found.chosen.key, columns, budgets)
        return Final(draw_of_visit(), purpose, whole, make, f"released-{found.chosen.key}")

    def _release(
        self, way: str, columns: dict[str, Column], budgets: tuple[Budget, ...], rng: Randomness
    ) -> Any:
        made = {}
        for (name, column), budget in zip(columns.items(), budgets, strict=True):
            mechanism = with_settings(self.one.form.neighbours, budget, None, None)[way]
            made[name] = mechanism.release(column, self.one.form.quantiles, budget, rng)
        return ProfileRelease(made, compose([one.spent for one in made.values()]))

    def shown(self, found: Price, released: Any) -> Shown:
        """A number of each column; the picture is of the one that the sentence names first."""
        alone = self.alone(found)
        if released is None:
            shown = self.one.shown(alone, None)
            return replace(
                shown,
                finding=in_each(shown.finding.full, len(self.columns)),
                alt=in_each(shown.alt, len(self.columns)).full,
            )
        listed: dict[str, QuantileRelease] = released.releases
        said = of_columns({name: self.one.buys(alone, one) for name, one in listed.items()})
        shown = self.one.shown(alone, listed[self.columns[0]])
        alt = f"{said.alt} {shown.alt}"
        return replace(shown, finding=said.headline, second=said.second, alt=alt)

    def came(self, found: Price, released: ProfileRelease | QuantileRelease) -> str:
        """What one column is off by, or of all of them the one that is off most."""
        alone = self.alone(found)
        listed = {"": released} if isinstance(released, QuantileRelease) else released.releases
        each = [self.one.off(alone, one) for one in listed.values()]
        known = [one for one in each if one is not None]
        return words.rounded_of(max(known), found.need.unit) if known else ""


def topic(values: Values, now: Visit) -> QuantilesTopic | Together:
    """What the sentence asks of one column or of several. Raises: as quantiles.topic does."""
    others = words.others()
    if not others:
        return quantiles.topic(values, now)
    columns = (session.unit(), *others)
    least = together.budgets_of(now.budget, len(columns))[0]
    return Together(quantiles.topic(values, now, least), columns)


def _column(name: str) -> Column:
    own = session.upload()
    assert own is not None
    step = float(session.declared("resolution") or 0.0)
    return session.own_column(own, name, session.declared_bounds(), step)
