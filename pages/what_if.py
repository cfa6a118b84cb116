"""What if: the smallest ε for a wanted accuracy, before anything is released."""

from dpviz.ui.kit import frame
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.visit import page as visits
from dpviz.ui.what_if.answer import answer_view
from dpviz.ui.what_if.asked import TABS
from dpviz.ui.what_if.frontier import frontier_view
from dpviz.ui.what_if.search import search_view
from dpviz.ui.what_if.sweep import sweep_view
from dpviz.ui.what_if.wins import wins_view

VIEWS = {
    "answer": answer_view,
    "frontier": frontier_view,
    "search": search_view,
    "sweep": sweep_view,
    "wins": wins_view,
}

frame.guard()
now = visits.open_page("what_if", "column", epsilon=1.0, rho=0.5, views=TABS)
forget_other_uploads()
VIEWS[now.view](now)
