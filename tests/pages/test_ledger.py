"""What a visit pays: all that is drawn from a file, once; and no two files share noise."""

import ast
import math
import re
import threading
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.answers.said import plain
from dpviz.core.budgets import ZCDP, Neighbours
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import samples
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.mechanisms.spatial import (
    adaptive_grid,
    hilbert_tree,
    kd_cell,
    kd_tree,
    privtree,
    quadtree,
    uniform_grid,
)
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.ui.kit.account.ledger import Total, at_most
from tests.conftest import ROOT
from tests.pages.driver import (
    asking_nobody,
    declare,
    figures,
    healthy,
    inside,
    opened,
    pick,
    table,
    uploaded,
    with_file,
)
from tests.pages.maps import with_points
from tests.pages.own_file import with_own
from tests.pages.test_same_controls import controls
from tests.views import walk

LINE = b"a\n" + b"".join(b"%d\n" % (value % 90) for value in range(400))
PLANE = b"a,b\n" + b"".join(b"%d,%d\n" % (value % 89, value % 83) for value in range(300))
DRAWERS = {
    *catalogue.QUANTILES,
    CountTree,
    SanitizedColumn,
    QuantileQuery,
    CountQuery,
}


def account(app, payer="upload"):
    kept = accounts(app)
    return kept[payer].total if payer in kept else Total()


def accounts(app):
    return app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401


def spent(app, payer="upload"):
    total = account(app, payer)
    return total.epsilon + total.rho


def booked(app, payer):
    """What was drawn about a payer, the budgets of what was simulated as well."""
    entries = accounts(app)[payer].entries if payer in accounts(app) else ()
    return math.fsum(one.budget.size * one.times for one in entries)


def everything(app):
    """What the spy sees: draws from the file, and before it was there from the first sample."""
    assert booked(app, "upload") > 0
    return sum(booked(app, payer) for payer in accounts(app))


def ledger(app):
    """What the ledger says, in the dock or among the numbers: totals, and one line a release."""
    said = [one.value for one in app.markdown]
    return "\n".join(one for one in said if re.search("×|promised|simulated|in all", one))


def at(app, page, **choices):
    healthy(app.switch_page(f"pages/{page}.py").run())
    return pick(app, **choices)


def click(app, label=None, key=None):
    next(one for one in app.button if one.label == label or (key and one.key == key)).click()
    return healthy(app.run())


class Spy:
    """Adds up what mechanisms are made to spend, by outermost calls; a trace draws nothing new."""

    def __init__(self, monkeypatch):
        self.size, self.calls = 0.0, 0
        self.inside = threading.local()
        kinds = {*DRAWERS, *self.spatial()} - {KdPure, KdTrue}
        for kind in kinds:
            for name in ("release", "release_many"):
                if callable(getattr(kind, name, None)):
                    monkeypatch.setattr(kind, name, self.watched(getattr(kind, name)))

    @staticmethod
    def spatial():
        modules = (adaptive_grid, hilbert_tree, kd_cell, kd_tree, privtree, quadtree, uniform_grid)
        found = [vars(one).values() for one in modules]
        return {kind for kinds in found for kind in kinds if hasattr(kind, "release")}

    def watched(self, original):
        def call(*args, **named):
            given = signature(original).bind(*args, **named).arguments
            outermost = not getattr(self.inside, "yes", False)
            self.inside.yes = True
            try:
                drawn = original(*args, **named)  # what is refused draws nothing
            finally:
                if outermost:
                    self.inside.yes = False
            if outermost:
                self.size += given["budget"].size * given.get("runs", 1)
                self.calls += 1
            return drawn

        return call


@pytest.fixture
def spy(monkeypatch):
    return Spy(monkeypatch)


VISITS = {
    "quantiles": ("quantiles", [{"q_view": "compare"}, {"bands": True, "runs": 20}]),
    "quantiles in zCDP": ("quantiles", [{"notion": "zcdp"}]),
    "quantiles for an outsider": ("quantiles", [{"truth": False}, {"method": "AggTree"}]),
    "bands": ("quantiles", [{"method": "AggTree", "bands": True}, {"runs": 100}]),
    "recursion": ("quantiles", [{"q_view": "recursion"}]),
    "synthetic": ("quantiles", [{"q_view": "column"}]),
    "jitter": ("quantiles", [{"ties": "jitter"}]),
    "trees": ("trees", [{"t_fanout": 2, "t_height": 3}, {"trees_view": "cdf"}]),
    "averaging": ("budget", [{"b_ask": "quantile"}, {"b_k": 20}, {"b_k": 5}, {"b_k": 100}]),
    "averaging of a count": ("budget", [{"b_k": 10}, {"b_eps": 0.2}]),
    "one count": ("neighbours", [{"new_draw": True}, {"new_draw": True}]),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("visit", VISITS)
def test_what_is_drawn_from_a_file_is_booked(visit, spy):
    page, steps = VISITS[visit]
    app = with_own(LINE, 0, 90, 1, truth=True)
    at(app, page)
    for step in steps:
        pick(app, **step)
        assert spy.calls
        assert everything(app) == pytest.approx(spy.size)
    pick(app, seed=3)
    assert everything(app) == pytest.approx(spy.size)


def test_what_is_drawn_from_points_is_booked(spy):
    app = with_points(PLANE, box=((0.0, 90.0), (0.0, 90.0)))
    pick(app, m_height=2, m_method="kd-tree", m_second="uniform grid")
    assert everything(app) == pytest.approx(spy.size)
    for view in ("matching", "compare"):
        before = spy.calls
        pick(app, map_view=view)
        assert spy.calls > before
        assert everything(app) == pytest.approx(spy.size)


def test_an_audit_of_a_file_is_booked(spy):
    app = at(with_own(LINE, 0, 90, 1, truth=True), "audit")
    free = spy.size  # of a made-up pair: a file's own columns are compared only when asked for
    assert free
    assert spent(app) == 0
    pick(app, n_columns="this column")
    for step in ({"a_ask": "quantile"}, {"n_runs": 2_000}, {"a_ask": "count"}, {"seed": 3}):
        pick(app, **step)
        assert everything(app) == pytest.approx(spy.size - free)


def test_a_hard_pair_is_nobodys(spy):
    app = at(with_own(LINE, 0, 90, 1, truth=True), "audit", n_columns="this column")
    before, calls = spent(app), spy.calls
    assert calls
    for kind in ("quantile", "count"):
        pick(app, n_columns="a hard pair", a_ask=kind)
    assert spy.calls > calls
    assert spent(app) == before


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("view", "choices"),
    [
        ("search", {"w_mechanisms": ["AggTree"], "w_fanout": 2}),
        ("sweep", {"w_mechanisms": ["AggTree"], "w_runs": 10}),
        ("sweep", {"w_mechanisms": ["AggTree"], "w_runs": 10, "w_axis": "n"}),
        ("wins", {"w_mechanisms": ["AggTree", "IndependentExp"]}),
    ],
)
def test_a_run_is_paid_when_it_starts_for_all_that_it_can_take(view, choices, spy, monkeypatch):
    monkeypatch.setattr(
        "dpviz.ui.kit.jobs.processes_for", lambda seconds: 0
    )  # the spy sees threads
    app = inside(opened(), view)
    pick(app, **choices)
    before, drawn = booked(app, "exam"), spy.size
    start = next(one for one in app.button if str(one.key).startswith("w_run_"))
    healthy(start.click().run())
    paid = booked(app, "exam") - before
    (job,) = app.session_state["_jobs"].values()
    job.wait(60)
    job.stop()
    assert 0 < spy.size - drawn <= paid * (1 + 1e-9)


@pytest.fixture
def unstarted(monkeypatch):
    """Runs are paid, and never begin."""
    monkeypatch.setattr("dpviz.ui.kit.jobs.Job.start", lambda self: None)


def started(app):
    start = next(one for one in app.button if str(one.key).startswith("w_run_"))
    return healthy(start.click().run())


def test_the_same_release_again_is_not_paid_again_and_a_new_draw_is():
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles", method="AggTree", eps=0.5)
    before = spent(app)
    for step in ({"below": "Numbers"}, {"truth": False}, {"truth": True}, {"eps": 0.2}):
        pick(app, **step)
    assert spent(app) == pytest.approx(before + 0.2)
    pick(app, eps=0.5)
    assert spent(app) == pytest.approx(before + 0.2)
    click(app, "New draw")
    assert spent(app) == pytest.approx(before + 0.7)
    assert "AggTree" in ledger(app)


def test_an_evicted_result_comes_back_the_same_and_is_not_paid_again():
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles", method="AggTree")
    first, before = table(pick(app, below="Numbers"))["AggTree"].to_numpy(), spent(app)
    app.session_state["_results"].clear()
    np.testing.assert_array_equal(table(healthy(app.run()))["AggTree"].to_numpy(), first)
    assert spent(app) == before


def test_all_files_share_a_total_that_forgetting_does_not_lower():
    app = at(with_file("a.csv", LINE, 0, 90, 1), "quantiles", method="AggTree")
    first = spent(app)
    assert first > 0
    click(app, key="ledger_forget")
    assert app.session_state["_upload"] is None
    assert spent(app) == first
    at(app, "data")
    app.file_uploader(key="file").upload("b.csv", b"b\n1\n2\n3\n", "text/csv")
    asking_nobody(healthy(app.run()))
    assert spent(app) == first
    at(declare(app, 0, 5), "quantiles", method="AggTree")
    assert spent(app) > first
    assert account(app).epsilon == pytest.approx(spent(app))


def test_a_sample_is_a_lesson_by_itself():
    app = at(opened(), "quantiles", method="AggTree")
    key = app.session_state["data"]
    one = spent(app, key)
    assert one > 0
    assert spent(app) == 0
    click(app, "New draw")
    assert spent(app, key) > one
    before = spent(app, key)
    pick(app, data_choice=next(one.key for one in samples() if one.key != key))
    assert spent(app, key) == before
    assert 0 < spent(app, app.session_state["data"]) < before


def answers(app):
    at(app, "quantiles", method="IndependentExp")
    return table(pick(app, below="Numbers"))["IndependentExp"].to_numpy()


def times(app, what):
    """How often something was booked, about anybody."""
    lines = [line for one in accounts(app).values() for line in one.lines()]
    return sum(line.times for line in lines if line.what == what)


def again(app, *, forgets, content=LINE):
    """The same file, or another of its name, read again in the same visit."""
    at(app, "data")
    if forgets:
        click(app, "Forget this file")
    app.file_uploader(key="file").upload("a.csv", content, "text/csv")
    asking_nobody(healthy(app.run()))
    return declare(app, 0, 90, 0)


@pytest.mark.parametrize("forgets", [False, True])
def test_the_same_file_twice_gives_other_numbers_and_is_booked_twice(forgets):
    app = with_file("a.csv", LINE, 0, 90, 0)
    first = answers(app)
    secret = app.session_state["_upload"].secret
    np.testing.assert_array_equal(answers(app), first)
    assert times(app, "AppIndExp") == 1
    second = answers(again(app, forgets=forgets))
    assert (second != first).all()
    assert times(app, "AppIndExp") == 2
    assert app.session_state["_upload"].secret != secret
    assert len(secret) == 32


@pytest.mark.parametrize("forgets", [False, True])
def test_a_press_is_about_the_file_that_was_there(forgets):
    """An equal file read later was checked by itself, and booked: one record more was not."""
    seen = []
    for content in (LINE, LINE + b"17\n"):
        app = at(declare(uploaded("a.csv", LINE, truth=False), 0, 90, 0), "quantiles")
        click(app, key="check_ranks")
        assert app.button(key="check_ranks").disabled
        at(again(app, forgets=forgets, content=content), "quantiles")
        seen.append([*controls(app), accounts(app)["upload"].entries])
        assert (times(app, "AQ"), times(app, "checked ranks")) == (2, 1)
        assert not app.button(key="check_ranks").disabled
    assert seen[0] == seen[1]


@pytest.mark.parametrize("way", [{"drop_unreadable": True}, {"upload_person": "b"}])
def test_another_way_to_prepare_equal_values_is_another_draw(way):
    """What counts stays the same rows: equal numbers would tell that it does."""
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (one, one) for one in range(80))
    app = declare(uploaded("a.csv", content, truth=False), 0, 90, 0)
    first = answers(app)
    pick(at(app, "data"), **way)
    assert (answers(app) != first).all()
    assert times(app, "AppIndExp") == 2


def test_another_way_to_prepare_a_column_keeps_the_secret():
    app = uploaded("a.csv", b"a,b\n1,1\n2,2\nx,3\n")
    secret = app.session_state["_upload"].secret
    pick(app, upload_column="b")
    assert app.session_state["_upload"].secret == secret


def test_equal_columns_do_not_betray_that_they_are():
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (value, value) for value in range(80))
    app = declare(uploaded("a.csv", content), 0, 90, 0)
    first = answers(app)
    at(app, "data", upload_column="b")
    declare(app, 0, 90, 0)
    assert (answers(app) != first).all()


def test_the_barrier_of_every_page_shows_the_total():
    app = pick(declare(uploaded("a.csv", PLANE), 0, 90), upload_y="b", y_low=0.0, y_high=90.0)
    for page in ("quantiles", "trees", "map", "neighbours", "budget", "audit", "what_if"):
        _ = inside(app) if page == "what_if" else at(app, page)
        assert plain(str(account(app))) in ledger(app)
        assert any(one.key == "ledger_forget" for one in app.button)


def test_the_total_follows_what_is_drawn_below_the_barrier():
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles", method="AggTree", notion="zcdp")
    before = ledger(app)
    pick(app, q_view="column")
    assert ledger(app) != before
    assert "ρ" in ledger(app)
    assert isinstance(account(app).rho, float)
    assert ZCDP(account(app).rho)


PERSONS = b"who,a\n" + b"".join(b"p%d,%d\n" % (one, one % 90) for one in range(500))


def labels(app):
    """What the popovers of the page are called."""
    return [one.proto.popover.label.replace("\\", "") for one in app.get("popover")]


def test_rows_and_people_of_one_file_add_up():
    """500 rows of 500 persons: 0.1 as rows, 0.2 as people, and back to the rows: 0.3 was spent."""
    app = uploaded("a.csv", PERSONS, truth=False)
    declare(pick(app, upload_column="a"), 0, 90, 1)
    app.session_state["_visit"]["eps"] = 0.1
    at(app, "quantiles")
    assert "Spent ε = 0.1" in labels(app)
    pick(at(app, "data"), upload_person="who")
    app.session_state["_visit"]["eps"] = 0.2
    at(app, "quantiles")
    assert "Spent ε = 0.2, and others" in labels(app)
    assert "ε = 0.2 of 1 promised, and draws without" in ledger(app).replace("\\", "")
    assert "ε = 0.3 of 1 promised" in ledger(app).replace("\\", "")  # of those with one row
    pick(at(app, "data"), upload_person="")
    app.session_state["_visit"]["eps"] = 0.1
    at(app, "quantiles")
    assert "Spent ε = 0.3" in labels(app)
    assert "promised to people with all their rows: ε = 0.2" in ledger(app).replace("\\", "")


@pytest.mark.parametrize("own", [True, False])
def test_the_curve_of_a_tree_is_one_release_and_further_draws_are_named_apart(own):
    app = with_own(LINE, 0, 90, 1, truth=True) if own else opened()
    app.session_state["_visit"]["eps"] = 0.1
    at(app, "trees", trees_view="cdf")
    payer = "upload" if own else "exam"
    assert account(app, payer) == Total(0.1)
    said = ledger(app).replace("\\", "")
    assert "tree, further trials: simulated 10 releases; nothing published" in said
    assert "tree: 1 × ε = 0.1" in said


def test_with_the_truth_off_nothing_is_simulated_and_all_that_is_drawn_spends():
    """Twin: bands, trials or an audit that an outsider sees, and nobody adds up."""
    app = with_own(LINE, 0, 90, 1, truth=False)
    for page in ("quantiles", "trees", "neighbours", "budget", "audit"):
        at(app, page)
        asks = [{"a_ask": one} for one in ("quantile", "count")] if page == "audit" else []
        for choice in [*(view for _, view in walk(page)), *asks]:
            pick(app, **choice)
    assert accounts(app)["upload"].simulated == 0
    assert [one.what for one in accounts(app)["upload"].entries] == [
        "AQ", "made-up column", "profile of 1 column", "20 bins", "tree",
    ]  # fmt: skip


def test_the_exact_search_says_in_numbers_of_releases_what_it_does(unstarted):
    app = inside(opened(), "search")
    pick(app, w_mechanisms=["AggTree"])
    before = account(app, "exam")
    started(app)
    assert account(app, "exam") == before == Total()
    entries = accounts(app)["exam"].entries
    runs = sum(one.times for one in entries)
    assert f"Simulated {at_most(runs)} releases" in labels(app)
    assert f"simulated {at_most(runs)} releases; nothing published" in ledger(app)
    assert "nothing of 1 promised" in ledger(app)
    assert runs > 1_000
    assert sum(one.budget.size * one.times for one in entries) > 1e5  # what was said before


def test_a_ledger_has_no_number_of_more_than_three_digits(unstarted):
    app = with_own(LINE, 0, 90, 1, truth=True)
    app.session_state["_visit"] |= {"eps": 0.12345, "b_promise": 1.23456}
    at(app, "quantiles", method="ApproximateQuantiles", bands=True)
    pick(app, notion="zcdp")
    said = ledger(app).replace("\\", "")
    assert "AQ: 1 × ε = 0.124" in said  # up; what was promised is rounded down
    assert "of 1.23 promised" in said
    numbers = [one.replace(",", "").replace(".", "") for one in re.findall(r"\d[\d.,]*", said)]
    assert len(numbers) >= 6
    assert all(len(one.strip("0")) <= 3 for one in numbers)


# who makes a generator of its own, and why nothing of a file is released with it
MAKERS = {
    "dpviz/ui/methods/cards.py": "small pictures of samples, made beforehand",
    "dpviz/ui/kit/draws.py": "the one way: it books",
    "dpviz/ui/trees/studies.py": "simulates noise, without data",
    "dpviz/answers/trees/cdf.py": "simulates a band of noise, without data",
    "dpviz/answers/trees/outsider.py": "simulates a band of noise, without data",
    "dpviz/ui/spatial/compared.py": "rectangles to ask about",
    "dpviz/ui/spatial/medians.py": "generated points",
    "dpviz/ui/spatial/methods.py": "a public workload",
    "dpviz/ui/beforehand/frame.py": "noise on nobody, and stand-ins, nobody's data",
    "dpviz/ui/what_if/basis.py": "stand-ins, nobody's data",
    "dpviz/ui/decide/stand_ins.py": "made-up people in place of a file's",
    "dpviz/answers/quantiles/bins.py": "noise on nobody",
    "dpviz/answers/spatial/place_list.py": "a made-up country",
    "dpviz/ui/spatial/places.py": "noise on public places",
    "dpviz/answers/decide/quantiles.py": "made-up people, and samples",
    "dpviz/answers/decide/quantile_buys.py": "the curve through a release, again and again",
    "dpviz/answers/decide/exact/curve.py": "noise on nobody",
    "dpviz/ui/what_if/search.py": "runs that are booked when they start",
    "dpviz/ui/what_if/sweep.py": "runs that are booked when they start",
    "dpviz/ui/what_if/wins.py": "runs that are booked when they start",
    "dpviz/ui/papers/files.py": "stand-ins for files",
    "dpviz/ui/papers/aq.py": "made-up sets, and runs that are booked when they start",
    "dpviz/ui/papers/spatial.py": "made-up points, and runs that are booked when they start",
}


def makers(root: Path) -> set[str]:
    found = set()
    above = [root / "dpviz" / "answers", root / "dpviz" / "ui", root / "pages"]
    for file in (file for folder in above for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng"):
                found.add(file.relative_to(root).as_posix())
    return found


def test_nobody_else_makes_a_generator():
    assert makers(ROOT) == set(MAKERS)


def test_a_generator_made_elsewhere_is_caught(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.py").write_text("import numpy as np\nr = np.random.default_rng(7)\n")
    assert makers(tmp_path) == {"pages/a.py"}


def test_a_draw_that_is_not_booked_is_caught(spy, monkeypatch):
    monkeypatch.setattr("dpviz.ui.kit.draws.Draw.book", lambda *_, **__: None)
    app = at(with_own(LINE, 0, 90, 1, truth=True), "quantiles", method="AggTree")
    assert figures(app)
    assert spy.size > 0
    assert spent(app) == 0


def test_draws_for_people_of_two_columns_are_no_sum():
    """Twin: one tank for both, so that ten draws for visits cost a user with 200 of them 1."""
    lines = [f"{(7 * i) % 100 + 0.5},u{i % 3},v{i}" for i in range(600)]
    content = "\n".join(["value,user,visit", *lines]).encode()
    app = uploaded("b.csv", content, truth=False)
    declare(pick(app, upload_column="value"), 0, 100, 1)
    app.session_state["_visit"]["eps"] = 0.1
    apart = "ε = 0.1 of 1 promised, and draws without a promise to people"
    for column, times in (("user", 0), ("visit", 2), ("user", 2)):
        pick(at(app, "data"), upload_person=column)
        at(app, "quantiles")
        found = ledger(app).replace("\\", "")
        assert found.count(apart) == times
    titles = [one.value for one in app.markdown if "people with several rows, by" in one.value]
    assert [("user" in one, "visit" in one) for one in titles] == [(True, False), (False, True)]
    assert "ε = 0.2 of 1 promised\n" in found  # of those with one row


def test_draws_under_another_relation_are_said_or_counted_twice():
    app = uploaded("a.csv", PERSONS, truth=False)
    declare(pick(app, upload_column="a"), 0, 90, 1)
    app.session_state["_visit"]["eps"] = 0.1
    at(app, "quantiles")
    assert "Spent ε = 0.1" in labels(app)
    app.session_state["_visit"]["neighbours"] = Neighbours.REPLACE_ONE
    at(app, "quantiles")
    assert "Spent ε = 0.3" in labels(app)  # the draw before counts twice; twin: 0.2
    app.session_state["_visit"]["neighbours"] = Neighbours.ADD_REMOVE
    at(app, "quantiles")
    assert "Spent ε = 0.1, and others" in labels(app)
    assert "ε = 0.1 of 1 promised, and draws under replace one" in ledger(app).replace("\\", "")
