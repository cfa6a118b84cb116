"""Map: private decompositions of the plane beside the truth, asked about a rectangle."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.map import PAGE

render(PAGE)
