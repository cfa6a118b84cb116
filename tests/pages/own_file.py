"""A visitor's own file on the pages of people, budgets and audits."""

import io

from streamlit.testing.v1 import AppTest

from dpviz.intake.read import read_table
from dpviz.ui.kit.session import Upload
from tests.conftest import ROOT
from tests.pages.driver import asking_nobody, healthy


def with_own(
    content: bytes, low: float | None, high: float | None, resolution: float = 0, *, truth: bool
) -> AppTest:
    """A visit to come, with a file that was read and declared."""
    app = asking_nobody(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))
    table = read_table(io.BytesIO(content), "a.csv")
    column = table.columns[0].name
    app.session_state["_upload"] = Upload(table, 1, column)
    app.session_state["upload_column"] = column
    ends = {} if low is None or high is None else {"low": float(low), "high": float(high)}
    declared = ends | {"resolution": float(resolution)}
    app.session_state["_visit"] = {
        "column": "upload",
        "latest": "upload",
        "truth_own": truth,
        **{f"own1_0_{name}": value for name, value in declared.items()},
    }
    return app


def at(app: AppTest, page: str) -> AppTest:
    """The same session on another page."""
    return healthy(app.switch_page(f"pages/{page}.py").run())
