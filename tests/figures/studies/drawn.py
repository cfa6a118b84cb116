"""What pictures of studies are tested with: looks for every reader, and a strict validation."""

import itertools

import plotly.graph_objects as go

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from tests.figures.inks import DARK, LIGHT

WIDE = Look(LIGHT)
LOOKS = (WIDE, Look(DARK, presenting=True, screen="low"), Look(LIGHT, screen="phone"))


def checked(picture: Picture) -> Picture:
    """The picture itself, after plotly has validated it and every word was found large enough."""
    figure = go.Figure(picture)
    assert all(note.font.size >= 13.5 for note in figure.layout.annotations)
    assert not figure.layout.showlegend
    return picture


def lines(picture: Picture) -> list[dict[str, tuple[list[float], list[float]]]]:
    """For each panel its lines by name: places and values; names as they stand in the words."""
    by_axis = itertools.groupby(picture["data"], key=lambda trace: trace.get("xaxis", "x"))
    return [{t["name"]: (list(t["x"]), list(t["y"])) for t in part} for _, part in by_axis]


def words(picture: Picture) -> str:
    return " ".join(note["text"] for note in picture["layout"]["annotations"])
