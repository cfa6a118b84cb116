"""The tables of One person, Budget and Audit: first values, places, and what links say."""

from itertools import product

import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.noise import Noise
from dpviz.intake.samples import Noun
from dpviz.ui.kit import session
from dpviz.ui.model.fields import of
from dpviz.ui.pages import audit, budget, neighbours
from dpviz.ui.understand import people, rows, spending
from dpviz.ui.understand.audit import trials
from dpviz.ui.visit import state
from tests.rows import by_rows

PAGES = (neighbours.PAGE, budget.PAGE, audit.PAGE)
NOTIONS = (PureDP(1), ZCDP(0.5), ApproxDP(1, 1e-6))
REFUSALS = (ValueError, KeyError, OverflowError, DpvizError)


class Words:
    people = Noun("person", "people")


@pytest.fixture(autouse=True)
def of_pay(monkeypatch):
    """A session with a sample of pay between 0 and 500,000, and no browser."""
    held: dict[str, object] = {}
    ends = {"low": 0.0, "high": 500_000.0}
    monkeypatch.setattr(session, "declared", ends.__getitem__)
    monkeypatch.setattr(session, "scope", lambda: held.get("scope", "salaries"))
    monkeypatch.setattr(session, "link", lambda: None if held.get("upload") else "salaries")
    monkeypatch.setattr(session, "is_upload", lambda: bool(held.get("upload")))
    monkeypatch.setattr(session, "shows_truth", lambda: bool(held.get("truth", True)))
    monkeypatch.setattr(session, "words", Words)
    monkeypatch.setattr(session, "neighbours", lambda: Neighbours.ADD_REMOVE)
    monkeypatch.setattr(state, "get", held.get)
    monkeypatch.setattr(state, "put", held.__setitem__)
    return held


def at_first(page, budget=PureDP(1), relation=Neighbours.ADD_REMOVE, view="", **chosen):  # noqa: B008
    """As settled, where a person chose some."""
    values = {
        "view": view or page.views[0].name, "budget": budget, "truth": True, "relation": relation,
    }  # fmt: skip
    for row in page.rows:
        value = chosen[row.key] if row.key in chosen else of(row.first, values)
        values[row.key] = row.kind.fit(value, values)
    return values


def there(page, values, place=""):
    return {
        row.key
        for row in page.rows
        if row.when(values) and (not place or of(row.place, values) == place)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_keys_and_views_are_in_order(page):
    keys = [row.key for row in page.rows]
    assert len(set(keys)) == len(keys)
    assert all(view.numbers and view.say and view.draw and view.title for view in page.views)
    places = ("dock", "late", "budget")
    for view, notion in product(page.views, NOTIONS):
        values = at_first(page, notion, view=view.name)
        assert all(len(there(page, values, place)) <= 1 for place in places)


@by_rows(
    ("page", "key"),
    [(page, row.key) for page in PAGES for row in page.rows],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_a_link_says_what_a_field_holds(page, key):
    values = at_first(page)
    (row,) = (row for row in page.rows if row.key == key)
    if values[key] is not None:
        texts = row.kind.write(values[key])
        assert row.kind.fit(row.kind.read(texts, values), values) == values[key]
    for nonsense in (["nonsense\n"], ["1e999"], ["a", "b"], [""], []):
        with pytest.raises(REFUSALS):
            row.kind.read(nonsense, values)


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (neighbours.PAGE, {"n_noise": "laplace", "n_which": "at a rank", "n_way": "added",
                           "n_where": "lower bound", "n_side": "up to", "n_offset": "-3"}),
        (budget.PAGE, {"b_eps": "0.37", "b_k": "1000", "b_promise": "2.5", "b_ask": "quantile"}),
        (audit.PAGE, {"a_ask": "tree", "n_runs": "50000", "n_confidence": "99.9 %",
                      "n_columns": "a hard pair", "n_mistake": "doubles", "n_twin": "false"}),
    ],
    ids=lambda one: getattr(one, "name", ""),
)  # fmt: skip
def test_links_speak_by_the_names_that_they_had(page, says):
    for key, text in says.items():
        (row,) = (row for row in page.rows if row.key == key)
        assert row.kind.write(row.kind.read([text], at_first(page))) == [text]


WHERE = [
    ("line", "over", 0.5, "lower bound"), ("line", "up to", 0.5, "upper bound"),
    ("least", "over", 0.5, "upper bound"), ("greatest", "over", 0.5, "lower bound"),
    ("median", "over", 0.5, "upper bound"), ("at a rank", "over", 0.5, "upper bound"),
    ("at a rank", "over", 0.2, "upper bound"),
]  # fmt: skip


@pytest.mark.parametrize(("whom", "side", "quantile", "where"), WHERE)
def test_a_replaced_value_comes_on_the_other_side(whom, side, quantile, where):
    values = at_first(
        neighbours.PAGE, relation=Neighbours.REPLACE_ONE,
        n_which=whom, n_side=side, n_quantile=quantile,
    )  # fmt: skip
    assert values["n_where"] == where
    assert {"n_which", "n_where"} <= there(neighbours.PAGE, values)
    assert "n_way" not in there(neighbours.PAGE, values)
    assert ("n_share" in there(neighbours.PAGE, values)) == (whom == "at a rank")


@pytest.mark.parametrize(("quantile", "share", "where"), [(0.2, 25, "lower bound"),
                                                          (0.3, 25, "upper bound")])  # fmt: skip
def test_of_a_quantile_the_side_is_that_of_its_rank(quantile, share, where):
    values = at_first(
        neighbours.PAGE, relation=Neighbours.REPLACE_ONE, view="quantile",
        n_which="at a rank", n_share=share, n_quantile=quantile,
    )  # fmt: skip
    assert values["n_where"] == where


@pytest.mark.parametrize(("view", "side", "where"), [
    ("count", "over", "upper bound"), ("count", "up to", "lower bound"),
    ("quantile", "up to", "upper bound"),
])  # fmt: skip
def test_whoever_joins_is_counted(view, side, where):
    values = at_first(neighbours.PAGE, view=view, n_way="added", n_side=side)
    assert values["n_where"] == where
    assert people.who_of(values) == "one more person"
    assert not {"n_which", "n_share"} & there(neighbours.PAGE, values)
    assert "n_where" in there(neighbours.PAGE, values)


def test_no_quantile_has_somebody_at_its_line(of_pay):
    values = at_first(neighbours.PAGE, view="quantile")
    assert values["n_which"] == "greatest"
    assert people.who_of(values) == "the best paid person"
    assert people.who_of(at_first(neighbours.PAGE)) == "Ida"
    of_pay["scope"] = "own1_0"
    named = {
        whom: people.who_of(at_first(neighbours.PAGE, n_which=whom, n_share=40))
        for whom in rows.PEOPLE
    }
    assert named == {
        "line": "the person at the line", "least": "the lowest person",
        "median": "the middle person", "greatest": "the highest person",
        "at a rank": "the person at 40 %",
    }  # fmt: skip


def test_what_is_booked_names_every_choice_and_no_other():
    def booked(relation, **chosen):
        return people.choices(at_first(audit.PAGE, relation=relation, **chosen))

    leaves, replaces = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
    assert booked(leaves, n_which="least", n_value=7.0) == ("least", 0)
    assert booked(leaves, n_which="at a rank", n_share=40) == ("at a rank", 40)
    assert booked(leaves, n_which="at a rank", n_share=41) != booked(leaves, n_which="at a rank")
    assert booked(replaces, n_which="greatest", n_where="a value", n_value=7.0) == (
        "greatest", 100, 7.0,
    )  # fmt: skip
    assert booked(replaces, n_which="line") == ("line", None, 0.0)
    assert booked(leaves, n_way="added", n_where="upper bound") == (500_000.0,)


def test_the_line_is_public_and_suits_the_declaration(of_pay):
    assert at_first(neighbours.PAGE)["n_line"] == 100_000
    assert at_first(neighbours.PAGE, n_side="up to")["n_line"] == 250_000
    of_pay["scope"] = "own1_0"
    assert at_first(neighbours.PAGE)["n_line"] == 400_000
    of_pay["upload"] = True
    (row,) = (row for row in budget.PAGE.rows if row.key == "n_line")
    assert not row.linked()
    assert row.name == "n_own1_0_line"


def test_a_files_distance_is_kept_apart_and_stands_in_no_link(of_pay):
    (row,) = (row for row in neighbours.PAGE.rows if row.key == "n_offset")
    assert (row.name, row.linked()) == ("n_offset", True)
    of_pay |= {"upload": True, "scope": "own1_0"}
    assert (row.name, row.linked()) == ("n_own1_0_offset", False)
    of_pay["truth"] = False  # a made-up count
    assert (row.name, row.linked()) == ("n_offset", True)


@pytest.mark.parametrize("notion", NOTIONS, ids=str)
def test_noise_and_delta_suit_the_notion(notion, of_pay):
    values = at_first(neighbours.PAGE, notion)
    is_approx = isinstance(notion, ApproxDP)
    assert values["n_noise"] is (Noise.DISCRETE_GAUSSIAN if is_approx else Noise.DISCRETE_LAPLACE)
    assert ("n_at" in there(neighbours.PAGE, values)) != is_approx
    assert "n_at" not in there(neighbours.PAGE, at_first(neighbours.PAGE, notion, view="quantile"))
    (row,) = (row for row in neighbours.PAGE.rows if row.key == "n_noise")
    for chosen, before, after in (
        (Noise.GAUSSIAN, "pure", "zcdp"), (Noise.DISCRETE_GAUSSIAN, "approx", "approx"),
        (Noise.LAPLACE, "approx", "pure"), (Noise.DISCRETE_LAPLACE, "zcdp", "zcdp"),
    ):  # fmt: skip
        of_pay["notion"] = before
        row.then(chosen)
        assert of_pay["notion"] == after


def test_what_stands_where_on_one_person():
    places = {
        view: {place: there(neighbours.PAGE, at_first(neighbours.PAGE, view=view), place)
               for place in ("dock", "late", "question", "expert")}
        for view in ("count", "quantile", "meaning", "trust")
    }  # fmt: skip
    assert places == {
        "count": {"dock": set(), "late": {"n_offset"}, "expert": {"n_noise", "n_at"},
                  "question": {"n_line", "n_side", "n_way", "n_which", "n_prior"}},
        "quantile": {"dock": set(), "late": set(), "expert": {"n_range"},
                     "question": {"n_quantile", "n_way", "n_which"}},
        "meaning": {"dock": {"n_prior"}, "late": set(), "expert": {"n_at"}, "question": set()},
        "trust": {"dock": {"n_people"}, "late": set(), "expert": {"n_at"},
                  "question": {"n_trust"}},
    }  # fmt: skip
    label = neighbours.PAGE.label
    assert label(at_first(neighbours.PAGE)) == "Count, Ida"
    assert label(at_first(neighbours.PAGE, view="quantile", n_quantile=0.9)) == (
        "90 % point, the best paid person"
    )
    assert label(at_first(neighbours.PAGE, view="meaning")) == ""


@pytest.mark.parametrize("notion", NOTIONS, ids=str)
def test_one_answer_has_a_budget_of_its_own(notion):
    class Now:
        delta = 1e-6

    is_rho = isinstance(notion, ZCDP)
    values = at_first(budget.PAGE, notion, b_eps=0.3, b_rho=0.07, b_k=20, b_promise=4.0)
    assert there(budget.PAGE, values, "budget") == {"b_rho" if is_rho else "b_eps"}
    bill = spending.bill_of(values)
    assert (bill.size, bill.answers, bill.promise) == (0.07 if is_rho else 0.3, 20, 4.0)
    assert bill.symbol == ("ρ" if is_rho else "ε")
    wanted = {PureDP: PureDP(0.3), ZCDP: ZCDP(0.07), ApproxDP: ApproxDP(0.3, 1e-6)}[type(notion)]
    assert spending.one_answer(values, Now()) == wanted
    assert budget.PAGE.label(values) == f"Promised: {bill.symbol} = 4"
    (row,) = (row for row in budget.PAGE.rows if row.key == "b_promise")
    assert row.worded(values) == f"Promised to everybody ({bill.symbol})"


def test_a_file_begins_with_one_answer_and_a_made_up_pair(of_pay):
    assert at_first(budget.PAGE)["b_k"] == 1_000
    assert at_first(audit.PAGE)["n_columns"] == "this column"
    of_pay["upload"] = True
    assert at_first(budget.PAGE)["b_k"] == 1
    assert at_first(audit.PAGE)["n_columns"] == "a hard pair"


def test_a_pair_of_the_data_needs_the_truth_and_is_no_trees():
    own = at_first(audit.PAGE)
    assert trials.is_own(own)
    assert {"n_which", "n_way", "n_columns"} <= there(audit.PAGE, own)
    assert audit.PAGE.label(own) == "Count, Ida"
    hard = at_first(audit.PAGE, n_columns="a hard pair")
    tree = at_first(audit.PAGE, a_ask="tree")
    hidden = own | {"truth": False}
    for values in (hard, tree, hidden):
        assert not trials.is_own(values)
        assert not {"n_which", "n_way"} & there(audit.PAGE, values)
    assert audit.PAGE.label(hard) == "Count, made up"
    assert audit.PAGE.label(tree) == "Tree, made up"
    assert "n_columns" in there(audit.PAGE, hard)
    assert "n_columns" not in there(audit.PAGE, tree) | there(audit.PAGE, hidden)
    assert "a_tree" in there(audit.PAGE, tree)
    assert "a_tree" not in there(audit.PAGE, own)


def test_twins_are_those_that_may_be_run(of_pay):
    def run(**chosen):
        values = at_first(audit.PAGE, **chosen)
        return trials.twins(values), values["n_mistake"]

    assert run() == (["noise", "doubles"], "noise")
    assert run(a_ask="tree", n_mistake="doubles") == (["layers", "noise"], "layers")
    assert run(n_noise=Noise.LAPLACE, n_mistake="doubles") == (["noise"], "noise")
    assert run(a_ask="quantile", n_mistake="doubles")[1] == "doubles"
    of_pay["upload"] = True
    assert run(n_mistake="doubles", n_columns="this column")[1] == "noise"
    assert run(n_mistake="doubles")[1] == "doubles"  # of made-up people
    assert "n_mistake" not in there(audit.PAGE, at_first(audit.PAGE, n_twin=False))


def test_a_tree_takes_a_notion_that_it_has(of_pay):
    (row,) = (row for row in audit.PAGE.rows if row.key == "a_ask")
    for kind, before, after in (("tree", "pure", "zcdp"), ("tree", "approx", "approx"),
                                ("count", "pure", "pure")):  # fmt: skip
        of_pay["notion"] = before
        row.then(kind)
        assert of_pay["notion"] == after
