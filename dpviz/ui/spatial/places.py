"""Named places: a country, its states, counties and blocks, and whom their noise harms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpviz.answers.said import Said
from dpviz.answers.spatial import places, places_released, places_said
from dpviz.answers.spatial.place_list import PlaceList, made_up, read
from dpviz.answers.spatial.places import PlacesNumbers
from dpviz.answers.spatial.places_released import PlacesReleased
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.places import places_picture
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from dpviz.reports.tables import table_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit import session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, prepared
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import Offer, offer_buttons
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit.page import Visit

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

OWN_HELP = (
    "Its columns are found by the names of the levels in the list, which is public and decides "
    "alone what is counted: a row of another place is in no count. The people of the list stay "
    "what the picture is drawn by."
)
STREAM = 11  # of a draw: not that of other releases


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


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class OwnPlaces:
    """Errors by the public list, and what was released of the file. Confidential with the truth."""

    found: PlacesNumbers
    released: PlacesReleased


def instead(page: MapPage, _: Visit, values: Values) -> View[MapPage, Any] | None:
    """The counts of an own file, where they are asked for."""
    if not (values["m_own"] and session.is_upload()):
        return None
    try:
        if not values["m_list"].strip():
            raise InvalidParameter("Paste the public list of places first: no file decides it.")
        _counted(page, values)
    except DpvizError as error:
        problem(error)
        return standing("No places are counted.", "Mend the list, or choose another file.")
    return OWN


def _counted(page: MapPage, values: Values) -> tuple[PlaceCounts, Column]:
    """What is drawn, by public choices alone, and the file's rows. Raises: DpvizError."""
    places_of, budget = listed(values["m_list"]), page.choice.budget
    shares = places.shares_of(values["m_split"], places_of.tree, is_pure=isinstance(budget, PureDP))
    assert places_of.listed is not None
    of = places_of.listed
    made = PlaceCounts(of.levels, of.places, shares, session.neighbours())
    return made, session.place_column(of)


def beforehand(page: MapPage, values: Values) -> str:
    """How far off counts will be, of the noise alone. Raises: DpvizError as numbers."""
    return places_released.before(numbers(page, values))


def _own_numbers(page: MapPage, values: Values) -> OwnPlaces:
    """Drawn and paid once: the budget of all levels together."""
    mechanism, column = _counted(page, values)
    budget, places_of = page.choice.budget, listed(values["m_list"])
    many = sum(places_of.tree.nodes)
    release = drawn_once(
        page.draw, column, "places", ("places", mechanism, prepared(column), budget),
        partial(mechanism.release, column, budget), [Cost(f"{many:,} named places", budget)],
        STREAM,
    )  # fmt: skip
    found = numbers(page, values)
    truth = column if session.shows_truth() else None
    answered = places_released.answer(places_of, release, truth, is_after=found.is_after)
    return OwnPlaces(found, answered)


def _own_say(page: MapPage, known: OwnPlaces) -> Said:
    said, spent = places_said.say(known.found), str(page.draw.spent(page.choice.budget))
    levels = replace(said.tables[0], notes=(places_released.BY_LIST,))
    own = places_released.say(known.released, spent, session.words().people)
    strip = [*said.strip, ("spent", spent)]
    return replace(said, second=own.second, strip=strip, tables=(levels, *own.tables))


def _own_draw(_: MapPage, known: OwnPlaces, __: Values, look: Look) -> Picture:
    return places_picture(known.found, look)


def _own_below(shown: Shown[MapPage, OwnPlaces]) -> None:
    """Every table, and the release as files."""
    for table in shown.said.tables:
        said_table(table)
    released = shown.numbers.released
    told = Told(session.words().people.many)
    offer_buttons([
        Offer("Private counts as CSV", partial(_csv, released), "places.csv", "text/csv"),
        Offer("Release as JSON", released.release.to_json, "places.json", "application/json"),
        *report_offers(released.release, told, "places"),
    ])  # fmt: skip


def _csv(released: PlacesReleased) -> str:
    """The published counts, and what least squares make of them."""
    header = ("level", "place", "count", "standard error", "least squares", "its standard error")
    return table_csv(header, places_released.rows(released))


OWN: View[MapPage, OwnPlaces] = View(
    "places", "Named places", _own_numbers, say=_own_say, draw=_own_draw, hero="places",
    file="named-places", kept="run", below=_own_below,
)  # fmt: skip
