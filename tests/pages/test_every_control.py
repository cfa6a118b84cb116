"""No row of a page's table is lost: each is on screen in some state, with what all pages share.

What is drawn in these states is what was drawn there before, as tests/drawn.py has it.
"""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.model.fields import Note
from dpviz.ui.pages import audit, budget, map, neighbours, quantiles, trees  # noqa: A004
from tests.conftest import ROOT
from tests.drawn import changed
from tests.pages.driver import has, healthy
from tests.pages.pictures import drawn

TABLES = {
    "trees": trees.PAGE,
    "map": map.PAGE,
    "quantiles": quantiles.page(),
    "neighbours": neighbours.PAGE,
    "budget": budget.PAGE,
    "audit": audit.PAGE,
}
SHARED = {"data_choice", "notion", "neighbours", "truth", "seed"}
SPENT = {"eps", "eps_exact", "rho", "rho_exact", "delta_exact", "new_draw", "publish"}
# what a page has besides
OTHERS = {
    "trees": SPENT | {"reveal", "trees_view", "exam_low", "exam_resolution", "t_weight_0"},
    "quantiles": SPENT | {"q_view", "exam_low", "exam_high", "exam_resolution"},
    "map": SPENT | {"map_view", "m_clear", "towns_1_high", "m_run_medians"},
    "neighbours": {"eps", "eps_exact", "rho_exact", "delta_exact", "n_asks", "new_draw"},
    "budget": {"b_shown", "new_draw"},
    "audit": {"eps", "a_shown", "new_draw"},
}
OF_A_FILE = {"bands", "m_own", "m_share_unit"}  # no sample has them
REPLACED = {"neighbours": "replace"}
# links that bring the rest of a page on screen
STATES: dict[str, tuple[dict[str, str], ...]] = {
    "trees": (
        {"t_split": "geometric"},
        {"t_split": "own weights", "view": "budgets"},
        {"t_workload": "own ranges", "view": "budgets"},
        {"t_root": "public"} | REPLACED,
        {"view": "node"},
        {"view": "cdf"},
    ),
    "map": (
        {"m_prune": "true", "m_levels": "own shares"},
        *({"m_method": name} for name in ("kd-hybrid", "Hilbert R-tree", "kd-cell")),
        {"view": "node"},
        {"view": "places"},
        *({"view": name, "m_height": "3"} for name in ("compare", "medians", "matching")),
    ),
    "quantiles": (
        *({"view": name} for name in ("compare", "recursion", "column")),
        *({"set": name} for name in ("m uniform", "own list")),
        *({"method": name} for name in ("AQ", "AggTree")),
        {"method": "AQ", "notion": "zcdp"},
        {"method": "square root", "notion": "zcdp"},
        {"method": "AggTree", "root": "public N"} | REPLACED,
        {"view": "bins", "truth": "false", "b_kind": "own edges"},
        {"view": "bins", "data": "towns", "b_by": "north"},
    ),
    "neighbours": (
        {"n_which": "at a rank"},
        {"n_way": "added", "n_where": "a value"},
        {"view": "quantile"},
        {"view": "meaning"},
        {"view": "trust"},
        {"n_noise": "gaussian", "notion": "zcdp"},
    ),
    "budget": ({"b_ask": "quantile"}, {"n_noise": "gaussian", "notion": "zcdp"}),
    "audit": (
        {"n_which": "at a rank"},
        {"n_way": "added", "n_where": "a value"},
        {"a_ask": "quantile"},
        {"n_noise": "gaussian", "notion": "zcdp"},
    ),
}


FILE = "tests/pages/test_every_control.py"
DRAWN_BEFORE = Path(__file__).with_name("every_control.json")


def entered(page: str, link: dict[str, str]) -> AppTest:
    """A fresh session that starts on a page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


@pytest.mark.parametrize("page", TABLES)
def test_every_row_of_a_page_is_on_screen_in_some_state(page: str):
    rows = [row for row in TABLES[page].rows if not isinstance(row.kind, Note)]
    wanted = {key for row in rows for key in row.keys} - OF_A_FILE | SHARED | OTHERS[page]
    notions = ({"notion": notion} for notion in ("zcdp", "approx"))
    for link in ({}, {"truth": "false"}, *notions, *STATES[page]):
        app = entered(page, link)
        state = " ".join([page, *(f"{key}={text}" for key, text in link.items())])
        assert changed(DRAWN_BEFORE, state, drawn(app)) == [], state
        wanted = {key for key in wanted if not has(app, key)}
    assert wanted == set(), f"on no screen: a link that shows them goes into STATES of {FILE}"
