"""One person: what a count, a quantile or a belief is with them and without."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.neighbours import PAGE

render(PAGE)
