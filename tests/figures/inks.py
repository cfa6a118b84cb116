"""The inks of both themes with the marks and labels of everything in the catalogue."""

from dpviz import catalogue
from dpviz.figures.kit import palette

LIGHT = palette.LIGHT.carrying(*catalogue.shown())
DARK = palette.DARK.carrying(*catalogue.shown())
