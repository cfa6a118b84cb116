"""From how many quantiles on one curve errs less than asking for each: one place, and all."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.experiments.statements.many import ASKING, COUNTS, CURVES, Place, best, places


@dataclass(frozen=True, slots=True, eq=False)
class ManyNumbers:
    """Errors at one place, in people over counts (k,), NaN where a method was not run.

    asking and curve are the better of their kind (k,); few and many are both at the fewest and the
    most quantiles. crosses are the m of all numbers of people and ε, by (people, ε). Nothing here
    is data: the columns are made up.
    """

    place: Place
    counts: FloatArray
    errors: dict[str, FloatArray]
    asking: FloatArray
    curve: FloatArray
    crosses: dict[tuple[int, float], float]


def answer(shape: str, people: int, epsilon: float) -> ManyNumbers:
    """A stored place."""
    own = [one for one in places() if one.shape == shape]
    (place,) = [one for one in own if (one.people, one.epsilon) == (people, epsilon)]
    errors = {name: one * people for name, one in place.errors.items()}
    return ManyNumbers(
        place=place,
        counts=np.array(COUNTS, dtype=np.float64),
        errors=errors,
        asking=best(errors, ASKING),
        curve=best(errors, CURVES),
        crosses={(one.people, one.epsilon): one.crosses for one in own},
    )
