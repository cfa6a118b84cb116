"""Under the sentence of Decide: methods compared, which wins where, exact search."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.what_if import PAGE

render(PAGE)
