"""What one person does to one noisy count: both exact laws, and what a published answer says."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.ladder import next_above
from dpviz.experiments.privacy.loss import Claim, delta_of, log_law, share_above_of

MADE_UP = 865  # a count that stands for anybody's where nothing true may be shown
# scales in view
TAILS = {
    Noise.LAPLACE: 4.9,
    Noise.DISCRETE_LAPLACE: 4.9,
    Noise.GAUSSIAN: 5.4,
    Noise.DISCRETE_GAUSSIAN: 5.4,
}
BEYOND = 1.15  # of where Gaussian outputs pass ε, so that they are seen to
FINE = 200  # the widest reach with one step for each whole number
POINTS = 300  # of a smooth curve on each side of its two centres


@confidential()
@dataclass(frozen=True, slots=True)
class Supposed:
    """One answer: its chance under both laws, or density for noise that is not whole."""

    answer: float
    one: float
    other: float
    log_ratio: float

    def believed(self, prior: float) -> float:
        """The belief in one rather than other after this answer, from a belief before it."""
        return float(expit(logit(prior) + self.log_ratio))


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class CountLaws:
    """Both laws over what is in view, and the log of their ratio.

    Shapes: for whole noise edges (d+1,) and one, other, ratio (d,); otherwise all (d,) points.
    """

    whole: bool
    x: FloatArray
    one: FloatArray
    other: FloatArray
    ratio: FloatArray


@confidential("noise", "scale", "claim")
@dataclass(frozen=True, slots=True)
class OneCount:
    """A noisy count with one person (one) and without (other), and what its noise promises."""

    noise: Noise
    scale: float
    one: float
    other: float
    claim: Claim

    @property
    def moved(self) -> bool:
        """Whether the person is counted at all."""
        return self.one != self.other

    @property
    def whole(self) -> bool:
        """Whether answers are whole numbers, so that each has a chance of its own."""
        return self.noise.whole

    @property
    def reach(self) -> int:
        """R: one ± R is in view. It jumps rarely, so that a smaller ε makes the laws merge."""
        needed = TAILS[self.noise] * self.scale
        if self.noise.gaussian:
            needed = max(needed, BEYOND * self.claim.epsilon * self.scale**2)
        return next_above(needed)

    @property
    def spacing(self) -> int:
        """Between the answers that are drawn and can be supposed: 1 unless they are too many."""
        return 1 if self.reach <= FINE else self.reach // 100

    @property
    def least(self) -> float:
        """The smallest answer in view."""
        return self.one - self.reach

    @property
    def most(self) -> float:
        """The largest answer in view."""
        return self.one + self.reach

    def supposed(self, answer: float) -> Supposed:
        """What one answer says, exact."""
        at = np.array([answer])
        one, other = (float(np.exp(self._law(at, here))[0]) for here in (self.one, self.other))
        return Supposed(answer, one, other, float(self._ratio(at)[0]))

    def laws(self) -> CountLaws:
        """Both laws in view, drawn as they are."""
        if self.whole:
            at = np.arange(self.least, self.most + self.spacing / 2, self.spacing)
            half = self.spacing / 2
            x = np.append(at - half, at[-1] + half)
        else:
            grid = np.linspace(self.least, self.most, 2 * POINTS + 1)
            at = x = np.union1d(grid, [self.one, self.other])
        one, other = (np.exp(self._law(at, centre)) for centre in (self.one, self.other))
        return CountLaws(self.whole, x, one, other, self._ratio(at))

    @property
    def delta(self) -> float:
        """The exact δ of this pair at the claim's ε; 0 where the noise bounds every ratio."""
        if not self.noise.gaussian or not self.moved:
            return 0.0
        return delta_of(self.noise, self.scale, self.claim.epsilon)

    @property
    def share_beyond(self) -> float:
        """How often an answer passes ε: always more than the δ that goes with it."""
        if not self.noise.gaussian or not self.moved:
            return 0.0
        return share_above_of(self.noise, self.scale, self.claim.epsilon)

    def most_believed(self, prior: float) -> float:
        """The largest belief that any answer can lead to, but for δ."""
        if not self.moved:
            return prior
        return float(expit(logit(prior) + self.claim.epsilon))

    def _law(self, at: FloatArray, centre: float) -> FloatArray:
        return log_law(self.noise, self.scale, at - centre)

    def _ratio(self, at: FloatArray) -> FloatArray:
        one, other = at - self.one, at - self.other
        if self.noise.gaussian:
            return (other - one) * (other + one) / self.scale / self.scale / 2
        return (np.abs(other) - np.abs(one)) / self.scale


def answers_in_view(scene: OneCount) -> list[int]:
    """The answers that can be supposed, in order."""
    least, most = math.ceil(scene.least), math.floor(scene.most)
    return list(range(least, most + 1, scene.spacing))
