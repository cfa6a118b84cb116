"""The lab: eight tasks as a notebook with blanks; a check adds a point or gives a hint.

In the work of a task what stands in «…» is its answer: a blank (`...`) in the copy for students.
"""

import re
from dataclasses import dataclass, field
from types import TracebackType

from nbformat.v4 import new_code_cell, new_markdown_cell

from dpviz.lessons.stories.listing import scene
from dpviz.reports.notebook import written
from dpviz.version import __version__

SET_UP = """\
import numpy as np
from scipy.optimize import lsq_linear

import dpviz as dp
from dpviz.lessons.stories.lab import Points

E, rng, DL = np.exp, np.random.default_rng, dp.Noise.DISCRETE_LAPLACE
bad = dp.load_sample("survey")[0] <= 4  # 40 staff: who gave a bad mark
ages = dp.sample_column("ages")
points = Points()"""


@dataclass(frozen=True, slots=True)
class Task:
    """One task: the scene it goes with, what is asked, the work with answers, check and hint."""

    scene: str
    title: str
    asks: str
    work: str
    check: str
    hint: str


TASKS = (
    Task(
        "averages",
        "Two averages",
        "40 staff earn 50,550.00 on average; the 39 without Ana 50,274.36. Pay is in whole "
        "hundreds. What does Ana earn?",
        "ana = «round(40 * 50550.00 - 39 * 50274.36, -2)»",
        """\
assert ana == 61_300, "an average times n is a total"
print(f"Ana: {ana:,.0f}")""",
        "Subtract the total of the 39 from the total of the 40, and round to hundreds.",
    ),
    Task(
        "attacker",
        "Reconstruct 40 marks from 22 counts",
        "Each row of A is a group, A @ bad its exact count. Which marks fit all counts? Then the "
        "same attack on counts with noise, ε = 1 for all 22 together.",
        """\
A = (rng(1).random((22, 40)) < 0.5).astype(float)

def solve(counts):
    return «lsq_linear(A, counts, bounds=(0, 1), method="bvls").x > 0.5»

def noisy_counts():
    return A @ bad + DL.draw(«22 / 1», (22,), rng(1))  # the scale of each count's noise""",
        """\
exact, noisy = solve(A @ bad), solve(noisy_counts())
assert (exact == bad).all() and A.sum(1).min() == 14, "exact counts prove every mark"
assert (noisy == bad).sum() < 32, "ε = 1 is split over 22 counts"
assert (noisy == bad).sum() == 22, "the noise has a scale of its own: sensitivity over ε"
print(f"{(exact == bad).sum()} and {(noisy == bad).sum()} of 40 right")""",
        "lsq_linear(A, counts, bounds=(0, 1), method='bvls').x is near 0 or 1; each of 22 counts "
        "gets ε = 1/22, so its noise has the scale 22.",
    ),
    Task(
        "coins",
        "Coins",
        "Heads: a phone tells the truth; tails: a second coin answers. Estimate how many said bad "
        "in truth, and say ε of one phone.",
        """\
def phones(truth, g):
    return np.where(g.random(len(truth)) < 0.5, truth, g.random(len(truth)) < 0.5)

def estimate(reports):
    n, yes = len(reports), reports.sum()
    return «2 * (yes - n / 4)»

eps = «np.log(3)»  # of one phone""",
        """\
many = [estimate(phones(bad, rng(seed))) for seed in range(4000)]
assert abs(np.mean(many) - 16) < 0.3, "a quarter of all say bad by their second coin alone"
assert 5.2 < np.std(many) < 5.7, "half of the phones tell the truth: double what is left"
assert abs(E(eps) - 3) < 1e-9, "the truth is said 3 times in 4: 3 to 1"
print(f"mean {np.mean(many):.1f}, sd {np.std(many):.1f}; the truth is {bad.sum()}")""",
        "Of n phones n/4 say bad by chance; of the others half told the truth. e^ε is the odds of "
        "the truth.",
    ),
    Task(
        "two_worlds",
        "How far noise reaches",
        "The smallest t with |noise| ≤ t in 19 of 20 draws of discrete Laplace noise of scale 1/ε.",
        """\
def within(eps):
    p, t = E(-eps), 0
    while t < 1000 and «2 * p ** (t + 1) / (1 + p)» > 0.05:  # P(|noise| > t)
        t += 1
    return t""",
        """\
reach = [within(eps) for eps in (0.1, 0.5, 1, 2)]
assert reach == [30, 6, 3, 1], "the chance of k is (1 − p)/(1 + p) · p^|k|"
print("±", reach)""",
        "Sum (1 − p)/(1 + p) · p^|k| over all |k| > t: a geometric series, twice.",
    ),
    Task(
        "suspicion",
        "The most a suspicion can become",
        "Odds are multiplied by at most e^ε. A suspicion of 10 in 100: about one person at ε = 1, "
        "about a family of four at 0.1 each, about Ana with 12 rows at 0.1 a row.",
        """\
def most(prior, eps):
    odds = prior / (1 - prior) * «E(eps)»
    return odds / (1 + odds)

family_eps = «4 * 0.1»
rows_eps = «12 * 0.1»""",
        """\
found = [most(0.1, 1), most(0.1, family_eps), most(0.1, rows_eps)]
assert np.allclose(found, [0.2320, 0.1422, 0.2695], atol=1e-4), "ε of a group is the sum"
print(", ".join(f"{one:.4f}" for one in found))""",
        "Four people, or twelve rows, change an answer four or twelve times: ε adds up.",
    ),
    Task(
        "tank",
        "The tank",
        "Ten answers at ε = 0.1, averaged, or one at ε = 1: which errs less? And what do 100 "
        "answers at 0.1 spend?",
        """\
def error(k, eps, g):  # mean |error| of the average of k answers, 2,000 times
    noise = DL.draw(1 / eps, (2000, k), g)
    return «abs(noise.mean(axis=1)).mean()»

spent = «100 * 0.1»
better = «"one"»  # "ten" or "one\"""",
        """\
assert 1 < error(100, 0.1, rng(3)) < 1.3, "a hundred answers, averaged, are off by about 1"
assert abs(spent - 10) < 1e-9, "every answer spends its ε"
less = "one" if error(1, 1, rng(2)) < error(10, 0.1, rng(1)) else "ten"
assert better == less, "compare error(1, 1, rng(2)) and error(10, 0.1, rng(1))"
print(f"spent {spent:g}, better: {better}")""",
        "Average over axis 1, then take the mean of |…|. Averaging k answers divides their error "
        "by about √k; splitting ε by k multiplies it by k.",
    ),
    Task(
        "largest_value",
        "A bound from a stand-in, then one release",
        "Choose the largest pay U on a stand-in, without a look at the data: what is cut off, and "
        "the scale b of the noise on an average over a public n. Then release once.",
        """\
stand_in = rng(8).lognormal(np.log(45_000), 0.5, 15_000)

def loss(U, eps=0.1, n=15_000):  # mean error: bias by cutting, and noise
    cut = «(stand_in - np.minimum(stand_in, U)).sum() / n»
    b = «U / (eps * n)»
    return cut + b * E(-cut / b)""",
        """\
best = min((50_000, 100_000, 200_000, 500_000, 1_000_000), key=loss)
assert abs(loss(5e8) - 333_333) < 1, "a bound of 500 million drowns the average"
assert best == 200_000, "cut off little, and keep the noise small"
salaries = dp.load_sample("salaries")[0]
pay = dp.Column.from_values(salaries, dp.Bounds(0, best), 100)
mean = dp.NoisyMean(15_000).release(pay, dp.PureDP(0.1), rng(1)).value
assert 46_000 < mean < 47_000
print(f"bound {best:,}, mean {mean:,.0f}")
print(f"true {salaries.mean():,.0f}: the stand-in's tail is thin")""",
        "One person moves a sum by at most U, an average over n by U/n: noise scale U/(ε·n).",
    ),
    Task(
        "why_tree",
        "A tree",
        "Mean variances of running counts over K cells, and over a tree of them, ε = 1. The first "
        "of 16, 64, 256, 1024, 2048, 4096 at which the tree wins; then combine its levels.",
        """\
def cells(K):
    return (K + 1) / 2 * DL.variance(1)

def tree(K):
    h = int(np.log2(K))
    return (h / 2 + 1 / K) * DL.variance(«h + 1»)  # the scale of a node's noise

first = «2048»
drawn = dp.CountTree(fanout=2, height=10).release(ages, dp.PureDP(1), rng(1))
free = «dp.efficient(drawn)»  # combine the levels: costs no budget""",
        """\
assert round(tree(65_536) ** 0.5) == 68, "a person is in h + 1 nodes"
sizes = (16, 64, 256, 1024, 2048, 4096)
assert first == next(K for K in sizes if tree(K) < cells(K)), "compare tree(K) and cells(K)"
before, after = dp.cdf(drawn), dp.cdf(free)
truth = np.searchsorted(ages.values, after.edges)
off = [np.mean((curve.counts - truth) ** 2) ** 0.5 for curve in (before, after)]
assert off[1] < off[0], "dp.efficient takes a release"
print(f"{first:,}; error {off[0]:.1f} → {off[1]:.1f}")""",
        "Each person sits in one node a level, h + 1 in all, so ε is shared by h + 1. "
        "dp.efficient(drawn) gives the combined tree.",
    ),
)


def lab(*, solved: bool = False) -> str:
    """The lab as the text of an .ipynb file, with blanks or with their answers."""
    cells = [
        new_markdown_cell(
            f"# Lab: {len(TASKS)} tasks\n\nIn each task fill in the blanks (`...`), run its cell, "
            "and the check below it. A check adds a point or gives a hint; run it as often as you "
            f"like. The first cell of a task shows its scene. Work in pairs. dpviz {__version__}."
        ),
        new_code_cell(SET_UP),
    ]
    for number, task in enumerate(TASKS, 1):
        check = task.check.replace("\n", "\n    ")
        cells += [
            new_markdown_cell(f"## {number}. {task.title}\n\n{task.asks}"),
            new_code_cell(f'dp.scene("{scene(task.scene).story}", "{task.scene}")'),
            new_code_cell(filled(task.work) if solved else blank(task.work)),
            new_code_cell(f"with points.task({number}):\n    {check}"),
        ]
    return written(cells)


def filled(work: str) -> str:
    """The work of a task with its answers."""
    return re.sub("[«»]", "", work)


def blank(work: str) -> str:
    """The work of a task with a blank for each answer."""
    return re.sub("«.*?»", "...", work)


@dataclass(slots=True)
class Points:
    """The points of who works through the lab."""

    right: set[int] = field(default_factory=set)

    def task(self, number: int) -> "Check":
        """The check of a task, for a with statement."""
        return Check(self, number)

    def __repr__(self) -> str:
        return f"{len(self.right)} of {len(TASKS)}"


@dataclass(frozen=True, slots=True)
class Check:
    """Says of the statements within it whether they hold; an error of theirs becomes a hint."""

    points: Points
    number: int

    def __enter__(self) -> None:
        self.points.right.discard(self.number)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if error is None:
            self.points.right.add(self.number)
            print(f"Task {self.number}: right. {self.points}.")
        elif isinstance(error, Exception):
            hint = TASKS[self.number - 1].hint
            print(f"Task {self.number}: not yet. {_why(error)}\nHint: {hint}\n{self.points}.")
        return error is None or isinstance(error, Exception)


def _why(error: Exception) -> str:
    said = str(error)
    if "ellipsis" in said.lower():
        return "A blank is left."
    if isinstance(error, AssertionError):
        return f"Think: {said}." if said else "The number is another one."
    return f"{type(error).__name__}: {said}."
