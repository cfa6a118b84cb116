"""A visitor's own file on the pages of people, budgets and audits."""

from streamlit.testing.v1 import AppTest

from tests.pages.driver import asking_nobody, healthy, opened, pick


def with_own(
    content: bytes, low: float | None, high: float | None, resolution: float = 0, *, truth: bool
) -> AppTest:
    """A session with a file that was uploaded and declared; its truth is off unless asked for."""
    app = opened("data")
    app.file_uploader(key="file").upload("a.csv", content, "text/csv")
    asking_nobody(healthy(app.run()))
    if low is not None and high is not None:
        pick(app, own1_0_low=float(low), own1_0_high=float(high))
    pick(app, own1_0_resolution=float(resolution))
    if truth:
        app.session_state["_visit"]["truth_own"] = True
        healthy(app.run())
    return app


def at(app: AppTest, page: str) -> AppTest:
    """The same session on another page."""
    return healthy(app.switch_page(f"pages/{page}.py").run())
