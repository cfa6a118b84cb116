"""Links to One person, Budget and Audit, odd ones too, and what their choices show."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.pages import audit, budget, neighbours
from tests.conftest import ROOT
from tests.pages.driver import figures, healthy, opened, pick, shared
from tests.pages.own_file import at
from tests.pages.pictures import pictures
from tests.pages.test_neighbours import said


def entered(page: str, **link: str) -> AppTest:
    """A fresh session that starts on a page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


look = shared(entered)
TABLES = {one.name: one for one in (neighbours.PAGE, budget.PAGE, audit.PAGE)}


def kept(app: AppTest) -> dict[str, object]:
    return dict(app.session_state["_visit"])


def test_a_link_of_today_restores_a_page_and_nothing_more():
    link = {"n_which": "greatest", "n_prior": "20", "n_offset": "-3", "eps": "0.5"}
    app = entered("neighbours", **link)
    assert "With or without the best paid person" in said(app)
    assert "if 862 is published: a suspicion of 20 % becomes" in said(app)
    assert dict(app.query_params) == link
    app.query_params.clear()  # as a browser does between two pages
    assert dict(at(app, "budget").query_params) == {"eps": "0.5"}  # it is about nobody
    assert dict(at(app, "neighbours").query_params) == link


@pytest.mark.few(11)
@pytest.mark.parametrize("odd", ["", "NaN", "1e400", "<b>*no*</b>", "9" * 400, "None", "Greatest"])
@pytest.mark.parametrize("page", list(TABLES))
def test_odd_values_fall_back_with_one_quiet_line(page, odd):
    keys = [row.key for row in TABLES[page].rows if row.linked()]
    assert {"n_line", "n_quantile", "n_noise", "n_at"} < set(keys)
    app = entered(page, **dict.fromkeys(keys, odd))
    plain = look(page)
    assert [one.value for one in app.title] == [one.value for one in plain.title]
    taken = {key for key in keys if kept(app).get(key) != kept(plain).get(key)}
    assert taken == set()
    (line,) = [one.value for one in app.caption if "Of the link" in one.value]
    if odd:
        assert all(f"`{key}`" in line for key in keys)
    assert not set(app.query_params) & set(keys)


# page, what is chosen there, what shows it
FEATURES: list[tuple[str, str, dict[str, object], str | Callable[[AppTest], bool]]] = [
    ("a threshold of one's own", "neighbours", {"n_line": 60_000.0}, "over 60,000"),
    ("counts up to a threshold", "neighbours", {"n_side": "up to"}, "earn at most 250,000"),
    ("any quantile", "neighbours", {"n_asks": "quantile", "n_quantile": 0.9}, "90 % point"),
    ("the whole range of outputs", "neighbours",
     {"n_asks": "quantile", "n_range": "the whole range"},
     lambda app: figures(app)[0]["with"][0][-1] > 4e5),
    ("a record at a rank", "neighbours", {"n_which": "at a rank", "n_share": 99}, "at 99 %"),
    ("a record that is added", "neighbours", {"n_way": "added"}, "one more person"),
    ("at a value of one's own", "neighbours",
     {"n_way": "added", "n_where": "a value", "n_value": 1e5 + 100}, "one more person"),
    ("one value replaced", "neighbours", {"neighbours": "replace-one"}, "As recorded"),
    ("accounts under ρ", "budget", {"n_noise": "gaussian"}, "zCDP, at δ (adds up)"),
    ("a hard pair", "audit", {"n_columns": "a hard pair"}, "made-up columns"),
    ("runs", "audit", {"n_runs": 50_000}, "50,000 with Ida"),
    ("the outputs and the event", "audit", {"a_shown": "outputs"},
     lambda app: "shaded: " in pictures(app)[0].spec),
    ("a choice of data", "audit", {"data_choice": "exam"},
     lambda app: "honest count with the student at the line" in figures(app)[0]),
]  # fmt: skip


@pytest.mark.few(7)
@pytest.mark.parametrize(
    ("page", "choices", "sign"), [row[1:] for row in FEATURES], ids=[row[0] for row in FEATURES]
)
def test_a_choice_shows_on_its_page(page, choices, sign):
    app = pick(opened(page), **choices)
    assert not app.error
    if callable(sign):
        assert sign(app)
    else:
        labels = " ".join(str(one.label) for one in app.get("selectbox"))
        assert sign in f"{said(app)} {labels}"
