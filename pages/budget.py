"""Budget: what many answers to one question give away, and what they take."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.budget import PAGE

render(PAGE)
