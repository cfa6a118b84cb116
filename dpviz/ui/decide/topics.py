"""What the sentence can be about, one row each: the question, what it buys, and how it is released."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpviz.answers.decide import price_said
from dpviz.answers.decide.budget import unfolded
from dpviz.answers.decide.budget.rail import RailNumbers
from dpviz.answers.decide.budget.unfolded import UnfoldedNumbers
from dpviz.answers.decide.exact import cells, count, curve, histogram, running
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.price import Need, Price, bought, price
from dpviz.answers.decide.sentences import (
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    QUANTILES,
    RUNNING,
    form_of,
)
from dpviz.answers.said import Line
from dpviz.core.errors import InvalidParameter
from dpviz.figures.decide.cells import cells_picture
from dpviz.figures.decide.count import count_picture
from dpviz.figures.decide.curve import curve_picture, running_picture
from dpviz.figures.decide.histogram import histogram_picture
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.ui.decide import stand_ins, words
from dpviz.ui.decide.final import Final
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import draw_of_visit, purpose_of
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial.sides import dots_of
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.visitor import selection

BOTH = ("low", "high")
# what has to be declared before there is an answer
NEEDS: dict[str, tuple[str, ...]] = {
    QUANTILES: (*BOTH, "size"),
    COUNT: (),
    HISTOGRAM: BOTH,
    CURVE: BOTH,
    CELLS: BOTH,
    RUNNING: BOTH,
}
PICTURE, FRAME = "decide", "decide_frame"  # the chart's key; where the frame of a map begins


@dataclass(frozen=True, slots=True)
class Shown:
    """What a budget buys: sentences, and the picture with its words."""

    finding: Line
    second: Line
    picture: Picture | None = None
    alt: str = ""
    selects: Callable[[], None] | None = None  # takes over a rectangle that was drawn


@dataclass(frozen=True, eq=False)
class Topic:
    """One form of the sentence with its words: answered by exact laws of the noise alone."""

    now: Visit
    values: Values
    module: Any
    form: Any
    draw: Callable[[Any, Names, Look], Picture]

    def price(self, need: Need) -> Price:
        """What a need takes."""
        return memory.remembered((self.form, need), lambda: price(self.form, need))

    def bought(self, size: float, need: Need) -> Price:
        """What a budget buys."""
        return memory.remembered(
            (self.form, size, need.unit, need.sure), lambda: bought(self.form, size, need)
        )

    def unfolded(self, found: Price, on: RailNumbers) -> UnfoldedNumbers | None:
        """How far off the methods are along a rail."""
        name = ("unfolded", self.form, found.need, found.size, on.low, on.high)
        return memory.remembered(name, lambda: unfolded.answer(self.form, found, on))

    @property
    def count(self) -> int:
        """How many numbers are promised at once: those of a curve or a map are one picture."""
        return int(getattr(self.form, "bins", 1))

    def words(self, way: str) -> str:
        """A method in words."""
        return str(self.form.words(way))

    def basis(self, _: Price, *, brief: bool = False) -> str:
        """What the answer is reckoned on."""
        if brief:
            return "the noise alone"
        return price_said.NO_STAND_IN

    def spread(self, _: Price) -> tuple[float, float] | None:
        """Answers for other shapes: these laws hang on none."""
        return None

    def data(self) -> Any:
        """The data in use. Raises: DpvizError with what is missing or wrong."""
        return session.points() if self.module is cells else session.column()

    def final(self, found: Price) -> Final:
        """The release that the button would make."""
        assert found.size is not None
        data, way, size = self.data(), found.chosen.key, found.size
        budget = self.now.budget.resized(size)
        sized = (size,) if self.module is cells else ()  # whose levels are split for it
        mechanism = self.form.mechanism(way, *sized)
        make = partial(self.module.release, self.form, data, way, size)
        purpose = purpose_of(mechanism, data, form_of(self.values["what"]), budget)
        return Final(draw_of_visit(), purpose, budget, make, f"released-{way}")

    def shown(self, found: Price, released: Any) -> Shown:
        """One possible release, or the one that was made; of a file nothing before that."""
        is_file, truth = session.is_upload(), session.shows_truth()
        data = None if is_file and not (truth and released is not None) else self.data()
        rng: Any = None
        if released is None and data is not None:
            final = self.final(found)
            rng = final.draw.randomness(final.purpose)
        others = self._others()
        numbers = self.module.buys(
            self.form, found, data, rng, released=released, is_true=truth, **others
        )
        names = self.names(found)
        said = self.module.said(numbers, names)
        picture = self.draw(numbers, names, self.now.look)
        selects = partial(_take_frame, self.form) if self.module is cells else None
        return Shown(said.headline, said.second, picture, said.alt, selects)

    def _others(self) -> dict[str, Any]:
        """Made-up people in place of a file's, for the forms that show people; where a frame is."""
        if self.module is cells:
            return {"at": _frame_at(self.form)}
        if not session.is_upload() or self.module is count:
            return {}
        return {"stand_in": stand_ins.column(self.form.people)}

    def came(self, found: Price, _: Any) -> str:
        """What the release is off by: as exact as was promised."""
        assert found.off is not None
        return words.rounded_of(found.off, found.need.unit)

    def is_checked(self, _: Price) -> bool:
        """Whether nothing more can be measured."""
        return True

    def check(self, _: Price) -> None:
        """Exact laws need no check."""

    def names(self, found: Price) -> Names:
        """How people, values and the amount of the sentence are spoken of."""
        spoken, line = session.words(), price_said.line_name(found, self.now.budget.symbol)
        people = spoken.people
        return Names(people.one, people.many, words.column_name(), spoken.unit.many, line=line)


def _people() -> int | None:
    size = session.declared("size")
    return None if size is None else max(1, round(size))


def _exact(
    module: Any, question: Any, draw: Callable[..., Picture], of: Callable[[Values], dict[str, Any]]
) -> Callable[[Values, Visit], Topic]:
    """A form of exact laws; of is what its question hangs on besides budget, people and neighbours."""

    def topic(values: Values, now: Visit) -> Topic:
        shared = {"budget": now.budget, "neighbours": session.neighbours(), "people": _people()}
        return Topic(now, values, module, question(**of(values), **shared), draw)

    return topic


def _cells(values: Values, now: Visit) -> Topic:
    points = session.points()
    if points is None:
        raise InvalidParameter("A map needs two columns. Choose the second one on the Data page.")
    shown = dots_of(points, now.look.ink.truth) if session.shows_truth() else ""
    draw = partial(cells_picture, dots=shown)
    asked = {"box": points.box, "side": values["side"], "block": values["block"]}
    return _exact(cells, cells.CellsQuestion, draw, lambda _: asked)(values, now)


def _frame_at(form: cells.CellsQuestion) -> tuple[int, int] | None:
    """The cell that the frame begins at, where somebody has moved it; inside the map."""
    at: tuple[int, int] | None = state.store().get(FRAME)
    last = form.side - form.block
    return None if at is None else (min(at[0], last), min(at[1], last))


def _take_frame(form: cells.CellsQuestion) -> None:
    """Move the frame to where a rectangle was drawn: their middles are one."""
    for drawn in selection(PICTURE)["boxes"][-1:]:
        state.put(FRAME, frame_of(form, drawn))


def frame_of(form: cells.CellsQuestion, drawn: Mapping[str, Any]) -> tuple[int, int]:
    """The lower left cell of the block whose middle is nearest to that of a rectangle."""
    found = []
    for name, side in (("x", form.box.x), ("y", form.box.y)):
        ends = list(drawn[name])
        middle = (ends[0] + ends[-1]) / 2
        cell = (middle - side.low) / side.width * form.side - form.block / 2
        found.append(min(max(round(cell), 0), form.side - form.block))
    return found[0], found[1]


def _bounded(**others: Any) -> dict[str, Any]:
    return {"bounds": session.declared_bounds(), **others}


TOPICS: dict[str, Callable[[Values, Visit], Topic]] = {
    COUNT: _exact(
        count, count.CountQuestion, count_picture, lambda values: {"above": values["over"]}
    ),
    HISTOGRAM: _exact(
        histogram, histogram.HistogramQuestion, histogram_picture,
        lambda values: _bounded(bins=values["bins"]),
    ),
    CURVE: _exact(
        curve, curve.CurveQuestion, curve_picture,
        lambda _: _bounded(
            step=session.declared_step(session.declared_bounds()), is_secure=session.is_upload()
        ),
    ),
    CELLS: _cells,
    RUNNING: _exact(
        running, running.RunningQuestion, running_picture,
        lambda values: _bounded(periods=values["periods"], is_secure=session.is_upload()),
    ),
}  # fmt: skip
