"""The table of What if: what rows are at first and where they stand, and what a task is made of."""

from __future__ import annotations

import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.samples import sample, sample_column
from dpviz.ui.kit import session
from dpviz.ui.model.fields import of
from dpviz.ui.pages import what_if
from dpviz.ui.pages.what_if import PAGE
from dpviz.ui.visit import state
from dpviz.ui.what_if import answer, basis, frontier, live, search, sweep, wins
from dpviz.ui.what_if.answer import Curves
from dpviz.ui.what_if.search import Search
from dpviz.ui.what_if.sweep import Sweep
from dpviz.ui.what_if.wins import Wins

TASKS = {"answer": Curves, "frontier": Curves, "search": Search, "sweep": Sweep, "wins": Wins}
REFUSALS = (ValueError, KeyError, OverflowError, DpvizError)
ROWS = {row.key: row for row in PAGE.rows}
EVERYWHERE = {"w_basis", "w_set", "w_mechanisms", "w_fanout", "w_height"}
AIMS = {"w_target", "w_target_exact", "w_error", "w_probability"}


class Now:
    """A visit of the page; only what tasks look at."""

    neighbours = Neighbours.ADD_REMOVE
    presenting = False

    def __init__(self, budget):
        self.budget = budget


@pytest.fixture(autouse=True)
def of_marks(monkeypatch):
    """A session with the sample of marks, and no browser."""
    held: dict[str, object] = {}
    exam = sample("exam")
    ends = {"low": 0.0, "high": 100.0, "resolution": 1.0}
    monkeypatch.setattr(session, "declared", lambda name: held.get(name, ends.get(name)))
    monkeypatch.setattr(session, "is_upload", lambda: bool(held.get("upload")))
    monkeypatch.setattr(session, "declared_bounds", lambda: sample_column("exam").bounds)
    monkeypatch.setattr(session, "default_declarations", lambda: (0.0, 100.0, 1.0))
    monkeypatch.setattr(session, "chosen_sample", lambda: exam)
    monkeypatch.setattr(session, "words", lambda: exam.words)
    monkeypatch.setattr(session, "column", lambda: sample_column("exam"))
    monkeypatch.setattr(basis, "source", lambda: "exam")
    monkeypatch.setattr(basis.memory, "remembered", lambda _, made: made())
    monkeypatch.setattr(state, "put", held.__setitem__)
    return held


def at_first(view="answer", budget=PureDP(1), **chosen):  # noqa: B008
    """As settled, where a person chose some."""
    values = {"view": view, "budget": budget}
    for row in PAGE.rows:
        value = chosen[row.key] if row.key in chosen else of(row.first, values)
        values[row.key] = row.kind.fit(value, values)
    return values


def there(values, place=""):
    return {
        row.key
        for row in PAGE.rows
        if row.when(values) and (not place or of(row.place, values) == place)
    }


def asked(view="answer", budget=PureDP(1), **chosen):  # noqa: B008
    return what_if._ask(at_first(view, budget, **chosen), Now(budget))


def test_every_view_has_its_rows():
    assert there(at_first("answer")) == EVERYWHERE | AIMS | {"w_suspicion", "w_compare"}
    assert there(at_first("frontier")) == there(at_first("search")) == EVERYWHERE | AIMS
    swept = {"w_metric", "w_preset", "w_axis", "w_unit", "w_runs"}
    assert there(at_first("sweep")) == EVERYWHERE | swept
    assert there(at_first("wins")) == EVERYWHERE | {"w_metric", "w_map"}
    assert [view.name for view in PAGE.views] == list(TASKS)


def test_the_dock_has_one_field_a_place(of_marks):
    def places(view, **chosen):
        values = at_first(view, **chosen)
        return [there(values, place) for place in ("budget", "dock", "late")]

    target, none = {"w_target"}, set()
    assert places("answer") == [target, {"w_suspicion"}, none]
    assert places("search") == [target, none, none]
    assert places("sweep") == [none, none, none]
    assert places("answer", w_basis="a stand-in") == [target, {"w_people"}, none]
    assert places("wins", w_basis="a stand-in") == [none, none, none]
    assert "w_suspicion" in there(at_first(w_basis="a stand-in"), "expert")
    of_marks["upload"] = True
    assert places("frontier") == [target, {"w_declared"}, none]
    values = at_first("sweep")
    assert {"w_why", "w_shape", "w_declared"} <= there(values, "question")
    assert not {"w_basis", "w_people"} & there(values)


@pytest.mark.parametrize("key", list(ROWS))
def test_a_link_says_what_a_field_holds(key):
    row, values = ROWS[key], at_first()
    texts = row.kind.write(values[key]) if values[key] is not None else []
    if texts:
        assert row.kind.fit(row.kind.read(texts, values), values) == values[key]
    takes = {("w_mechanisms",), ("w_declared", "-1")}
    for nonsense in (["nonsense\n"], ["1e999"], ["-1"], []):
        if (key, *nonsense) not in takes:
            with pytest.raises(REFUSALS):
                row.kind.read(nonsense, values)


def test_two_fields_of_one_target(of_marks):
    assert ROWS["w_target"].name == ROWS["w_target_exact"].name == "w_target"
    assert at_first(w_target=0.7)["w_target_exact"] == 0.7
    assert what_if._stops(0.7) == [0.1, 0.2, 0.5, 0.7, 1.0, 2.0, 5.0, 10.0]


@pytest.mark.parametrize("notion", [PureDP(1), ZCDP(0.5), ApproxDP(1, 1e-6)], ids=str)
def test_methods_are_those_that_take_the_budget(notion):
    every = tuple(planned(notion))
    assert at_first(budget=notion)["w_mechanisms"] == every
    chosen = at_first(budget=notion, w_mechanisms=("AggTree", "PrefixQuantiles", every[0]))
    assert set(chosen["w_mechanisms"]) == {"AggTree", "PrefixQuantiles", every[0]} & set(every)
    other = at_first(budget=notion, w_mechanisms=("a method of another notion",))
    assert other["w_mechanisms"] == every  # none of those is there
    assert at_first(budget=notion, w_mechanisms=())["w_mechanisms"] == ()


def test_a_question_puts_its_settings(of_marks):
    ROWS["w_preset"].then("How deep a tree?")
    assert of_marks == {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": ("AggTree",)}
    of_marks.clear()
    ROWS["w_preset"].then("How many quantiles at once?")
    assert of_marks == {"w_axis": Axis.QUANTILES, "eps": 1.0, "notion": "pure"}
    of_marks.clear()
    ROWS["w_preset"].then("own choices")
    assert of_marks == {}


@pytest.mark.parametrize("view", TASKS)
def test_a_task_asks_what_was_chosen(view):
    task = asked(view, w_error="mean gap", w_metric="largest gap", w_probability=0.9,
                 w_fanout=3, w_height=5, w_set="quartiles", w_target=2.0)  # fmt: skip
    aims = view in {"answer", "frontier", "search"}
    assert type(task) is TASKS[view]
    assert task.asked.metric == ("mean gap" if aims else "largest gap")
    assert task.asked.probability == (0.9 if aims else 0.95)
    assert task.asked.tree == (3, 5)
    assert task.asked.question == "quartiles"
    assert task.percent == 2.0
    assert task.asked.basis.title == sample("exam").title
    assert task.is_real
    without = asked(view, w_fanout=3, w_mechanisms=("JointExp", "IndependentExp"))
    assert without.asked.tree == (None, None)  # none of them has one


def test_quantiles_of_every_set():
    def quantiles(**chosen):
        return asked(**chosen).asked.quantiles.asked.tolist()

    assert quantiles(w_set="m uniform", w_m=3) == [0.25, 0.5, 0.75]
    assert quantiles(w_set="own list", w_own="10%, 0.4") == [0.1, 0.4]
    assert quantiles(w_set="median") == [0.5]


def test_what_cannot_be_asked(monkeypatch):
    problems = []
    monkeypatch.setattr("dpviz.ui.kit.messages.problem", problems.append)
    assert asked(w_mechanisms=()) is None
    assert asked(w_set="own list", w_own="1.5") is None
    assert len(problems) == 1
    assert "two methods" in asked("wins", w_mechanisms=("AggTree",))
    assert isinstance(asked("sweep", w_mechanisms=("AggTree",)), Sweep)


def test_a_stand_in_has_the_people_that_were_told(of_marks):
    task = asked(w_basis="a stand-in", w_people=500, w_shape="exam")
    assert (task.asked.basis.n, task.asked.basis.is_declared, task.is_real) == (500, True, False)
    assert task.asked.basis.why == basis.WHY_SAMPLE
    assert PAGE.label(at_first(w_basis="a stand-in", w_shape="exam")).startswith("Stand-in: ")
    of_marks["upload"] = True
    told = asked().asked.basis
    assert (told.n, told.is_declared, told.why) == (15_000, False, basis.WHY_FILE)
    of_marks["size"] = 420.4
    assert asked().asked.basis.n == 420
    assert asked().asked.basis.column().n == 420
    of_marks["size"] = 0.0
    assert asked().asked.basis.n == 1


def test_a_search_is_for_so_many_places(monkeypatch):
    seen = []
    monkeypatch.setattr(search, "smallest_size", lambda *given: seen.append(given[4:8]))
    asked("search", w_target=2.0, w_probability=0.9, w_error="mean gap").study.build()
    assert seen == [(120.0, "mean gap", 0.9, 200)]  # of 6,000 students


@pytest.mark.parametrize(("view", "module"), [("sweep", sweep), ("wins", wins)])
def test_a_view_of_mean_errors_has_a_chip_for_the_largest(view, module, monkeypatch):
    monkeypatch.setattr("dpviz.ui.what_if.asked.job_of", lambda _: None)
    chips = []
    for metric in ("mean gap", "largest gap"):
        task = asked(view, w_metric=metric)
        chips.append(module._say(task, module._numbers(task, {})).chips)
    mean, largest = chips
    assert "largest gap" in largest
    assert not {"mean gap", "largest gap"} & set(mean)


class Job:
    """A run, as tasks see it."""

    def __init__(self, key, *, complete=True):
        self.key, self.complete = key, complete


@pytest.mark.parametrize("view", ["answer", "frontier"])
def test_curves_are_those_of_the_own_run_then_stored_ones(view, monkeypatch, of_marks):
    monkeypatch.setattr(live, "curves", lambda _: "of the run")
    jobs = {}
    monkeypatch.setattr("dpviz.ui.what_if.asked.job_of", lambda study: jobs.get(study.place))
    usual = asked(view)
    assert (usual.runs, usual.is_about) == (False, False)
    assert set(usual.curves) >= {"AggTree"}
    other = asked(view, w_error="mean gap")
    assert (other.runs, other.curves) == (True, None)
    jobs["answer"] = Job(other.study.key)
    again = asked(view, w_error="mean gap")
    assert (again.curves, again.is_about) == ("of the run", False)
    jobs["answer"].complete = False
    assert asked(view, w_error="mean gap").curves is None
    assert asked(view, w_error="mean gap", w_probability=0.9).own_job is None
    jobs.clear()
    between = asked(view, w_basis="a stand-in", w_people=5_000)
    assert (between.runs, between.is_about) == (True, True)
    assert between.curves
    drawn = {"answer": answer, "frontier": frontier}[view]._numbers(between, at_first())
    need = drawn if view == "answer" else drawn.need
    assert (need.is_about, need.target) == (True, 0.01)
    of_marks |= {"upload": True, "size": 1e7}
    many = asked(view)
    assert (many.runs, many.is_about) == (False, True)  # no stand-in has so many
    of_marks["size"] = None
    nobody = asked(view)
    assert (nobody.runs, nobody.is_about) == (False, False)


def test_a_key_names_what_a_run_hangs_on():
    def key(view, **chosen):
        return asked(view, **chosen).study.key

    for view, moves, stays in (
        ("answer", {"w_probability": 0.9}, {"w_target": 2.0, "w_suspicion": 5}),
        ("search", {"w_target": 2.0}, {"w_suspicion": 5}),
        ("sweep", {"w_runs": 10}, {"w_unit": "% of people", "w_metric": "largest gap"}),
        ("sweep", {"w_axis": Axis.RECORDS}, {}),
        ("wins", {"w_map": "complete"}, {"w_set": "quartiles", "w_metric": "largest gap"}),
    ):
        assert key(view, **moves) != key(view)
        assert key(view, **stays) == key(view)


def test_what_is_suspected_at_first_is_a_percentage():
    kind = ROWS["w_suspicion"].kind
    written = [["1 %"], ["2 %"], ["5 %"], ["10 %"], ["20 %"], ["50 %"]]
    assert [kind.write(one) for one in (1, 2, 5, 10, 20, 50)] == written
    assert kind.read(["50 %"], {}) == 50
