"""What if: the smallest ε for a wanted accuracy, before anything is released."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.what_if import PAGE

render(PAGE)
