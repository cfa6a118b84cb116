"""How a page of this room opens: its link, its data, its settings."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.ui.understand import settings
from dpviz.ui.understand.questions import FIRST_DATA
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Tabs, Visit

COMMON = ("n_noise", "n_side", "n_way", "n_which", "n_share", "n_where", "n_at")


def opened(page: str, views: Tabs, own: Sequence[str]) -> Visit:
    """What holds on a page. views are its views, the first by default; own are its settings.

    Which quantile is asked for stands in a link only beside the view or setting that asks for one.
    """
    arrives = settings.arrives()
    now = visits.open_page(page, "column", epsilon=1.0, rho=0.1, views=views, first_data=FIRST_DATA)
    if arrives:
        settings.take_link()
    asks = {"neighbours": now.view, "budget": settings.get("b_ask"), "audit": settings.get("a_ask")}
    quantile = ("n_quantile", "n_range") if asks[page] == settings.QUANTILE else ()
    settings.write_link((*COMMON, *quantile, *own))
    return now
