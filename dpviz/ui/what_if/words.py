"""How this page speaks: methods and questions in words, shares and odds rounded upwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning.answers import LEAST_SHARE, round_up
from dpviz.experiments.privacy.odds import Odds
from dpviz.ui.kit.frame import label_of


@dataclass(frozen=True, slots=True)
class Method:
    """A mechanism in words: its name, and how something is published by it."""

    name: str
    way: str


METHODS = {
    "ApproximateQuantiles": Method("recursive halving", "by recursive halving"),
    "JointExp": Method("all at once", "drawn all at once"),
    "IndependentExp": Method("one by one", "drawn one by one"),
    "AggTree": Method("noisy tree", "from a noisy tree"),
    "PrefixQuantiles": Method("running counts", "from noisy running counts"),
    "SliceQuantiles": Method("windows", "by windows around noisy ranks"),
}
ASKED = {
    "median": "the median",
    "quartiles": "three quartiles",
    "deciles": "nine deciles",
    "percentiles": "99 percentiles",
}


def method(key: str) -> Method:
    """A mechanism in words; a new one is called by its label."""
    label = label_of(key)
    return METHODS.get(key, Method(label, f"by {label}"))


def names(keys: Sequence[str]) -> dict[str, str]:
    """What mechanisms are called in pictures, in this order."""
    return {key: method(key).name for key in keys}


def asked(question: str, quantiles: QuantileSet) -> str:
    """What is published, in words."""
    if question in ASKED:
        return ASKED[question]
    if quantiles.distinct.tolist() == [0.5]:
        return ASKED["median"]
    return f"{quantiles.count} quantiles" if quantiles.count > 1 else "one quantile"


def size_words(size: float, symbol: str = "ε") -> str:
    """A budget rounded up to two digits: "ε = 0.36"."""
    return f"{symbol} = {round_up(size):g}"


def share_words(share: float) -> str:
    """A share of the people in per cent, two digits, rounded up: an error is at most this."""
    if share <= LEAST_SHARE:
        return f"{100 * LEAST_SHARE:g} %"
    return f"{round_up(100 * share):g} %"


def target_words(percent: float) -> str:
    """The accuracy that is wanted: a share of the places in the ranking, never a bare share."""
    return f"{percent:g} % of the places"


def suspicion_words(percent: float, epsilon: float) -> str:
    """What a suspicion grows to at most, in per cent, one decimal, rounded up."""
    after = float(Odds(epsilon).posterior(np.array(percent / 100))[1])
    return f"{math.ceil(1000 * after - 1e-9) / 10:g} %"


def often_words(probability: float) -> str:
    """A share of releases as people say it."""
    said = {0.5: "half of the", 0.9: "9 of 10", 0.95: "19 of 20", 0.99: "99 of 100"}
    return said.get(probability, f"{100 * probability:g} % of the")
