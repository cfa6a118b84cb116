"""What a visit keeps: a run looks up once what no widget shows, and says what was put since."""

import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.ui import visitor


def script() -> None:
    import streamlit as st  # noqa: PLC0415  AppTest runs this function by its source

    from dpviz.ui import visitor  # noqa: PLC0415

    def changed() -> None:  # before the run, as callbacks come
        visitor.put("_told", visitor.held("size"))
        visitor.put("size_shown", visitor.held("size"))

    with visitor.run():
        counts = visitor.first("_counts", dict)
        counts["runs"] = counts.get("runs", 0) + 1
        seen = [visitor.get("_told", "nothing"), visitor.holds("_gone"), visitor.get("size_shown")]
        visitor.put("_gone", None)
        seen += [visitor.holds("_gone"), visitor.take("_gone", 5), visitor.take("_gone", 5)]
        visitor.forget("_told", "_gone")
        seen += [visitor.get("_told", "nothing"), "_told" in st.session_state]
        st.session_state["size_shown"] = 7  # as Streamlit does with a widget's
        seen += [visitor.get("size_shown"), visitor.first("_counts", dict) is counts]
        st.session_state["seen"] = seen
        st.number_input("Size", 0, 9, key="size", on_change=changed)


def test_a_run_says_what_was_put_before_it_and_in_it():
    app = AppTest.from_function(script).run()
    after = [True, None, 5, "nothing", False, 7, True]
    assert app.session_state["seen"] == ["nothing", False, None, *after]
    app.number_input[0].set_value(3).run()
    assert app.session_state["seen"] == [3, False, 3, *after]
    app.session_state["_counts"] = {"runs": 40}  # a run remembers nothing of the one before
    app.run()
    assert app.session_state["_counts"] == {"runs": 41}


def test_outside_of_a_run_nothing_is_remembered():
    with visitor.run():
        visitor.put("_one", 1)
        st.session_state["_one"] = 2  # which nobody else does within a run
        assert visitor.get("_one") == 1
    assert visitor.get("_one") == 2
    visitor.forget("_one")
    assert not visitor.holds("_one")
