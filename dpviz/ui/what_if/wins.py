"""Which method wins where: a map over budget, people and quantiles, stored or run."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz import catalogue
from dpviz.answers.said import Line, Said
from dpviz.answers.studies import sweep_said, wins, wins_said
from dpviz.answers.studies.names import TREE
from dpviz.answers.studies.names import names as names_of
from dpviz.answers.studies.wins import WinsNumbers, WinsQuestion
from dpviz.core.budgets import ZCDP, Budget, Neighbours
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import MEAN_GAP, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.beforehand import MAPPED, planned
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.winners import record_grid, winners, winners_map
from dpviz.figures.kit.picture import Picture
from dpviz.figures.what_if.won import Map, map_picture
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
    Asked,
    Task,
    Told,
    buttons,
    in_parts,
    study,
    to_take_away,
    under_way,
)


@dataclass(frozen=True, slots=True)
class WinsKey:
    """Names a run in full: whose errors they are, the notion of its budgets, and which map."""

    settings: tuple[Hashable, ...]
    budget: Budget
    size: str


@dataclass(frozen=True, eq=False)
class Wins(Task):
    """Errors of methods over budgets, people and numbers of quantiles."""

    @property
    def size(self) -> str:
        """How fine the map is."""
        return str(self.chosen["w_map"])

    def plan(self) -> Study:
        """The map, in parts. Raises: DpvizError for a tree that cannot be."""
        asked, grid = self.asked, GRIDS[self.size]
        basis, budget, mechanisms = asked.basis, asked.budget, asked.mechanisms()
        sizes = grid.rhos if isinstance(budget, ZCDP) else grid.epsilons

        def build() -> Experiment:
            column = basis.column()
            return winners_map(
                column,
                mechanisms,
                budget,
                sizes,
                record_grid(column, grid.records),
                grid.quantiles,
                grid.runs,
                np.random.default_rng(STUDY_SEED),
                grid.slow,
            )

        # how many samples are smaller than the column depends on its people: all that can be are paid
        times = grid.runs * len(grid.quantiles) * (len(grid.records) + 1)
        costs = [
            Cost(f"map of winners, {label_of(name)}", budget.resized(one), times, simulated=True)
            for name in mechanisms
            for one in sizes
        ]
        usual = replace(asked, question="deciles", metric="")
        key = WinsKey(usual.key(), budget.resized(1.0), self.size)
        title = f"{self.size} map of {basis.title}, {grid.runs} runs a place"
        return study("winners", key, asked, title, build, costs)


def _instead(task: Wins, _: Visit, __: Values) -> View[Wins, Told[WinsNumbers]] | None:
    return UNDER_WAY if running.is_shown(task.own_job) else None


def _numbers(task: Wins, _: Values) -> Told[WinsNumbers]:
    job = task.job
    places = _won(task.asked, job) if job is not None and job.done else pd.DataFrame()
    if job is None or not len(places):
        return _stored(task)
    assert isinstance(job.key, WinsKey)
    told = sweep_said.of_run(job.title, is_own=task.own_job is not None)
    question = _question(task.asked, places, job.key.budget)
    return Told(wins.answer(question), task.asked.names(), told)


def _won(asked: Asked, job: Job) -> pd.DataFrame:
    rows = job.rows()
    return winners(summary(rows), asked.metric) if len(rows) else pd.DataFrame()


def _question(asked: Asked, places: pd.DataFrame, budget: Budget) -> WinsQuestion:
    """One's own place among others; its budget is the visit's where the notion is that of the map."""
    own = asked.budget if asked.budget.symbol == budget.symbol else budget
    people = float(max(asked.basis.n, 1))
    return WinsQuestion(
        places, own.size, people, asked.quantiles.count, budget.symbol, asked.metric
    )


def _stored(task: Wins) -> Told[WinsNumbers]:
    asked = task.asked
    part, budget = _stored_about(asked.budget)
    own = stored.mapped(asked.basis.map_key, asked.metric, part)
    places = stored.mapped(PREVIEW, asked.metric, part) if own is None else own
    assert places is not None, "a map is stored for the preview"
    is_own = own is not None and _is_usual(asked)
    told = wins_said.beforehand(of_own_data=own is not None, is_own=is_own, why=asked.basis.why)
    title = wins_said.STAND_IN if own is None else asked.basis.map_title
    names = replace(asked.names(), title=title)
    return Told(wins.answer(_question(asked, places, budget)), names, told, places)


def _is_usual(asked: Asked) -> bool:
    """Whether a stored map was made with these settings: notion, relation and all methods."""
    _, budget = _stored_about(asked.budget)
    return (
        asked.budget.resized(budget.size) == budget  # the notion, and δ where there is one
        and set(asked.methods) == {*planned(budget)}
        and (asked.neighbours, asked.tree) == (Neighbours.ADD_REMOVE, TREE)
    )


def _stored_about(budget: Budget) -> tuple[str, Budget]:
    """The stored maps of a notion, and a budget of it; those in ε for one without maps."""
    fitting = [each for each in MAPPED.items() if type(each[1]) is type(budget)]
    return (fitting or list(MAPPED.items()))[0]


def _in_the_making(task: Wins, job: Job) -> None:
    asked = task.asked
    part, places = _stored_about(asked.budget)[0], _won(asked, job)
    shown = places if len(places) else stored.mapped(PREVIEW, asked.metric, part)
    assert shown is not None, "a map is stored for the preview"
    found = wins.answer(_question(asked, shown, asked.budget))
    alt = "The map so far." if len(places) else "A stand-in meanwhile."
    so_far = wins_said.tally(found) if len(places) else ""
    in_parts(_picture(task.now, found), alt, so_far, job, "dpviz-wins")


def _say(task: Wins, one: Told[WinsNumbers]) -> Said:
    said = wins_said.say(one.found, one.names, one.told)
    second = Line(said.second(brief=task.now.presenting))
    return replace(said, second=second, chips=[*task.asked.chips(MEAN_GAP), *said.chips])


def _picture(now: Visit, found: WinsNumbers) -> Picture:
    here = found.here
    drawn = Map(
        _fitting_sizes(now, found),
        found.people,
        _fitting(now, list(found.quantiles), found.panel),
        found.symbol,
        names_of([kind.name for kind in catalogue.QUANTILES]),
        (here.budget, here.people, found.panel),
    )
    return map_picture(found.places, drawn, now.look)


def _fitting_sizes(now: Visit, found: WinsNumbers) -> Sequence[float]:
    """Every second budget on a phone; one's own is among them."""
    sizes = found.budgets
    return now.look.said(sizes, sizes[sizes.index(found.here.budget) % 2 :: 2])


def _fitting(now: Visit, counts: list[int], near: int) -> list[int]:
    """As many panels as the window has room for words in their cells; one's own is among them."""
    two = sorted({near, counts[-1] if near != counts[-1] else counts[0]})
    return now.look.said(now.look.said(counts, two, narrow=True, low=True), [near], presenting=True)


UNDER_WAY = under_way(_in_the_making, lambda task: f"The {task.size} map", EACH_PLACE)
VIEW: View[Wins, Told[WinsNumbers]] = View(
    "wins", "Which wins where", _numbers, say=_say,
    draw=lambda task, one, _, __: _picture(task.now, one.found), hero="wins", file="dpviz-wins",
    kept="run", instead=_instead, behind=to_take_away, badge=lambda task: task.is_real, buttons=buttons,
)  # fmt: skip
