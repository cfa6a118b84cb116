"""The releases behind the Quantiles page: computed once a draw, kept while other widgets move."""

import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.quantiles.answers import Writing
from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.descent import Run
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.quantiles.republish import likely_errors
from dpviz.reports.words import Told
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, Draw, prepared
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.process.ahead import AHEAD
from dpviz.ui.kit.process.shared import PUBLIC

BATCH, SLOW_BATCH = 10, 5  # runs between two looks at whether the visitor wants something else
SLOW = 0.02  # seconds a run from which on batches are small
WORTH_SAYING = 0.5  # seconds from which progress is shown
PATIENCE, FEWEST = 6.0, 20  # seconds that hills may take, and runs that they need at least
AT_ONCE = 0.5  # seconds that all runs may take together where nobody would want to stop them
TOGETHER_ON_FILE = 50  # runs of a batch on a file: more of them add batches to those that were made
BANDS = 3  # the stream of what is published again


@dataclass(frozen=True, eq=False)
class Question:
    """What every mechanism on the page is asked, and the draw that answers."""

    column: Column
    quantiles: QuantileSet
    budget: Budget
    draw: Draw

    @property
    def spent(self) -> Budget:
        """What a person spends; budget is a record's."""
        return self.draw.spent(self.budget)

    @cached_property
    def prepared(self) -> tuple[object, ...]:
        """What all purposes say of the column, looked up once."""
        return prepared(self.column)

    @cached_property
    def first_places(self) -> IntArray:
        """Where each distinct quantile stands among those asked."""
        return np.unique(self.quantiles.asked, return_index=True)[1]

    def purpose(self, mechanism: QuantileMechanism) -> tuple[object, ...]:
        """What the release of a mechanism is, in full; the same as draws.purpose_of."""
        return (mechanism, self.prepared, tuple(self.quantiles.asked.tolist()), self.budget)

    def book(self, mechanism: QuantileMechanism, *stream: int, times: int = 1) -> None:
        """Put a use on the account: each visitor pays, though a sample's release is made once.

        times is how many releases are made. Further runs are simulated: bands are shown beside the
        truth alone. Those on a sample are not booked; those on a file are.
        """
        what = label_of(mechanism.name) + (", runs for bands" if stream else "")
        cost = Cost(what, self.budget, times, simulated=bool(stream))
        paid = FREE if stream and not session.is_upload() else [cost]
        self.draw.book(self.purpose(mechanism), *stream, paid=paid)

    def wait(self, mechanism: QuantileMechanism) -> None:
        """Raises: NotAsked for a release of a file that nobody has asked for."""
        cost = Cost(label_of(mechanism.name), self.budget)
        self.draw.wait(self.purpose(mechanism), paid=[cost])

    def key(self, use: str, mechanism: QuantileMechanism) -> tuple[object, ...]:
        """The name of a result in the session's memory."""
        return (use, *self.purpose(mechanism), self.draw)


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """A release and the seconds it took."""

    release: QuantileRelease
    seconds: float


def told_of(mechanism: QuantileMechanism, release: QuantileRelease, asked: Question) -> Told:
    """What a report says of a release besides: what was measured, how exact the numbers are."""
    size = session.size()
    half = half_widths(mechanism, release, size, asked)
    if half is None or size is None:
        return Told(session.unit())
    writing = Writing.of(release.bounds, release.resolution)
    least, most = (writing.value(float(end)) for end in (half.min(), half.max()))
    within = most if least == most else f"{least} to {most}"
    return Told(
        session.unit(),
        f"About 19 in 20 of these numbers lie within {within} of the true ones, estimated from the "
        f"release and a public number of people, about {size:,.0f}.",
    )


def release_of(mechanism: QuantileMechanism, asked: Question) -> Timed:
    """The release of this draw, computed once.

    Raises: DpvizError as the mechanism does; NotAsked for a file's until it is asked for.
    """
    key, compute = _released(mechanism, asked)
    asked.wait(mechanism)
    found = memory.public(asked.column, key, compute, lambda: asked.book(mechanism))
    asked.draw.only_if_exact(found.release)
    return found


def _released(
    mechanism: QuantileMechanism, asked: Question
) -> tuple[Hashable, Callable[[], Timed]]:
    """The name of a release, and what makes it."""
    mechanism.check(asked.budget, asked.quantiles)
    purpose, column = asked.purpose(mechanism), asked.column
    expected = mechanism.seconds(
        column.n, asked.quantiles.count, asked.budget, 1, column.resolution
    )

    def compute() -> Timed:
        start = time.perf_counter()
        with turns.aside(expected):
            release = asked.draw.released(
                lambda rng: mechanism.release(column, asked.quantiles, asked.budget, rng), purpose
            )
        return Timed(release, time.perf_counter() - start)

    return asked.key("release", mechanism), compute


def trace_of(mechanism: ApproximateQuantiles, asked: Question) -> Run:
    """The sub-problems behind the same release: confidential. Raises: NotAsked as release_of."""
    asked.wait(mechanism)
    return memory.public(
        asked.column,
        asked.key("trace", mechanism),
        lambda: asked.draw.released(
            lambda rng: mechanism.trace(asked.column, asked.quantiles, asked.budget, rng),
            asked.purpose(mechanism),
        ),
        lambda: asked.book(mechanism),
    )


def half_widths(
    mechanism: QuantileMechanism, release: QuantileRelease, size: float | None, asked: Question
) -> FloatArray | None:
    """How far the truth may be from each number, estimated from the release and a public size.

    None where nothing can be said. Post-processing: it spends nothing.
    """
    if size is None:
        return None
    found = _widths(mechanism, asked, size)
    return memory.public(asked.column, *found(release))


Named = tuple[Hashable, Callable[[], FloatArray | None]]


def _widths(
    mechanism: QuantileMechanism, asked: Question, size: float
) -> Callable[[QuantileRelease], Named]:
    """Of a release the name of its widths, and what makes them; the visit is asked now, not then."""
    name, purpose, draw = asked.key("half widths", mechanism), asked.purpose(mechanism), asked.draw

    def widths(release: QuantileRelease) -> Named:
        rng = draw.generator(purpose, BANDS)
        key = (*name, release.values.tobytes(), size)
        return key, lambda: likely_errors(mechanism, release, size, rng)

    return widths


def draws_of(mechanism: QuantileMechanism, asked: Question, runs: int) -> FloatArray:
    """Values of several independent runs, (runs, k): confidential.

    A slow mechanism makes fewer of them, and reports progress between batches; any widget stops
    them, and what is done stays and is taken up again.
    """
    # how many are made depends on the records; what is booked does not. Few are draws of their own
    asked.book(mechanism, 1, min(runs, TOGETHER_ON_FILE), times=runs)
    each, runs, batch = _batches(mechanism, asked, runs)
    done: list[FloatArray] = memory.remembered((*asked.key("draws", mechanism), batch), list)
    progress = None
    while len(done) * batch < runs:
        left = each * (runs - len(done) * batch)
        if progress is None and left > WORTH_SAYING:
            progress = st.progress(0.0)
        if progress is not None:  # this call is also where another click stops the work
            label = f"{label_of(mechanism.name)}: {counted(runs, 'draw')}, about {left:.0f} s to go"
            progress.progress(len(done) * batch / runs, label)
        with turns.aside(left):
            done.append(_batch_of(mechanism, asked, len(done), batch))
    if progress is not None:
        progress.empty()
    return np.concatenate(done)[:runs]


def _batches(mechanism: QuantileMechanism, asked: Question, runs: int) -> tuple[float, int, int]:
    """Seconds that a run is expected to take, how many are made, and how many at a time."""
    column, count = asked.column, asked.quantiles.count
    each = mechanism.seconds(column.n, count, asked.budget, runs, column.resolution) / runs
    runs = min(runs, max(FEWEST, int(PATIENCE / max(each, 1e-9))))
    batch = SLOW_BATCH if each > SLOW else BATCH
    if each * runs < AT_ONCE:  # of a file fewer draws are a part of more, and nobody makes ahead
        batch = min(runs, TOGETHER_ON_FILE) if session.is_upload() else runs
    return each, runs, batch


def _batch_of(mechanism: QuantileMechanism, asked: Question, number: int, runs: int) -> FloatArray:
    """Further runs, (runs, k), from a stream of their own, so that stopping changes nothing."""
    return memory.public(asked.column, *_batch(mechanism, asked, number, runs))


def _batch(
    mechanism: QuantileMechanism, asked: Question, number: int, runs: int
) -> tuple[Hashable, Callable[[], FloatArray]]:
    """The name of a batch, and what makes it."""
    # of a file a batch of another size is another draw
    stream = (1, number, runs) if session.is_upload() else (1, number)
    purpose = asked.purpose(mechanism)

    def compute() -> FloatArray:
        rng = asked.draw.generator(purpose, *stream)
        return mechanism.release_many(asked.column, asked.quantiles, asked.budget, rng, runs)

    return (*asked.key("batch", mechanism), *stream, runs), compute


def is_quick(mechanism: QuantileMechanism, asked: Question, runs: int) -> bool:
    """Whether all of these runs are made at once, while somebody waits."""
    mechanism.check(asked.budget, asked.quantiles)
    each, made, _ = _batches(mechanism, asked, max(runs, 1))
    return made >= runs and each * runs < AT_ONCE


def kept_draws(mechanism: QuantileMechanism, asked: Question, runs: int) -> FloatArray:
    """Further draws of a sample at a stop, (runs, k), as draws_of makes them; nothing is booked."""
    return PUBLIC.get(*_batch(mechanism, asked, 0, runs))


def kept_release(mechanism: QuantileMechanism, asked: Question) -> QuantileRelease:
    """The release of a sample at a stop, as release_of makes it; nothing is booked."""
    return PUBLIC.get(*_released(mechanism, asked)).release


def kept_widths(mechanism: QuantileMechanism, asked: Question, size: float) -> FloatArray | None:
    """Half widths of the release of a sample at a stop; nothing is booked."""
    return PUBLIC.get(*_widths(mechanism, asked, size)(kept_release(mechanism, asked)))


def _widths_ahead(
    released: tuple[Hashable, Callable[[], Timed]], widths: Callable[[QuantileRelease], Named]
) -> None:
    """The bands of a release that was made ahead."""
    PUBLIC.get(*widths(PUBLIC.get(*released).release))


def look_ahead(asked: Sequence[tuple[QuantileMechanism, Question]], runs: int) -> None:
    """Work out what the next stops of a slider show, while nobody waits: on samples alone.

    Nothing is booked: that is done for each visitor who asks. Slow mechanisms are left out.
    """
    tasks: list[Callable[[], object]] = []
    size = session.size()
    for mechanism, question in asked:
        if not PUBLIC.knows(question.column):
            return
        with suppress(DpvizError):
            each, runs_made, batch = _batches(mechanism, question, max(runs, 1))
            if each * runs_made >= AT_ONCE:
                continue
            released = _released(mechanism, question)
            wanted: list[tuple[Hashable, Callable[[], object]]] = [released]
            if runs:
                wanted.append(_batch(mechanism, question, 0, batch))
            tasks += [partial(PUBLIC.get, *one) for one in wanted if one[0] not in PUBLIC]
            if size is not None:
                tasks.append(partial(_widths_ahead, released, _widths(mechanism, question, size)))
    if tasks:
        AHEAD.ask(tasks)
