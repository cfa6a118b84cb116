"""The views under the sentence: their rows, where these stand, and what a task is made of."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.decide.needs import OFTEN
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.answers.decide.sentences import QUANTILES, WHAT, form_of
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.planning.shaped import Shape
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.samples import sample, sample_column
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.decide.quantiles import QuantilesTopic
from dpviz.ui.kit import session
from dpviz.ui.model.fields import of
from dpviz.ui.pages import what_if
from dpviz.ui.pages.what_if import PAGE
from dpviz.ui.visit import state
from dpviz.ui.what_if import basis, search, sweep, wins
from dpviz.ui.what_if.asked import RUNS
from dpviz.ui.what_if.many import Many
from dpviz.ui.what_if.search import Search
from dpviz.ui.what_if.sweep import Sweep
from dpviz.ui.what_if.wins import Wins
from tests.rows import by_rows

TASKS = {"sweep": Sweep, "wins": Wins, "search": Search, "many": Many}
REFUSALS = (ValueError, KeyError, OverflowError, DpvizError)
ROWS = {row.key: row for row in PAGE.rows}
SENTENCE = {"what", "given", "unit", "off", "often", "own"}
EVERYWHERE = SENTENCE | {"w_mechanisms", "w_fanout", "w_height"}


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
    monkeypatch.setattr(session, "scope", lambda: "exam")
    monkeypatch.setattr(session, "unit", lambda: "mark")
    monkeypatch.setattr(session, "declared_bounds", lambda: sample_column("exam").bounds)
    monkeypatch.setattr(session, "default_declarations", lambda: (0.0, 100.0, 1.0))
    monkeypatch.setattr(session, "chosen_sample", lambda: exam)
    monkeypatch.setattr(session, "words", lambda: exam.words)
    monkeypatch.setattr(session, "column", lambda: sample_column("exam"))
    monkeypatch.setattr(basis, "source", lambda: "exam")
    monkeypatch.setattr(basis.memory, "remembered", lambda _, made: made())
    monkeypatch.setattr(basis.words, "kind_of_number", lambda: held.get("kind", "mark"))
    monkeypatch.setattr(state, "put", held.__setitem__)
    monkeypatch.setattr(what_if, "_decision", lambda *_: held.get("decision", decision(1.0)))
    return held


def decision(percent, size=0.3, *, is_about=False):
    """What the sentence asks: a need in per cent of the places, and its answer."""
    topic = QuantilesTopic(None, {}, SimpleNamespace(people=6_000))
    unit, amount = ("share", percent) if percent is not None else ("unit", 1.0)
    object.__setattr__(topic, "_places", lambda _: None)
    price = Price((Way("AggTree", size),), Need(amount, unit), size, None, is_about=is_about)
    return Decision(None, {}, topic=topic, price=price)


def at_first(view="search", budget=PureDP(1), **chosen):  # noqa: B008
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


def asked(view="search", budget=PureDP(1), **chosen):  # noqa: B008
    return what_if._ask(at_first(view, budget, **chosen), Now(budget))


def test_every_view_has_its_rows():
    assert there(at_first("search")) | {"own"} == EVERYWHERE
    swept = {"w_metric", "w_preset", "w_axis", "w_unit", "w_runs"}
    assert there(at_first("sweep")) | {"own"} == EVERYWHERE | swept
    assert there(at_first("wins", what="own")) == EVERYWHERE | {"w_metric", "w_map"}
    own = {"many_shape", "many_people", "many_eps"}
    assert there(at_first("many")) | {"own"} == EVERYWHERE - {"w_mechanisms"} | own
    assert [view.name for view in PAGE.views] == list(TASKS)
    assert PAGE.tabs == ("", *TASKS)  # so that a link says each of them


def test_what_the_sentence_says_is_drawn_nowhere_and_the_dock_has_no_fields():
    for view in TASKS:
        values = at_first(view, what="own")
        assert there(values, "sentence") == SENTENCE - {"own"}
        assert not any(there(values, place) for place in ("budget", "dock", "late", "below"))
    assert [view.name for view in PAGE.views if view.spends] == ["sweep", "wins"]


@by_rows("key", list(ROWS))
def test_a_link_says_what_a_field_holds(key):
    row, values = ROWS[key], at_first()
    texts = row.kind.write(values[key]) if values[key] is not None else []
    if texts:
        assert row.kind.fit(row.kind.read(texts, values), values) == values[key]
    takes = {("w_mechanisms",), ("over", "-1")}
    for nonsense in (["nonsense\n"], ["1e999"], ["-1"], []):
        if (key, *nonsense) not in takes:
            with pytest.raises(REFUSALS):
                row.kind.read(nonsense, values)


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
def test_a_task_asks_what_was_said(view, of_marks):
    of_marks["decision"] = decision(2.0)
    task = asked(view, w_metric="largest gap", often=0.9, w_fanout=3, w_height=5,
                 what="quartiles")  # fmt: skip
    aims = view == "search"
    assert type(task) is TASKS[view]
    assert asked(view).asked.metric == ("largest gap" if aims else "mean gap")
    assert task.asked.metric == "largest gap"
    assert task.asked.probability == (0.9 if aims else 0.95)
    assert task.asked.tree == (3, 5)
    assert task.asked.question == "quartiles"
    assert (task.percent, task.decision is None) == ((2.0, False) if aims else (1.0, True))
    assert task.asked.basis.title == sample("exam").title
    assert task.is_real
    without = asked(view, w_fanout=3, w_mechanisms=("JointExp", "IndependentExp"))
    assert without.asked.tree == (None, None)  # none of them has one


def test_quantiles_of_every_first_word():
    def quantiles(**chosen):
        task = asked(**chosen)
        return task.asked.question, task.asked.quantiles.asked.tolist()

    assert quantiles(what="own", own="10%, 0.4") == ("own list", [0.1, 0.4])
    assert quantiles(what="median") == ("median", [0.5])


def test_what_cannot_be_asked(monkeypatch):
    problems = []
    monkeypatch.setattr("dpviz.ui.kit.messages.problem", problems.append)
    assert asked(w_mechanisms=()) is None
    assert asked(what="own", own="1.5") is None
    assert len(problems) == 1
    assert "two methods" in asked("wins", w_mechanisms=("AggTree",))
    assert isinstance(asked("sweep", w_mechanisms=("AggTree",)), Sweep)


@pytest.mark.parametrize("what", [one for one in WHAT if form_of(one) != QUANTILES])
def test_other_sentences_have_no_such_views(what):
    for view in TASKS:
        noun = what_if.NOUNS[form_of(what)]
        said = f"This view is about quantiles, and the sentence is about {noun}."
        assert asked(view, what=what) == said


def test_a_need_without_a_place_in_the_ranking_says_why(of_marks):
    for found, said in (
        (decision(None), "The need is less than one place in the ranking: "),
        (decision(None, None, is_about=True), "The answer is still to be worked out, "),
        (decision(None, None), "No budget keeps this need, "),
        (Decision(Now(PureDP(1)), {}, ("bounds", "people")), "Two bounds and a number of people "),
        (Decision(Now(PureDP(1)), {}, problem="values are 100 apart."), "Values are 100 apart."),
    ):
        of_marks["decision"] = found
        assert asked("search").startswith(said)
        assert not asked("search").endswith("..")
        assert isinstance(asked("sweep"), Sweep)  # it looks at no need


def test_a_stand_in_has_the_people_that_were_told_and_the_shape_of_the_kind(of_marks):
    of_marks |= {"upload": True}
    told = asked("sweep").asked.basis
    assert (told.n, told.is_stand_in, told.why) == (15_000, True, basis.WHY_FILE)
    of_marks["size"] = 420.4
    assert asked().asked.basis.n == 420
    assert asked().asked.basis.column().n == 420
    assert not asked().is_real
    of_marks["size"] = 0.0
    assert asked().asked.basis.n == 1
    shapes = {"money": ("log-normal", "pay"), "mark": ("normal", "measurements"),
              "stars": ("stars", "stars"), "age": ("uniform", "anything alike")}  # fmt: skip
    for kind, (shape, title) in shapes.items():
        of_marks["kind"] = kind
        told = asked().asked.basis
        assert (told.shape, told.title) == (shape, f"Stand-in: {title}, 1 person")


def test_a_file_is_run_on_the_made_up_people_of_its_sentence(of_marks, monkeypatch):
    of_marks |= {"upload": True, "size": 420.0, "kind": "money"}
    shape = Shape("money", Bounds(0, 100), 1.0, 20.0, 60.0)
    monkeypatch.setattr(basis.stand_ins, "shape", lambda: (shape, None))
    told = asked("sweep").asked.basis
    twin = shape.columns(np.random.default_rng(STAND_IN_SEED), 420, 1)[0]
    np.testing.assert_array_equal(told.column().values, twin.values)
    monkeypatch.setattr(basis.stand_ins, "shape", lambda: (replace(shape, half=30.0), None))
    assert asked("sweep").asked.basis.about != told.about
    of_marks["size"] = 6e6
    with pytest.raises(InvalidParameter, match=r"5.?000.?000"):
        asked("sweep").asked.basis.column()


def test_a_search_is_for_so_many_places(monkeypatch, of_marks):
    seen = []
    of_marks["decision"] = decision(2.0)
    monkeypatch.setattr(search, "smallest_size", lambda *given: seen.append(given[4:8]))
    asked("search", often=0.9).study.build()
    assert seen == [(120.0, "largest gap", 0.9, 200)]  # of 6,000 students


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


def test_a_run_of_other_settings_is_none_of_these(monkeypatch):
    jobs = {}
    monkeypatch.setattr("dpviz.ui.what_if.asked.job_of", lambda study: jobs.get(study.place))
    jobs["smallest"] = SimpleNamespace(key=asked(often=0.9).study.key)
    assert asked(often=0.9).own_job is jobs["smallest"]
    other = asked(often=0.99)
    assert (other.own_job, other.job) == (None, jobs["smallest"])


def test_a_key_names_what_a_run_hangs_on(of_marks):
    def key(view, **chosen):
        return asked(view, **chosen).study.key

    for view, moves, stays in (
        ("search", {"what": "median"}, {"given": "budget"}),
        ("search", {"often": 0.9}, {}),
        ("sweep", {"w_runs": 10}, {"w_unit": "% of people", "w_metric": "largest gap"}),
        ("sweep", {"w_axis": Axis.RECORDS}, {"often": 0.9}),
        ("wins", {"w_map": "complete"}, {"what": "quartiles", "w_metric": "largest gap"}),
    ):
        assert key(view, **moves) != key(view)
        assert key(view, **stays) == key(view)
    first = key("search"), key("sweep")
    of_marks["decision"] = decision(2.0)
    assert key("search") != first[0]
    assert key("sweep") == first[1]


@pytest.mark.parametrize("often", OFTEN)
def test_a_run_is_large_enough_for_every_word(often):
    assert asked(often=often).study.title
    assert RUNS[often] * (1 - often) >= 5  # some releases lie beyond


@pytest.mark.parametrize(
    ("unit", "amount", "percent"),
    [("share", 1.7, 1.7), ("places", 30.0, 100 * 30 / 731), ("unit", 2.0, 100 * 12 / 731),
     ("value", 2.0, 100 * 12 / 731)],
)  # fmt: skip
def test_a_need_in_per_cent_of_the_places(unit, amount, percent):
    topic = QuantilesTopic(None, {}, SimpleNamespace(people=731))
    places = {"found": 12}
    object.__setattr__(topic, "_places", lambda _: places["found"])
    price = Price((Way("AggTree", 0.3),), Need(amount, unit), 0.3, None)
    assert topic.percent(price) == pytest.approx(percent)
    for none in (0, None):
        places["found"] = none
        assert topic.percent(price) == (None if unit in ("unit", "value") else percent)


def test_a_basis_is_called_by_what_it_is_of(of_marks):
    exam = asked().asked.basis
    assert exam.title == exam.map_title == sample("exam").title
    of_marks |= {"upload": True, "size": 420.0}
    made_up = asked().asked.basis
    assert made_up.title.startswith("Stand-in: ")
    assert made_up.title.endswith(", 420 people")
    assert made_up.map_title == made_up.title.replace("420", "15,000")
    of_marks["size"] = 1.0
    assert asked().asked.basis.title.endswith(", 1 person")


def test_chips_are_settings_that_are_not_as_at_first():
    task = asked("search", often=0.9, w_fanout=3, w_height=5).asked
    assert task.chips("mean gap") == ["largest gap", "9 of 10", "tree 3 ^ 5"]
    assert task.chips("largest gap") == ["9 of 10", "tree 3 ^ 5"]
