"""Each named set asks for exactly its quantiles."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    import json  # noqa: PLC0415  AppTest runs this function by its source

    import streamlit as st  # noqa: PLC0415

    from dpviz.ui.kit.pickers import quantile_picker  # noqa: PLC0415

    st.text(json.dumps(quantile_picker("p_").asked.tolist()))


@pytest.mark.parametrize(
    ("name", "parts"), [("quartiles", 4), ("deciles", 10), ("percentiles", 100)]
)
def test_a_named_set_asks_for_its_quantiles(name: str, parts: int) -> None:
    app = AppTest.from_function(page).run()
    app.selectbox(key="p_set").select(name).run()
    assert not app.exception
    assert json.loads(app.text[0].value) == pytest.approx([i / parts for i in range(1, parts)])
