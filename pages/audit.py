"""Audit: what runs prove about a claimed ε, and that a broken twin is caught."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.audit import PAGE

render(PAGE)
