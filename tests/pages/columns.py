"""What the tests of the Quantiles page share: files with a column, and what the page shows."""

import io
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from dpviz.intake.read import read_table
from dpviz.ui.kit.session import Upload
from tests.browser.steps import decoded
from tests.conftest import ROOT
from tests.pages.driver import asking_nobody, healthy
from tests.pages.pictures import pictures


def entered(**link: str | list[str]) -> AppTest:
    """A fresh session that starts on the Quantiles page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page("pages/quantiles.py")
    return healthy(app.run())


def with_column(
    content: bytes,
    low: float | None,
    high: float | None,
    resolution: float = 0.0,
    *,
    name: str = "a.csv",
    column: str = "a",
    truth: bool = True,
    drop_unreadable: bool = False,
    **visit: Any,
) -> AppTest:
    """The Quantiles page on a visitor's own file, its column declared; visit holds what was set."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    own = Upload(read_table(io.BytesIO(content), name), 1, column, drop_unreadable)
    at = [info.name for info in own.table.columns].index(column)
    asking_nobody(app).session_state["_upload"] = own
    app.session_state["upload_column"] = column
    app.session_state["_visit"] = {
        "column": "upload",
        "latest": "upload",
        "truth_own": truth,
        f"own1_{at}_low": low,
        f"own1_{at}_high": high,
        f"own1_{at}_resolution": resolution,
        **visit,
    }
    return healthy(app.switch_page("pages/quantiles.py").run())


def charts(app: AppTest) -> list[dict[str, Any]]:
    """The pictures on the page as plotly takes them."""
    return [chart.figure for chart in pictures(app)]


def traces(app: AppTest, chart: int = 0) -> list[str]:
    """The names of the traces of a picture."""
    return [one["name"] for one in charts(app)[chart]["data"]]


def published(app: AppTest, panel: str = "x") -> np.ndarray:
    """Where the dots of the first picture stand on one of its axes."""
    (one,) = [
        one
        for one in charts(app)[0]["data"]
        if one["name"] == "published" and one.get("xaxis", "x") == panel
    ]
    return decoded(one["x"])


def words(app: AppTest) -> str:
    """Every word on the page outside the dock and the pictures, markup left out."""
    kinds = ("title", "markdown", "caption", "metric", "info", "warning", "error", "html")
    found = [element for kind in kinds for element in app.main.get(kind)]
    said = [
        f"{getattr(one, 'label', '')} {getattr(one, 'value', '') or one.proto.body}"
        if hasattr(one, "value")
        else one.proto.body
        for one in found
    ]
    return "\n".join(said).replace("\\", "")


def headline(app: AppTest) -> str:
    return str(app.title[0].value)


def has(app: AppTest, key: str) -> bool:
    """Whether a widget or a download with a key is on the page."""
    try:
        app.get_by_key(key)
    except KeyError:
        return any(key in one.proto.id for one in app.get("download_button"))
    return True


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return healthy(app.run())
