"""One rectangle on a private map: its count, the noise of that, and how far off it is, and why."""

from dataclasses import dataclass

from dpviz.answers.spatial.question import MapQuestion
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.counts.exact import ExactCells
from dpviz.metrics.spatial import noiseless_counts

CERTAIN = 1.96  # standard errors on either side that hold 19 draws in 20


@confidential()
@dataclass(frozen=True, slots=True)
class RectangleError:
    """How far an answer is from the truth, and why; the two parts add up. Confidential."""

    truth: float
    noise: float
    uniformity: float

    @property
    def missed(self) -> float:
        """How far the answer is off, without its sign."""
        return abs(self.noise + self.uniformity)

    @property
    def part(self) -> float:
        """The same as a share of the truth; NaN where nobody is."""
        return self.missed / self.truth if self.truth > 0 else float("nan")


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class RectangleNumbers:
    """A private count of a rectangle (4,), or of the whole map, and its standard error.

    before is the standard error without an estimator; off is None while the truth is hidden.
    """

    rectangle: FloatArray | None
    private: float
    error: float
    before: float
    off: RectangleError | None = None

    @property
    def half(self) -> float:
        """Half of the margin: what is given or taken 19 times in 20."""
        return CERTAIN * self.error

    @property
    def margin(self) -> tuple[float, float]:
        """Where the count without noise lies 19 times in 20."""
        return self.private - self.half, self.private + self.half


def answer(asked: MapQuestion, truth: ExactCells | None = None) -> RectangleNumbers:
    """The answer to the question's rectangle; truth is of the cells of its release."""
    private, error = asked.counted(asked.reading)
    before = asked.counted(asked.release)[1] if asked.is_combined else error
    if truth is None:
        return RectangleNumbers(asked.rectangle, private, error, before)
    true = float(truth.inside(asked.asked)[0])
    exact = float(noiseless_counts(asked.reading, truth, asked.asked)[0])
    off = RectangleError(true, private - exact, exact - true)
    return RectangleNumbers(asked.rectangle, private, error, before, off)
