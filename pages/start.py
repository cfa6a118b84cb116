"""Start: learn about everyone, reveal no one."""

from dpviz.ui.kit import frame
from dpviz.ui.start.page import start_page
from dpviz.ui.visit import page as visits

frame.guard()
start_page(visits.open_page("start", epsilon=1.0))
