"""What people, values and the parts of a tree are called in pictures and sentences."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.said import html_safe
from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.noise import Noise

# by the names that estimators have in tidy frames and releases
READING_NAMES = {
    "raw": "raw",
    "from-below": "from below",
    "from-above": "from above",
    "efficient": "efficient",
}
NOISE_NAMES = {
    Noise.LAPLACE: "Laplace",
    Noise.DISCRETE_LAPLACE: "discrete Laplace",
    Noise.GAUSSIAN: "Gaussian",
    Noise.DISCRETE_GAUSSIAN: "discrete Gaussian",
}
FEW = {2: "halves", 3: "thirds", 4: "quarters"}
THOUSANDS = 10_000  # from which an error is said in thousands
SPLITS = {4: 0.0, 3: 0.3, 5: 0.3, 2: 0.6}  # parts of an axis, and how much shorter they must be


@dataclass(frozen=True, slots=True)
class Names:
    """Nouns for one column: 6,000 students, mark 50, 12.5 marks wide; unit may be empty."""

    people: str = "people"
    axis: str = "value"
    unit: str = ""
    person: str = "person"

    def safe(self) -> "Names":
        """The same nouns for pictures, which read markup: a file's texts are not trusted."""
        return Names(*map(html_safe, (self.people, self.axis, self.unit, self.person)))

    def noun(self, number: str) -> str:
        """The word behind a number of people as it was written: "± 1 student", "± 70 students"."""
        return self.person if number.removeprefix("± ").strip("+−") == "1" else self.people


def level_name(nodes: int, people: str, *, leaves: bool = False) -> str:
    """What a level is called at its row: all students, halves, 16 parts, 64 leaves."""
    if nodes == 1:
        return f"all {people}"
    return leaves_text(nodes) if leaves else FEW.get(nodes, f"{nodes:,} parts")


def leaves_text(leaves: int) -> str:
    """How many leaves a tree has."""
    return "1 leaf" if leaves == 1 else f"{leaves:,} leaves"


def node_words(level: int, place: int) -> str:
    """A node in words that read as no decimal: "level 2, node 3"."""
    return f"level {level}, node {place}" if level else "the root"


def value(number: float) -> str:
    """A value of the column."""
    return f"{number:,.6g}".replace("-", "−")


def spread_error(error: float) -> str:
    """One standard error as it stands at a row's end; a dash where nothing tells the counts."""
    if not np.isfinite(error):
        return "–"
    if error == 0:
        return "exact"
    if error >= THOUSANDS:  # a column beside the picture has room for so much
        return f"± {error / 1000:,.0f}k"
    places = 0 if error >= 9.95 else 1 if error >= 0.095 else 2
    return f"± {error:,.{places}f}"


def signed(count: float) -> str:
    """A number of people too many or too few."""
    return f"{round(count):+,}".replace("-", "−") if round(count) else "0"


def ticks(low: float, high: float) -> FloatArray:
    """Evenly spaced ticks from bound to bound, in the parts that give the shortest numbers."""

    def cost(parts: int) -> float:
        shown = [value(each) for each in np.linspace(low, high, parts + 1)]
        return sum(map(len, shown)) / len(shown) + SPLITS[parts]

    return np.linspace(low, high, min(SPLITS, key=cost) + 1)
