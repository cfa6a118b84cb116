"""Draws: made when the visitor asks, named by a number, paid for, kept while other widgets move."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np

from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import DpvizError, NotExact
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.core.releases import SEEDED
from dpviz.experiments.engine.plan import Experiment
from dpviz.people.release import for_people
from dpviz.ui import visitor
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.keys import canonical, draw_key
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.visit import state

STUDY_SEED = 20210829  # fixed: the same settings give the same numbers, on every machine
FREE: tuple[Cost, ...] = ()  # for what is no release: no budget covers it
SIMULATED = "simulated"  # in the purpose of everything that has a generator and never leaves
NOT_DRAWN = (
    "This is not drawn for your own file while the truth is off: it is computed in floating point, "
    "so its promise holds up to rounding, not exactly in the program. Choose a method, ties or "
    "noise whose card says that it holds exactly, or switch the truth on to look at it for teaching."
)

ASKED, NOW = "_draws_asked", "_draws_now"

Release = TypeVar("Release")


class NotAsked(Exception):
    """Draws of the visitor's own data that nobody has asked for yet, by what names them."""

    def __init__(self, waiting: Mapping[bytes, Cost]) -> None:
        super().__init__("nobody has asked for this draw")
        self.waiting = dict(waiting)

    def ask(self) -> None:
        """Ask for these draws, and for no others."""
        visitor.first(ASKED, set).update(self.waiting)


def ask_now() -> None:
    """Let the run that comes draw what its page shows: for the callback of a button that says so."""
    visitor.put(NOW, True)


def end_of_run() -> None:
    """What a press asked for held for one run."""
    visitor.forget(NOW)


@dataclass(frozen=True, slots=True)
class Draw:
    """Everything that decides a draw, and who pays for it.

    A seed that stands in a link lets anyone who can guess the data undo the noise; for the public
    samples that is harmless and makes links exact. An upload has a secret: the noise of each use
    has a key of its own, made of the secret, the seed as the draw's number, and the purpose, and
    comes from AES-256 under that key, with the truth or without: what is drawn can be downloaded.
    sample names the sample set whose account is kept as a lesson; an upload's has no name.
    rows say what counts of a person with several, whom the column persons names: budgets of a draw
    are those of a record, what is booked and what a release says of it are those of a person.
    """

    seed: int
    secret: bytes = field(default=b"", repr=False)
    sample: str = ""
    rows: PersonRows | None = None
    persons: str = ""

    @property
    def payer(self) -> str:
        """Whose account pays: a sample's, that of all files, or that of people with several rows."""
        own = session.UPLOAD if self.rows is None else session.PEOPLE
        return own if self.secret else self.sample

    def spent(self, budget: Budget) -> Budget:
        """What a person spends where each record spends a budget."""
        return budget if self.rows is None else self.rows.person_budget(budget)

    def promised(self, cost: Cost) -> Cost:
        """What a draw spends, as it is booked: of whom, and under the relation in use."""
        replaced = session.neighbours() is Neighbours.REPLACE_ONE
        persons = "" if self.rows is None else self.persons
        return replace(
            cost, budget=self.spent(cost.budget), persons=persons, replaced=replaced and not persons
        )

    def wait(self, purpose: object, *stream: int, paid: Sequence[Cost]) -> None:
        """Go on with what was drawn before, with what is free, and with what was asked for.

        Raises: NotAsked for every other draw of an upload: looking at a page spends nothing.
        """
        if not (self.secret and paid) or visitor.get(NOW) or visitor.get(session.DRAWS_ALWAYS):
            return
        use = self._use(purpose, stream)
        if use in visitor.get(ASKED, ()) or memory.account(self.payer).holds(use):
            return
        (cost,) = paid
        raise NotAsked({use: self.promised(cost)})

    def _use(self, purpose: object, stream: tuple[int, ...]) -> bytes:
        used = canonical((self.secret, self.seed, stream, purpose))
        return hashlib.blake2b(used, digest_size=32).digest()

    def about_people(self, release: Release) -> Release:
        """A release as one about people, where they have several rows."""
        if self.rows is None or not hasattr(release, "spent"):
            return release
        return cast("Release", for_people(cast("Any", release), self.rows))

    def randomness(self, purpose: object, *stream: int) -> Randomness:
        """What a use that is booked is drawn with: secure bits for an upload, else the seed.

        purpose names the release in full: data, preparation, and law.
        """
        if not self.secret:
            return self.generator(purpose, *stream)
        return SecureBits(draw_key(self.secret, self.seed, stream, purpose))

    def generator(self, purpose: object, *stream: int) -> np.random.Generator:
        """A generator for what never leaves: runs behind bands, exact laws, simulations.

        Those are shown beside the truth or made from a release alone. Nothing that it draws is a
        release of an upload; its key is never that of a release.
        """
        return np.random.default_rng(self.entropy(purpose, *stream))

    def entropy(self, purpose: object, *stream: int) -> list[int]:
        """What numpy.random.default_rng is given."""
        if not self.secret:
            return [self.seed, *stream]
        key = draw_key(self.secret, self.seed, stream, (SIMULATED, purpose))
        return [int.from_bytes(key)]

    def released(
        self, make: Callable[[Randomness], Release], purpose: object, *stream: int
    ) -> Release:
        """A release that is booked already: with secure bits for an upload.

        A mechanism that refuses them is drawn with a generator, as a teaching view beside the
        truth; its release says that it is seeded.
        Raises: NotExact for such a mechanism while the truth is off; see only_if_exact.
        """
        try:
            return self.about_people(make(self.randomness(purpose, *stream)))
        except NotExact as error:
            if not session.shows_truth():
                raise NotExact(NOT_DRAWN) from error
            return self.about_people(make(self.generator(purpose, *stream)))

    def is_teaching(self, release: object) -> bool:
        """Whether a release is of an upload and not exact: it is looked at, and never leaves."""
        return bool(self.secret) and getattr(release, "randomness", SEEDED) == SEEDED

    def only_if_exact(self, release: Release) -> Release:
        """The release, which may be from a time when the truth was on.

        Raises: NotExact for a teaching view while the truth is off.
        """
        if self.is_teaching(release) and not session.shows_truth():
            raise NotExact(NOT_DRAWN)
        return release

    def book(self, purpose: object, *stream: int, paid: Sequence[Cost]) -> None:
        """Put a use of this draw on the account of the people that it is about.

        With the truth off an outsider sees all that is drawn: then what is simulated spends, too.
        """
        if not (self.payer and paid):
            return
        beside_truth = session.shows_truth()
        paid = [
            replace(self.promised(one), simulated=one.simulated and beside_truth) for one in paid
        ]
        memory.account(self.payer).pay(self._use(purpose, stream), paid)


def drawn_once(
    draw: Draw,
    data: Column | Plane,
    name: str,
    purpose: tuple[object, ...],
    make: Callable[[Randomness], Release],
    paid: Sequence[Cost],
    *stream: int,
) -> Release:
    """The release of a draw: made, kept under a name and booked when a page first shows it.

    Raises: NotAsked for an upload's until it is asked for; DpvizError as the mechanism does;
    NotExact for a teaching view while the truth is off.
    """
    draw.wait(purpose, *stream, paid=paid)
    found = memory.public(
        data,
        (name, *purpose, draw),
        lambda: draw.released(make, purpose, *stream),
        lambda: draw.book(purpose, *stream, paid=paid),
    )
    return draw.only_if_exact(found)


def wait_for_all(waits: Iterable[Callable[[], None]]) -> None:
    """Several draws are asked for by one button; what refuses says so in its own place.

    Raises: NotAsked for all that wait.
    """
    waiting: dict[bytes, Cost] = {}
    for wait in waits:
        try:
            wait()
        except NotAsked as one:
            waiting |= one.waiting
        except DpvizError:
            continue
    if waiting:
        raise NotAsked(waiting)


def purpose_of(mechanism: object, data: Column | Plane, *others: Hashable) -> tuple[object, ...]:
    """What one release is, in full: it decides the noise of an upload.

    others are what else the mechanism is given: the budget, and before it the quantiles if any.
    """
    return (mechanism, prepared(data), *others)


def prepared(data: Column | Plane) -> tuple[object, ...]:
    """What every purpose says of the data in use: what they are, and how they are looked at."""
    declared = (data.bounds, data.resolution) if isinstance(data, Column) else (data.box,)
    return (session.preparation(data), *declared, session.neighbours(), data.digest)


def paid_by(payer: Draw, purpose: object, costs: Sequence[Cost]) -> Callable[[Experiment], None]:
    """What books a run when it is started; who pays is settled now.

    costs come from what was declared alone: how many runs a slow mechanism is given depends on the
    records, so that a run is paid for as many as it can take at most.
    """
    return lambda _: payer.book(purpose, paid=costs)


def draw_in_use(seed: int) -> Draw:
    """The draw of this number of the data in use."""
    own = session.upload()
    if session.is_upload() and own is not None:
        persons = own.people.column or ""
        return Draw(seed, secret=own.secret, rows=own.people.rows, persons=persons)
    return Draw(seed, sample=str(visitor.get("data", "")))


def draw_of_visit() -> Draw:
    """The draw of the visit's number, of the data in use."""
    return draw_in_use(int(state.get("seed")))
