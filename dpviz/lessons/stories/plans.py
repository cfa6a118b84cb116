"""What a teacher does in 11, 45 and 90 minutes, and in which session of a course."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import scene


@dataclass(frozen=True, slots=True)
class Step:
    """From a minute on: scenes, and what is done beside or without them."""

    minute: int
    modules: tuple[str, ...] = ()
    does: str = ""

    @property
    def said(self) -> str:
        """The scenes by their titles, and what is done."""
        titles = [one.title for one in scenes(self.modules)]
        return "; ".join([*titles, *[self.does] * bool(self.does)])


@dataclass(frozen=True, slots=True)
class Plan:
    """A lesson of so many minutes; note says what to know before."""

    name: str
    minutes: int
    steps: tuple[Step, ...]
    note: str = ""


def scenes(modules: Sequence[str]) -> list[Scene[Any]]:
    """The scenes of these names."""
    return [scene(one) for one in modules]


def shown(steps: Sequence[Step]) -> list[tuple[int, str]]:
    """From which minute on what is done."""
    return [(step.minute, step.said) for step in steps]


def straight(modules: Sequence[str]) -> tuple[Step, ...]:
    """Scenes one after the other, each from the minute at which those before it end."""
    steps, seconds = [], 0
    for one in scenes(modules):
        steps.append(Step(seconds // 60, (one.name,)))
        seconds += one.seconds
    return tuple(steps)


ELEVEN = (
    "averages", "attacker", "coins", "same_noise", "two_worlds", "tank", "largest_value",
    "combined_levels", "promised",
)  # fmt: skip


def plans() -> tuple[Plan, ...]:
    """All plans, the shortest first."""
    return (
        Plan("A talk", 11, straight(ELEVEN), "No votes; the right arrow leads through."),
        Plan(
            "A class",
            45,
            (
                Step(0, ("averages",), "join by the code"),
                Step(4, ("attacker",), "played by all"),
                Step(11, ("coins",)),
                Step(15, ("same_noise",)),
                Step(18, ("two_worlds",), "five rounds of the game on all phones"),
                Step(23, ("who_counts",)),
                Step(26, ("tank",), "draw, talk, vote again"),
                Step(32, ("largest_value",)),
                Step(35, ("why_tree",)),
                Step(37, ("combined_levels",)),
                Step(39, ("what_breaks",)),
                Step(42, ("promised",)),
                Step(44, (), "code of the test"),
            ),
            "If late, drop “Who counts as one?”. The test before at home, after within a week: a "
            "room lasts three hours, so open one for each half and release both.",
        ),
        Plan(
            "A lab",
            90,
            (
                Step(0, (), "pairs, set-up"),
                Step(5, (), "tasks 1 to 3"),
                Step(25, ("median",)),
                Step(30, (), "tasks 4 to 6"),
                Step(50, ("names_removed",)),
                Step(55, (), "tasks 7 and 8"),
                Step(
                    75,
                    ("declared_bounds", "questions", "smallest_epsilon", "one_release"),
                    "as one group at the projector",
                ),
                Step(85, (), "the test"),
            ),
            "Needs Python with dpviz and a notebook on one machine a pair.",
        ),
    )


# sessions of a usual course on differential privacy, and the scenes that go with each
SESSIONS = (
    ("Attacks on statistics", ("averages", "attacker", "names_removed")),
    ("Randomized response, the local model", ("coins",)),
    ("Definition, neighbours, group privacy", ("two_worlds", "who_counts", "suspicion")),
    ("Laplace mechanism, sensitivity, clipping", ("same_noise", "largest_value", "leavers")),
    ("Composition, budgets", ("tank", "accuracy_kept")),
    ("Exponential mechanism, quantiles", ("median", "questions")),
    ("Post-processing, hierarchical counts", ("why_tree", "combined_levels")),
    ("(ε, δ), randomness, floating point", ("what_breaks",)),
    ("Deployment, choice of ε", ("promised", "group_size", "decision", "one_release")),
)
