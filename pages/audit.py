"""Audit: what runs prove about a claimed ε, and that a broken twin is caught."""

from dpviz.ui.kit import frame
from dpviz.ui.understand.audit import view
from dpviz.ui.understand.audit.dock import PAGE, TABS
from dpviz.ui.understand.opening import opened

frame.guard()
now = opened(PAGE, TABS, ("a_ask", "n_runs", "n_confidence", "n_twin", "n_mistake", "n_columns"))
view.show(now)
