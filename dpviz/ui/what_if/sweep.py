"""The Sweep view: error against one parameter; it opens with results computed beforehand."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz.answers.said import Said
from dpviz.answers.studies import sweep as sweeps
from dpviz.answers.studies import sweep_said
from dpviz.answers.studies.names import names as names_of
from dpviz.answers.studies.sweep import SweepNumbers, SweepQuestion
from dpviz.answers.studies.sweep_said import NAMES
from dpviz.core.budgets import Budget, PureDP
from dpviz.experiments.engine.measure import Measure
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.sweeps import DEFAULTS, Axis, axis_values, sweep
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.swept import sweep_picture
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.bench import running
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.job_panel import Study
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import View
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.asked import (
    EACH_PLACE,
    PREVIEW,
    Task,
    Told,
    buttons,
    in_parts,
    study,
    to_take_away,
    under_way,
)

RUNS = (10, 20, 50, 100, 200, 500)
PEOPLE, SHARE = "records", "% of people"  # the first as links have always said it


@dataclass(frozen=True, slots=True)
class SweepKey:
    """Names a run in full: whose errors they are, and which budgets or places were swept."""

    settings: tuple[Hashable, ...]
    budget: Budget
    axis: Axis
    values: tuple[float, ...]
    runs: int


@dataclass(frozen=True, eq=False)
class Sweep(Task):
    """What a sweep moves beside what is asked, how often, and the unit of the errors."""

    @property
    def axis(self) -> Axis:
        """What is moved."""
        return Axis(self.chosen["w_axis"])

    @property
    def runs(self) -> int:
        """How many releases there are at each place."""
        return int(self.chosen["w_runs"])

    def plan(self) -> Study:
        """The sweep, in parts. Raises: DpvizError for a tree that cannot be."""
        asked, axis, runs = self.asked, self.axis, self.runs
        mechanisms, budget, basis = asked.mechanisms(), asked.budget, asked.basis
        trees = [one for one in mechanisms.values() if isinstance(one, AggTree)]
        values = axis_values(axis, basis.column(), next(iter(trees), AggTree()), budget)

        def build() -> Experiment:
            rng = np.random.default_rng(STUDY_SEED)
            column = basis.column()
            return sweep(column, mechanisms, asked.quantiles, budget, axis, values, runs, rng)

        # a list of places may depend on the people's number: all there can be are paid for
        places = len(DEFAULTS[axis]) + 1 if axis is Axis.RECORDS else len(values)
        is_budget = axis is Axis.BUDGET
        spent = [budget.resized(size) for size in values] if is_budget else [budget] * places
        costs = [
            Cost(f"sweep, {label_of(name)}", one, runs, simulated=True)
            for name in mechanisms
            for one in spent
        ]
        moved = budget.resized(1.0) if is_budget else budget
        named = replace(asked, question="deciles") if axis is Axis.QUANTILES else asked
        key = SweepKey(replace(named, metric="").key(), moved, axis, values, runs)
        title = f"error against {NAMES[axis]}, {asked.words()} of {basis.title}, {runs} runs"
        return study("sweep", key, asked, title, build, costs)


def _instead(task: Sweep, _: Visit, __: Values) -> View[Sweep, Told[SweepNumbers]] | None:
    return UNDER_WAY if running.is_shown(task.own_job) else None


def _numbers(task: Sweep, _: Values) -> Told[SweepNumbers]:
    job = task.job
    return _stored(task) if job is None or not job.done else _done(task, job)


def _stored(task: Sweep) -> Told[SweepNumbers]:
    """The results that the view opens with; where one's own settings are others, it says so."""
    asked, axis = task.asked, task.axis
    own = stored.swept(asked.basis.key, axis.value)
    rows = stored.swept(PREVIEW, axis.value) if own is None else own
    assert rows is not None, "every axis is stored for the preview"
    kept = rows[rows["mechanism"].isin(asked.methods)]
    rows = kept if len(kept) else rows
    is_own = own is not None and _is_usual(task)
    told = sweep_said.beforehand(
        axis, of_own_data=own is not None, is_own=is_own, why=asked.basis.why
    )
    names = asked.names()
    names = names if own is not None else replace(names, title=sweep_said.STAND_IN)
    return Told(sweeps.answer(_question(task, rows, axis, PureDP(1.0))), names, told, rows)


def _is_usual(task: Sweep) -> bool:
    asked, axis = task.asked, task.axis
    fanout, height = asked.tree
    usual = {Axis.HEIGHT: fanout == 2, Axis.FANOUT: height == 3}
    return (
        usual.get(axis, asked.has_usual_tree)
        and asked.is_plain
        and (axis is Axis.QUANTILES or asked.question == "deciles")
        and (axis is Axis.BUDGET or asked.budget == PureDP(1.0))
        and task.runs == 50
    )


def _question(
    task: Sweep, rows: pd.DataFrame, axis: Axis, budget: Budget, places: Sequence[float] = ()
) -> SweepQuestion:
    """What is asked of rows about an axis; budget has the notion that they were swept in."""
    own, symbol = task.asked.budget, budget.symbol
    chosen = own.size if axis is Axis.BUDGET and own.symbol == symbol else None
    is_share = task.chosen["w_unit"] == SHARE
    return SweepQuestion(rows, axis, task.asked.metric, is_share, symbol, chosen, places)


def _done(task: Sweep, job: Job) -> Told[SweepNumbers]:
    told = sweep_said.of_run(job.title, is_own=task.own_job is not None)
    assert isinstance(job.key, SweepKey)
    question = _question(task, summary(job.rows()), job.key.axis, job.key.budget)
    return Told(sweeps.answer(question), task.asked.names(), told)


def _in_the_making(task: Sweep, job: Job) -> None:
    measured = [one for one in job.experiment.cells if isinstance(one, Measure)]
    places = sorted({float(one.labels["x"]) for one in measured})
    rows = summary(job.rows())
    found = sweeps.answer(_question(task, rows, task.axis, task.asked.budget, places))
    drawn = _picture(found, task.now.look)
    in_parts(drawn, "The sweep so far.", sweep_said.finding(found), job, "dpviz-sweep")


def _say(task: Sweep, one: Told[SweepNumbers]) -> Said:
    said = sweep_said.say(one.found, one.names, one.told)
    return replace(said, chips=task.asked.chips(MEAN_GAP))


def _picture(found: SweepNumbers, look: Look) -> Picture:
    called = names_of([line.key for line in found.lines])
    return sweep_picture(found, sweep_said.titles(found), called, look)


UNDER_WAY = under_way(_in_the_making, lambda _: "The sweep", EACH_PLACE)
VIEW: View[Sweep, Told[SweepNumbers]] = View(
    "sweep", "Methods compared", _numbers, say=_say, draw=lambda _, one, __, look: _picture(one.found, look),
    hero="sweep", file="dpviz-sweep", kept="run", instead=_instead, behind=to_take_away,
    badge=lambda task: task.is_real, buttons=buttons,
)  # fmt: skip
