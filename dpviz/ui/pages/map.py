"""The Map page: private decompositions of the plane beside the truth, asked about a rectangle."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.said import plain
from dpviz.answers.spatial import compared_said, maps_said, matching_said, node_said
from dpviz.answers.spatial.colours import Colour
from dpviz.answers.spatial.maps import MapNumbers
from dpviz.answers.spatial.places import SPLITS
from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.cells import Cells
from dpviz.figures.spatial.matching import matching_picture
from dpviz.figures.studies.medians import medians_figure
from dpviz.mechanisms.spatial.height import suggest_height
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.ui.beforehand import frame
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt, problem
from dpviz.ui.links.readable import LARGEST_WHOLE
from dpviz.ui.model.fields import (
    Field,
    Note,
    Number,
    OneOf,
    Parts,
    Switch,
    Text,
    Values,
    Whole,
    same,
)
from dpviz.ui.model.render import Page, Shown, View, standing
from dpviz.ui.spatial import (
    compared,
    downloads,
    matching,
    node,
    places,
    private_map,
    rectangle,
    words,
)
from dpviz.ui.spatial import medians as median_study
from dpviz.ui.spatial.cuts.settings import COLUMNS, HALF_WAY, LEVELS, WRITTEN
from dpviz.ui.spatial.methods import MapChoice, chosen, medians, method_of, names, takes
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import follows_points
from dpviz.ui.trees.splits import adapted, even_weights, weights_of
from dpviz.ui.visit import data, state
from dpviz.ui.visit.page import Visit

HIGHEST = 11
NARROW, WIDE = 150, 170  # px of fields
NOWHERE = Points.from_xy([], [], Box(Bounds(0, 1), Bounds(0, 1)))  # of a file without a map
COUNTED = "A table is counted on a grid and never read; hand in a file of points for this view."
SHARED = (
    "Rows that share one person are counted as parts on a grid; on the Data page let at most so "
    "many rows of each person count."
)


def _takes(knob: str) -> Callable[[Values], bool]:
    return lambda values: takes(values, knob)


def _hidden(_: Values) -> bool:
    """Whether the truth is."""
    return not session.shows_truth()


def _of_places(values: Values) -> bool:
    """Whether the view is of named places, which have no points."""
    return bool(values["view"] == "places")


def _of_points(values: Values) -> bool:
    return not _of_places(values)


def _uses_median(values: Values) -> bool:
    return any(method_of(name).uses_median for name in chosen(values))


def _median_help(values: Values) -> str:
    splitting = [name for name in names() if method_of(name).uses_median]
    who = f"{', '.join(splitting[:-1])} and {splitting[-1]}"
    if _uses_median(values):
        return f"How {who} find their splits. Smooth sensitivity needs (ε, δ)."
    return f"Only {who} split at medians of your choice; what is chosen above does not."


def _suggested(place: DeltaGenerator, values: Values) -> None:
    """The height that suits as many people, with its reason."""
    try:
        budget = session.each(values["budget"])
    except DpvizError:  # said where the map would stand
        return
    quadtree = Quadtree(noise=Noise.for_budget(budget))
    found = suggest_height(values["m_expected"], budget, values["points"].box, quadtree)
    place.caption(f"Height **{found.height}**: {found.reason}")


def _levels(values: Values) -> range:
    """Levels that may be drawn; of the map on screen, once there is one."""
    return range(values.get("deepest", HIGHEST) + 1)


def _slider(key: str, first: int, *, follows: bool) -> Field:
    """The level that is drawn, of methods whose cells follow the points, or of the others."""
    return Field(
        key, "Depth of the cells", Whole(0, lambda values: _levels(values)[-1], _levels), first,
        "late", when=lambda values: follows_points(values) == follows,
    )  # fmt: skip


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    (Field("m_method", "Method", OneOf(lambda: same(*names())), names()[0], "question",
           "How the plane is cut into cells. The two marked ones show what privacy costs.",
           when=_of_points),),
    (Field("m_second", "Beside it, in place of the truth", OneOf(lambda: same("none", *names())), "none",
           "question", "A second method on the same points and budget.", when=_of_points),),
    (Field("m_split", "Levels share the budget", OneOf(same(*SPLITS)), SPLITS[0], "question",
           places.SPLIT_HELP, when=_of_places),),
    (Field("m_counts", "Counts are read", OneOf(same(*places.READINGS), "segments"),
           places.READINGS[1], "question", "Post-processing: costs nothing.", when=_of_places),),
    (Field("m_list", "A public list of places, in place of the made-up country",
           Text(session.places_of, lines=True, longest=session.LONGEST_LIST), "", "question",
           places.LIST_HELP, when=_of_places, linked=lambda: False),),
    (Field("m_own", "Count the rows of your own file", Switch(), False, "question",
           places.OWN_HELP, when=lambda values: _of_places(values) and session.is_upload(),
           linked=lambda: False, kept=session.counts_places),),
    (Field(rectangle.KEY, "Draw a rectangle on a map with the mouse, or type its ends.",
           Parts(rectangle.LABELS, Number(format="%.8g", placeholder="any")),
           lambda values: rectangle.first_of(values["points"].box), "reading", tab="Rectangle",
           under=rectangle.below_ends, said=lambda _: not session.is_upload(),
           kept=rectangle.kept),),
    (Field("m_colour", "Colour", OneOf(same(*map(str, Colour)), "segments"), str(Colour.DENSITY), "reading",
           "Density: the private count over the area of its cell. Count: the private count. "
           "Standard error: the root of its variance, which is public.", tab="Look"),),
    (Field("m_sure", "Only what is sure", Switch(), False, "reading",
           "Colours only cells above three standard errors. A page without the truth always does.",
           tab="Look", off=_hidden),),
    (Field("m_points", "True points over the cells", Switch(), False, "reading", "Confidential.",
           tab="Look", off=_hidden, linked=lambda: False),),
    (Field("m_behind", "Cells behind the answer", Switch(), False, "reading",
           "Outlines the nodes of a tree whose counts are added up for the rectangle.",
           tab="Look"),),
    (Field("m_earth", "Degrees", Switch(), False, "reading",
           "x is a longitude and y a latitude: draw them with the right aspect.", tab="Look"),),
    # a sample's places count the same both ways; of a file its owner says so
    (Field("m_share_unit", "Both columns share a unit", Switch(), False, "reading",
           "Draws one unit as long across as up. Off, as for pay by age, the map fills its frame.",
           tab="Look", when=lambda values: session.is_upload() and not values["m_earth"],
           linked=lambda: False),),
    (Field("m_height", "Height", Whole(0, HIGHEST), 8, "expert",
           "h, levels below the root; 4^h leaves.", tab="Cells", width=NARROW),),
    (Field("m_expected", "People expected", Whole(1, LARGEST_WHOLE), 100_000, "expert",
           "A public guess or a number of people that was paid for; not the true one. It suggests "
           "a height.", tab="Cells", width=NARROW, under=_suggested),),
    (Field("m_median", "Private medians", OneOf(lambda: same(*medians())), next(iter(medians())),
           "expert", _median_help, tab="Cells", off=lambda values: not _uses_median(values)),),
    (Field("m_prune", "Prune", Switch(), False, "expert",
           "Drop what lies below a node whose estimate is under the threshold "
           "(Cormode et al. 2012, §7). Post-processing.", tab="Cells"),),
    (Field("m_threshold", "Threshold", Number(format="%.6g", is_needed=True), 32.0, "expert", "m, in people.",
           tab="Cells", when=lambda values: values["m_prune"]),),
    (Field("m_no_cuts", "The chosen methods have no further settings: they settle cells by "
           "themselves.", Note(), None, "expert", tab="Cuts", linked=lambda: False,
           when=lambda values: not any(method_of(name).knobs for name in chosen(values))),),
    (Field("m_levels", "Budget of the levels", OneOf(same(*LEVELS)), LEVELS[0], "expert",
           "How the levels of a tree share the budget of its counts (Cormode et al. 2012, §4.2).",
           tab="Cuts", when=_takes("levels")),),
    (Field("m_switch", "Switch level of kd-hybrid", Whole(HALF_WAY, HIGHEST), HALF_WAY, "expert",
           "Levels that are cut at private medians, the rest at middles: −1 is half-way down, which "
           "the paper found best; 0 is a quadtree.", tab="Cuts", width=WIDE,
           when=_takes("switch")),),
    (Field("m_share", "Share of the medians", Number(0.01, 0.99, "%.4g", is_needed=True), 0.3, "expert",
           "Part of the budget that goes to private medians; counts get the rest. The paper's is "
           "0.3.", tab="Cuts", width=WIDE, when=_takes("share")),),
    (Field("m_order", "Order of the Hilbert curve", Whole(1, 24), 18, "expert",
           "2^order cells along each side of the map. The paper found 16 to 24 alike and took 18.",
           tab="Cuts", width=WIDE, when=_takes("order")),),
    (Field("m_columns", "Columns of kd-cell's grid", Whole(1, 2048), COLUMNS, "expert",
           "How fine the noisy grid is on which kd-cell grows; its cells are nearly square.",
           tab="Cuts", width=WIDE, when=_takes("cells")),),
    (Field("m_tested", "kd-cell: keep negative cells, stop at even nodes", Switch(), False,
           "expert", "Our variant: noisy cells below 0 stay, and a node that looks even is not cut "
           "further. Off: as the authors have it, negative cells are 0 and nodes of at most 32 "
           "end.", tab="Cuts", when=_takes("cells")),),
    (Field("m_shares", "Shares, root first",
           Text(weights_of, adapts=lambda text, values: adapted(text, values["m_height"])),
           lambda values: even_weights(values["m_height"]), "expert",
           "One number a level, h + 1 in all; 0 leaves a level out.", tab="Cuts",
           when=lambda values: takes(values, "levels") and values["m_levels"] == WRITTEN),),
    # cells that follow the points are many where people are
    (_slider("m_depth", 6, follows=False),),
    (_slider("m_depth_points", 4, follows=True),),
    (
        Field("m_level", "Level", Whole(0, lambda values: values.get("tallest", HIGHEST)), 0,
              "below", "0 is the root.", linked=lambda: False),
        Field("m_node", "Node", Whole(0, lambda values: 4 ** values["m_level"] - 1), 0, "below",
              node.HELP, linked=lambda: False),
    ),
    (Field("m_compare", "Compare",
           OneOf(same(*compared.GROUPS), "segments", {"label_visibility": "collapsed"}),
           next(iter(compared.GROUPS)), "below", linked=lambda: False),),
    (Field("m_distance", "Distance, as a share of the box",
           OneOf({one: f"{one:g}" for one in matching.DISTANCES}, "slider"), 0.001, "below",
           linked=lambda: False, width=360),),
)  # fmt: skip


def _refusals(shown: Shown[MapPage, None]) -> None:
    for text in shown.asked.refused:
        problem(text)


NO_MAP = standing("No map was made.", "Choose another method, or another budget.", above=_refusals)


def _truth_and_points(
    hidden: str, *, needs_cells: bool = True
) -> Callable[[MapPage, Visit, Values], View[MapPage, None] | None]:
    """What stands in the place of a view of the true points: hidden, counted, or without a map."""

    def instead(page: MapPage, _: Visit, __: Values) -> View[MapPage, None] | None:
        if page.truth is None:
            return standing(hidden, "Show the truth to see it, or choose another view.", strip=())
        if not isinstance(page.points, Points):
            why = COUNTED if session.is_counted() else SHARED
            return standing("This view needs each point apart.", why, strip=())
        return NO_MAP if needs_cells and not page.shown else None

    return instead


def _without_map(page: MapPage, _: Visit, __: Values) -> View[MapPage, None] | None:
    return None if page.shown else NO_MAP


def _without_tree(page: MapPage, _: Visit, __: Values) -> View[MapPage, None] | None:
    if not page.shown:
        return NO_MAP
    one = page.shown[0]
    if isinstance(one.release, Cells):
        return standing(f"{plain(one.name)} is no tree: its cells stand alone.")
    return None


def _form(page: MapPage, now: Visit, values: Values) -> View[MapPage, Any] | None:
    """The map in another form than beside the truth."""
    if not page.shown:
        return NO_MAP
    if len(page.shown) == 2:
        return TWO
    if page.truth is None:
        return OUTSIDE
    return LOW if private_map.is_low(page, values, now.look) else None


PAIR: View[MapPage, MapNumbers] = View(
    "map", "Map", private_map.numbers, private_map.key,
    lambda page, found: maps_said.say(found, words.page_voice(), page.choice.prune),
    private_map.draw_pair, "map", "map", selects=partial(rectangle.keep_drawn, "map"),
    selection="box", scroll=True,
    above=private_map.refusals, listed=private_map.all_numbers, slider=private_map.slider,
    height=private_map.height,
)  # fmt: skip
TWO = replace(PAIR, draw=private_map.draw_two)
LOW = replace(PAIR, draw=private_map.draw_one, beside=private_map.beside)
OUTSIDE = replace(
    PAIR, draw=private_map.draw_one, hero="release",
    selects=partial(rectangle.keep_drawn, "release"), beside=private_map.card,
    height=private_map.height_alone, badge=lambda _: False,
)  # fmt: skip
VIEWS: tuple[View[MapPage, Any], ...] = (
    replace(PAIR, instead=_form),
    View(
        "node", "One node", node.numbers, node.key,
        lambda page, found: node_said.say(found, page.shown[0].name, words.names()), node.draw,
        node.CHART, "node", selects=node.take_click, instead=_without_tree, beside=node.beside,
        widths=(6, 4), saved=False,
    ),
    View(
        "compare", "Methods compared", compared.numbers, compared.key,
        lambda _, found: compared_said.say(found, words.names()), compared.draw, "compared",
        "map methods",
        instead=_truth_and_points("Errors compare with the truth: hidden.", needs_cells=False),
        between=lambda shown: shown.group("m_compare"), saved=False,
    ),
    View(
        "medians", "Medians by depth", median_study.numbers, say=median_study.say,
        draw=lambda _, found, __, look: medians_figure(found.rows, look, "error"),
        hero=median_study.HERO, file="medians",
        above=median_study.run_again, beside=median_study.times,
        widths=(1, 1), kept="run", ends=False, draws=False, saved=False,
    ),
    View(
        "matching", "Record matching", matching.numbers, matching.key,
        lambda _, found: matching_said.say(found),
        lambda _, found, __, look: matching_picture(found, look), "matching", "matching",
        instead=_truth_and_points("What is compared depends on both sides' people: hidden."),
        between=matching.between, saved=False,
    ),
    View(
        "places", "Named places", places.numbers, places.key, places.say, places.draw, "places",
        "named-places", kept="public", of_data=False, draws=False, instead=places.instead,
    ),
    View(
        "take", "Downloads", downloads.numbers, say=downloads.say, below=downloads.below,
        kept="run", ends=False, instead=_without_map,
    ),
)  # fmt: skip


def _is_lone() -> bool:
    """Whether named places are asked of a file that has no two columns of numbers to map.

    They take columns of names: the page then works on the file as the page of a column does.
    """
    of_file = data.latest() == data.in_use("column") == data.UPLOAD
    is_asked = state.store().get("view_map") == "places"
    return is_asked and of_file and not data.upload_in_plane()


def _known(now: Visit) -> Values | None:
    """The points, after what was drawn or clicked in a picture is taken over."""
    if now.kind == "column":
        return {"points": NOWHERE, "budget": now.budget}
    if data.latest() == data.UPLOAD and data.shown() != data.UPLOAD:
        title = session.data_title(data.shown())
        own = session.upload()
        what = "of your file only one is chosen", "Choose a second column on the Data page"
        if own is not None and own.column is None:
            what = "your file has none", "The view Named places counts its rows"
        st.caption(
            f":material/info: A map needs two columns of numbers; {what[0]}. This is the sample "
            f"{title}. {what[1]}."
        )
    points = attempt(session.points)
    if points is None:
        return None
    rectangle.take_drawn(points.box)
    return {"points": points, "budget": now.budget}


def _ask(values: Values, now: Visit) -> MapPage | None:
    choice = attempt(lambda: MapChoice.of(values, session.each(now.budget)))
    return None if choice is None else MapPage(choice, values["points"], draw_of_visit())


def _before(now: Visit, waits: NotAsked, page: MapPage, values: Values) -> None:
    if _of_places(values):
        frame.frame_of("Map", now, waits, lambda: (None, places.beforehand(page, values)))
        return
    frame.map_before(now, waits, page.choice, page.points)


def _label(values: Values) -> str:
    """What is asked, in short."""
    if _of_places(values):
        return f"Budgets: {values['m_split']}"
    methods = " + ".join(name.split(",")[0] for name in chosen(values))
    return methods[0].upper() + methods[1:]


def _declarations() -> None:
    """Both sides of the declared box, from public knowledge."""
    if not session.in_plane():
        st.caption("Named places need no bounds: the list says which there are.")
        return
    st.caption("Points outside are moved to the edge. Declare without looking at the data.")
    key = None if session.is_upload() else session.chosen_sample().key
    scopes = (session.scope(), "y") if key is None else (f"{key}_0", f"{key}_1")
    for scope, name in zip(scopes, session.point_units(), strict=True):
        low, high = st.columns(2, wrap=False)
        for place, end, side in ((low, "low", "from"), (high, "high", "to")):
            place.number_input(
                f"{name} {side}",
                format="%.10g",
                step=None,
                placeholder="declare",
                **data_choice.field(scope, end),
            )


PAGE = Page(
    name="map",
    title="Map",
    fields=FIELDS,
    views=VIEWS,
    ask=_ask,
    once=lambda page, what, compute, key: page.once(what, compute, key),
    before=_before,
    label=_label,
    missing="No map yet.",
    missing_why="The budget cannot be shared among so many rows a person.",
    refused="The picture returns once this is mended.",
    known=_known,
    needs="It needs two columns of numbers, and the bounds of both.",
    slides="map",
    slides_note="Save the picture as a slide, 1920 × 1080:",
    question_tab="Data, method",
    reading_tabs=("Rectangle", "Look"),
    numbers_tab="Numbers",
    reading_icon=":material/map_search:",
    expert_tabs=("Privacy", "Cells", "Cuts", "Bounds"),
    declarations=_declarations,
    ledger_in_dock="hidden",
    kind=lambda: "column" if _is_lone() else "plane",
    epsilon=0.5,
    rho=0.1,
)
