"""Named places: a country, its states, counties and blocks, and whom their noise harms."""

from __future__ import annotations

import numpy as np

from dpviz.answers.said import Said
from dpviz.answers.spatial import places, places_said
from dpviz.answers.spatial.place_list import PlaceList, made_up, read
from dpviz.answers.spatial.places import PlacesNumbers
from dpviz.core.budgets import Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.places import places_picture
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial.page import MapPage

SEED = 7  # of the one draw: the numbers of people are public
READINGS = ("as measured", "after least squares")
LONGEST = 200_000  # characters of a list
SPLIT_HELP = (
    "Of country, state, county and block: the same share for each; the shares in tenths with the "
    "least sum of the levels' mean variances after least squares; or all for the last level."
)
LIST_HELP = (
    "First the names of the levels, then a line for each place: state,county,people. What is "
    "pasted counts as public, as numbers of the last census are: nothing is released of it. Places "
    "without people are listed with 0. The list stands in no link."
)


def listed(written: str) -> PlaceList:
    """The list that was pasted, or the made-up country.

    Raises: InvalidParameter for one that cannot be read.
    """
    return read(written) if written.strip() else made_up()


def key(page: MapPage, values: Values) -> tuple[Budget, Neighbours, str, str, str]:
    """What the errors depend on: public choices and a public list."""
    asked = (values["m_split"], values["m_counts"], values["m_list"])
    return page.choice.budget, session.neighbours(), *asked


def numbers(page: MapPage, values: Values) -> PlacesNumbers:
    """Errors of every place of the list."""
    budget, neighbours, split, reading, written = key(page, values)
    return places.answer(
        listed(written), budget, Noise.for_budget(budget), neighbours, split,
        np.random.default_rng(SEED), is_after=reading == READINGS[1],
    )  # fmt: skip


def say(_: MapPage, found: PlacesNumbers) -> Said:
    """How large noise is at the top and at the bottom, and whom it harms."""
    return places_said.say(found)


def draw(_: MapPage, found: PlacesNumbers, __: Values, look: Look) -> Picture:
    """A mark a place."""
    return places_picture(found, look)
