"""Colour scales for counts and for errors, readable on both pages."""

from __future__ import annotations

from dpviz.figures.kit.palette import Ink


def shades(ink: Ink) -> list[list[float | str]]:
    """A one-hue scale from the page's colour on: little to much, readable on both pages."""
    low, middle, high = (
        ("#1D2A36", "#2F7FB8", "#D8EEFF") if ink.dark else ("#EAF3FA", "#5AA6D8", "#063A5E")
    )
    return [[0.0, low], [0.5, middle], [1.0, high]]


def diverging(ink: Ink) -> list[list[float | str]]:
    """Two hues around 0: too low and too high."""
    middle = "#2A2F35" if ink.dark else "#F5F5F2"
    return [[0.0, "#D55E00"], [0.5, middle], [1.0, "#0072B2"]]
