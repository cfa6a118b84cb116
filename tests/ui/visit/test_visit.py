"""One state for the whole visit: from the link, for every page, into every link."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.core.budgets import Neighbours
from dpviz.intake.samples import sample
from dpviz.ui.visit.fields import FIELDS, KEYS
from tests.rows import by_rows

VALUES: dict[str, Any] = {
    "notion": "approx",
    "eps": 0.125,
    "delta": 1e-9,
    "rho": 3.5,
    "neighbours": Neighbours.REPLACE_ONE,
    "truth": False,
    "seed": 77,
    "axis": "x",
    "present": True,
}
ODD = ("", "wrong", "1e400", "NaN", "-1", "<b>no</b>", "9" * 400)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
def test_a_link_says_what_it_was_told(field):
    value = VALUES[field.key]
    if field.key == "axis":
        value = sample("towns").columns[1]
    assert value != field.first
    assert field.read(field.write(value)) == value


@by_rows("odd", ODD)
@by_rows("field", FIELDS, ids=lambda field: field.key)
def test_a_link_that_means_nothing_is_refused(field, odd):
    with pytest.raises((ValueError, KeyError, OverflowError)):
        field.read(odd)


@by_rows(
    ("key", "odd"),
    [("delta", "0"), ("delta", "1"), ("eps", "9e-7"), ("rho", "1000001"), ("seed", f"{10**9 + 1}")],
)
def test_a_number_at_the_end_of_what_is_taken_is_refused_too(key, odd):
    with pytest.raises(ValueError, match=odd):
        KEYS[key].read(odd)


def page() -> None:
    import json  # noqa: PLC0415  AppTest runs this function by its source

    import streamlit as st  # noqa: PLC0415

    from dpviz.ui.visit import page as visits  # noqa: PLC0415
    from dpviz.ui.visit import state  # noqa: PLC0415

    state.begin()
    kind = st.session_state.get("kind", "column")
    now = visits.open_page(
        st.session_state.get("page", "one"),
        kind,
        epsilon=st.session_state.get("first", 0.1),
        views=("picture", "compare"),
    )
    st.select_slider("ε", sorted({0.1, 1.0, now.epsilon}), **state.widget("eps", now.epsilon))
    st.toggle("Truth", **state.widget("truth", now.truth, lambda on: state.put("truth", on)))
    st.text(
        json.dumps(
            {
                "eps": now.epsilon,
                "budget": str(now.budget),
                "seed": now.seed,
                "truth": now.truth,
                "view": now.view,
                "data": st.session_state["data"],
                "refused": sorted(st.session_state.get("_links_refused", {})),
            }
        )
    )


def opened(**link: str | list[str]) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for key, value in link.items():
        app.query_params[key] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, app.exception
    return app


def held(app: AppTest) -> dict[str, Any]:
    return dict(json.loads(app.text[0].value))


def link(app: AppTest) -> dict[str, str]:
    """What stands in the address."""
    return {
        key: value if isinstance(value, str) else ",".join(value)
        for key, value in dict(app.query_params).items()
    }


def turned(app: AppTest, **state: Any) -> AppTest:
    """The same visitor on another page."""
    for key, value in state.items():
        app.session_state[key] = value
    return run(app)


def test_each_page_opens_with_the_epsilon_of_its_picture_until_one_is_chosen():
    app = opened()
    assert held(app)["eps"] == 0.1
    assert held(turned(app, page="two", first=0.5))["eps"] == 0.5
    app.select_slider(key="eps").set_value(1.0)
    run(app)
    assert held(app)["eps"] == 1.0
    assert held(turned(app, page="three", first=0.02))["eps"] == 1.0
    assert link(app) == {"eps": "1"}


def test_what_is_as_at_first_is_left_out_of_the_link():
    app = opened()
    assert link(app) == {}


def test_a_link_restores_everything():
    app = opened(eps="0.3", notion="approx", delta="1e-7", seed="12", truth="false", view="compare")
    found = held(app)
    assert found["eps"] == 0.3
    assert "1e-07" in found["budget"].replace("1e-7", "1e-07")
    assert (found["seed"], found["truth"], found["view"]) == (12, False, "compare")


def test_keys_of_former_days_mean_nothing():
    app = opened(m_eps="0.7", m_seed="9", m_view="Compare")
    found, plain = held(app), held(opened())
    assert found == plain


def test_odd_values_fall_back_and_are_named():
    app = opened(eps="1e400", seed="-3", view="none", data="nothing", exam_low="much")
    found = held(app)
    assert (found["eps"], found["seed"], found["view"], found["data"]) == (
        0.1,
        1,
        "picture",
        "exam",
    )
    assert found["refused"] == ["data", "eps", "exam_low", "seed", "view"]
    assert link(app) == {}


def test_a_widget_that_is_away_forgets_nothing():
    app = opened(eps="0.3")
    app.toggle(key="truth").set_value(False)
    run(app)
    assert held(turned(app, page="two")) == held(app)
    assert held(app)["truth"] is False


def test_a_column_and_a_plane_are_kept_side_by_side():
    app = opened(data="ages")
    assert held(app)["data"] == "ages"
    assert held(turned(app, page="map", kind="plane"))["data"] == "towns"
    assert "data" not in app.query_params
    assert held(turned(app, page="one", kind="column"))["data"] == "ages"


def test_a_link_to_the_map_with_a_column_keeps_the_first_plane():
    app = AppTest.from_function(page, default_timeout=30)
    app.session_state["kind"] = "plane"
    app.query_params["data"] = "ages"
    assert held(run(app))["data"] == "towns"
    assert held(turned(app, kind="column"))["data"] == "ages"


def test_declared_bounds_of_a_sample_stand_in_links_of_that_sample_alone():
    app = opened(exam_low="-5", ages_high="130")
    assert link(app) == {"exam_low": "-5"}
    app.session_state["_visit"]["column"] = "ages"
    run(app)
    assert link(app) == {"ages_high": "130", "data": "ages"}
