"""Budget."""

from dpviz.ui.kit import frame

frame.guard()
