"""One person and one noisy count: what the answer can tell, before and after it is published."""

from dataclasses import dataclass

from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.one_count import OneCount

SUSPICION = 0.1  # of whom the strip names the worst case, too


@confidential("noise", "epsilon", "delta")
@dataclass(frozen=True, slots=True)
class CountNumbers:
    """The count with the person (one) and without (other), which are confidential, and the claim.

    Every answer is at most e^epsilon times as likely, but for those that come with chance beyond:
    always more than the δ of the claim, and than exact_delta, the pair's own at ε. A suspicion of
    prior becomes after, to the nearest, if answer is published; one of SUSPICION becomes at most
    worst, but for that chance. largest is the largest log ratio of noise that bounds it.
    """

    one: float
    other: float
    epsilon: float
    delta: float
    answer: int
    prior: float
    after: float
    worst: float
    largest: float
    beyond: float
    exact_delta: float
    noise: Noise

    @property
    def moved(self) -> bool:
        """Whether the person is counted at all."""
        return self.one != self.other


def answer(scene: OneCount, published: int, prior: float) -> CountNumbers:
    """A supposed answer and a belief before it, in (0, 1)."""
    return CountNumbers(
        one=scene.one,
        other=scene.other,
        epsilon=scene.claim.epsilon,
        delta=scene.claim.delta,
        answer=published,
        prior=prior,
        after=scene.supposed(published).believed(prior),
        worst=scene.most_believed(SUSPICION),
        largest=scene.claim.epsilon if scene.moved else 0.0,
        beyond=scene.share_beyond,
        exact_delta=scene.delta,
        noise=scene.noise,
    )
