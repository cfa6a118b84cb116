"""Budget: what many answers to one question give away, and what they take."""

from dpviz.ui.kit import frame
from dpviz.ui.understand import budget_view
from dpviz.ui.understand.budget_dock import PAGE, TABS
from dpviz.ui.understand.opening import opened

frame.guard()
now = opened(PAGE, TABS, ("b_eps", "b_rho", "b_k", "b_promise", "b_ask"))
budget_view.show(now)
