"""One method's cells on the map: released once, and read."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from dpviz.answers.spatial.question import MapQuestion
from dpviz.core.arrays import FloatArray
from dpviz.core.data.grid_counts import Plane
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import Readable
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, Draw, drawn_once, purpose_of
from dpviz.ui.spatial.methods import MapChoice, method_of


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One method on the page: what was released, and how it is read; key names the release."""

    name: str
    mechanism: SpatialMechanism
    release: SpatialRelease | Cells
    reading: Readable
    key: Hashable

    def asked(self, depth: int = 0, rectangle: FloatArray | None = None) -> MapQuestion:
        """What is asked of it: of a level, and of a rectangle or the whole map."""
        return MapQuestion(self.name, self.release, self.reading, depth, rectangle)

    @property
    def height(self) -> int:
        """Levels below the root; 0 for cells that are no tree."""
        return self.asked().height


def wait_for(name: str, choice: MapChoice, points: Plane, draw: Draw) -> None:
    """Raises: NotAsked for a release of a file that nobody has asked for; DpvizError as it does."""
    mechanism = _checked(name, choice, points)
    draw.wait(purpose_of(mechanism, points, choice.budget), paid=_paid(name, choice))


def _checked(name: str, choice: MapChoice, points: Plane) -> SpatialMechanism:
    mechanism = choice.mechanism(name, points.box)
    mechanism.check(choice.budget)
    return mechanism


def _paid(name: str, choice: MapChoice) -> Sequence[Cost]:
    # a reference shows exact structure or counts: no budget covers it
    return FREE if "not private" in name else [Cost(name, choice.budget)]


def drawn_method(name: str, choice: MapChoice, points: Plane, draw: Draw) -> Drawn:
    """The release of a method, and its reading; each is worked out once."""
    mechanism = _checked(name, choice, points)
    purpose, paid = purpose_of(mechanism, points, choice.budget), _paid(name, choice)
    key = ("map", *purpose, draw)
    make = partial(mechanism.release, points, choice.budget)
    release = drawn_once(draw, points, "map", purpose, make, paid)
    threshold = choice.prune
    if isinstance(release, Cells) or not (method_of(name).estimated or threshold is not None):
        return Drawn(name, mechanism, release, release, key)
    reading = memory.public(points, ("estimate", *key), lambda: estimate(release))
    if threshold is not None:
        whole = reading
        reading = memory.public(
            points, ("pruned", threshold, *key), lambda: prune(whole, threshold)
        )
    return Drawn(name, mechanism, release, reading, key)
