"""A visitor's own file on the pages of people, budgets and audits."""

from streamlit.testing.v1 import AppTest

from tests.pages.driver import asking_nobody, healthy, opened


def with_own(
    content: bytes, low: float | None, high: float | None, resolution: float = 0, *, truth: bool
) -> AppTest:
    """A session with a file that was uploaded and declared; its truth is off unless asked for."""
    app = opened("data")
    app.file_uploader(key="file").upload("a.csv", content, "text/csv")
    asking_nobody(healthy(app.run()))
    ends = {} if low is None or high is None else {"low": float(low), "high": float(high)}
    declared = ends | {"resolution": float(resolution)}
    app.session_state["_visit"] |= {f"own1_0_{name}": value for name, value in declared.items()}
    app.session_state["_visit"]["truth_own"] = truth
    return healthy(app.run())


def at(app: AppTest, page: str) -> AppTest:
    """The same session on another page."""
    return healthy(app.switch_page(f"pages/{page}.py").run())
