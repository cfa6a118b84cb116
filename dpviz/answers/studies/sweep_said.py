"""What is said of error against one parameter."""

from dpviz.answers.number_text import counted, significant, upper
from dpviz.answers.said import Line, Said, plain
from dpviz.answers.studies.names import StudyNames, method
from dpviz.answers.studies.sweep import SweepNumbers
from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.planning.beforehand import FINE, SWEEP_RUNS
from dpviz.experiments.planning.sweeps import SHAPES, Axis
from dpviz.intake.samples import ANYBODY

NAMES = {
    Axis.BUDGET: "budget",
    Axis.QUANTILES: "number of quantiles",
    Axis.RECORDS: "number of people",
    Axis.HEIGHT: "height of the tree",
    Axis.FANOUT: "fanout of the tree",
}
STORED = {  # what stored sweeps are about
    Axis.BUDGET: "nine deciles",
    Axis.QUANTILES: "ε = 1",
    Axis.RECORDS: "nine deciles at ε = 1",
    Axis.HEIGHT: "noisy trees of fanout 2, nine deciles at ε = 1",
    Axis.FANOUT: "noisy trees of height 3, nine deciles at ε = 1",
}
STAND_IN = f"a stand-in of {FINE:,} people"  # for data that nothing is stored for


def say(found: SweepNumbers, names: StudyNames, told: str) -> Said:
    """The finding; told says where the numbers are from, in plain text."""
    said = finding(found)
    if not said and not found.has_releases:
        said = "Every release would be too much work: there is no error to draw."
    said = said or "No release missed by a person: no error is left to draw."
    strip = [("computed on", names.title), ("error", found.metric)]
    return Said(Line(plain(said)), Line(plain(told)), strip, said)


def finding(found: SweepNumbers) -> str:
    """The best method at both ends, or the best shape of a tree; empty without an error to tell."""
    if not found.lines:
        return ""
    axis = found.axis
    if found.shape is not None:
        off = _off(found.shape.error, found)
        return f"A noisy tree comes closest with {axis.value} {found.shape.value:g}: off by {off}."
    if axis in SHAPES or found.ends is None:
        return f"None of these methods has a tree: its {axis.value} moves nothing but chance."
    ends = found.ends
    first = f"{_off(ends.first_error, found)} {_place(ends.first, found)}"
    last = f"{_off(ends.last_error, found)} {_place(ends.last, found)}"
    return f"{upper(method(ends.key).name)} is off by {first}, by {last}."


def _off(error: float, found: SweepNumbers) -> str:
    number = significant(error, 2)
    return f"{number} %" if found.is_share else ANYBODY.people.after(number)


def _place(x: float, found: SweepNumbers) -> str:
    if found.axis is Axis.BUDGET:
        return f"at {found.symbol} = {x:g}"
    if found.axis is Axis.RECORDS:
        return f"with {ANYBODY.people.after(f'{x:,.0f}')}"
    return f"with {counted(round(x), 'quantile')}"


def beforehand(axis: Axis, *, of_own_data: bool, is_own: bool, why: str) -> str:
    """Where stored numbers are from; is_own: they were made with the visitor's settings."""
    told = f"Computed beforehand: {STORED[axis]}, {SWEEP_RUNS} releases at each place"
    told += "" if of_own_data else f", on {STAND_IN}"
    told += "." if is_own else ". Your settings are others: run them."
    return f"{told} {why}" if why else told


def of_run(title: str, *, is_own: bool) -> str:
    """Which run the numbers are from."""
    told = f"{upper(title)}."
    return told if is_own else f"For other settings: {told}"


def titles(found: SweepNumbers) -> tuple[str, str]:
    """What stands at both axes; the budget's letter stands at its first tick."""
    kind = "Mean" if found.metric == MEAN_GAP else "Largest"
    unit = "% of the people" if found.is_share else "people"
    across = "" if found.axis is Axis.BUDGET else NAMES[found.axis]
    return across, f"{kind} error of a release, in {unit}"
