"""Named places: a country, its states, counties and blocks, and whom their noise harms."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpviz.answers.said import Said
from dpviz.answers.spatial import places, places_released, places_said
from dpviz.answers.spatial.places import PlacesNumbers
from dpviz.answers.spatial.places_released import PlacesReleased
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.places import places_picture
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from dpviz.reports.tables import table_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, prepared
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import Group, Offer, download_panel
from dpviz.ui.kit.script import Row, Script, file_text, written
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit.page import Visit

SEED = 7  # of the one draw: the numbers of people are public
READINGS = ("as measured", "after least squares")
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
NOTE = (
    "Noisy counts, the public list and the budget only; least squares are post-processing. If you "
    "publish more than one release about the same people, their budgets add up."
)
JSON = "places.json"
STREAM = 11  # of a draw: not that of other releases


def key(page: MapPage, values: Values) -> tuple[Budget, Neighbours, str, str, str]:
    """What the errors depend on: public choices and a public list."""
    asked = (values["m_split"], values["m_counts"], values["m_list"])
    return page.choice.budget, session.neighbours(), *asked


def numbers(page: MapPage, values: Values) -> PlacesNumbers:
    """Errors of every place of the list."""
    budget, neighbours, split, reading, written = key(page, values)
    return places.answer(
        session.places_of(written), budget, Noise.for_budget(budget), neighbours, split,
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
            raise InvalidParameter(
                "Paste the public list of places first, here or on the Data page: no file decides it."
            )
        _counted(page, values)
    except DpvizError as error:
        problem(error)
        return standing("No places are counted.", "Mend the list, or choose another file.")
    return OWN


def _counted(page: MapPage, values: Values) -> tuple[PlaceCounts, Column]:
    """What is drawn, by public choices alone, and the file's rows. Raises: DpvizError."""
    places_of, split = session.places_of(values["m_list"]), values["m_split"]
    is_pure, relation = isinstance(page.choice.budget, PureDP), session.neighbours()
    of = places_of.listed
    assert of is not None

    def made() -> PlaceCounts:
        shares = places.shares_of(split, places_of.tree, is_pure=is_pure)
        return PlaceCounts(of.levels, of.places, shares, relation)

    key = ("place counts", values["m_list"], split, is_pure, relation)
    return memory.remembered(key, made), session.place_column(of)


def beforehand(page: MapPage, values: Values) -> str:
    """How far off counts will be, of the noise alone. Raises: DpvizError as numbers."""
    return places_released.before(numbers(page, values))


def _own_numbers(page: MapPage, values: Values) -> OwnPlaces:
    """Drawn and paid once: the budget of all levels together."""
    mechanism, column = _counted(page, values)
    budget, places_of = page.choice.budget, session.places_of(values["m_list"])
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
    offers = (
        Offer("Private counts as CSV", partial(_csv, released), "places.csv", "text/csv"),
        Offer("Release as JSON", released.release.to_json, JSON, "application/json"),
        *report_offers(released.release, told, "places"),
    )
    download_panel(NOTE, [Group(offers)], _lines(shown.asked, shown.chosen, released))


def _lines(page: MapPage, values: Values, released: PlacesReleased) -> str:
    """A script of another `release` of the same law; its list is that of the downloaded JSON."""
    mechanism, _ = _counted(page, values)
    located = "places.column(table)"
    if session.person_rows() is not None:
        located = "places.listed.located(table), places.bounds, 1"
        located = f"dp.person_column(persons, {located}, rows=rows)"
    relation = mechanism.neighbours
    under = "" if relation is Neighbours.ADD_REMOVE else f", neighbours={written(relation)}"
    made = f"listed.levels, listed.places, shares={written(mechanism.level_shares)}{under}"
    read = f"dp.from_json(Path({JSON!r}).read_text(encoding='utf-8')).places"
    data = f"{file_text()}\nlisted = {read}  # the public list"
    script = Script(data, page.choice.budget, page.draw, ("from pathlib import Path",))
    row = Row(mechanism, released.release, None)  # of a file: drawn with bits of its own
    return script.text(f"""\
{script.release("places", row, located, f"dp.PlaceCounts({made})")}
print(dp.estimate(release).to_frame())
""")


def _csv(released: PlacesReleased) -> str:
    """The published counts, and what least squares make of them."""
    header = ("level", "place", "count", "standard error", "least squares", "its standard error")
    return table_csv(header, places_released.rows(released))


OWN: View[MapPage, OwnPlaces] = View(
    "places", "Named places", _own_numbers, say=_own_say, draw=_own_draw, hero="places",
    file="named-places", kept="run", below=_own_below,
)  # fmt: skip
