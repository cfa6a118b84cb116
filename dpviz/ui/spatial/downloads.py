"""What may be taken away of a map: releases, cells, private pictures, and the Python of it all."""

import re

import plotly.graph_objects as go

from dpviz.answers.said import Line, Said, html_safe, plain, unmarked
from dpviz.answers.spatial import cells, cells_said
from dpviz.answers.spatial.cells import CellsNumbers
from dpviz.core.data.grid_counts import Plane
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial.pictures import Side, private_picture
from dpviz.reports.tables import map_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw, purpose_of
from dpviz.ui.kit.offers import REFUSAL, Group, Offer, download_panel, figure_offer
from dpviz.ui.kit.script import FACE, Row, Script, mapping, points_text
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial import words
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.methods import MapChoice
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import Reading
from dpviz.ui.spatial.sides import plain_side

NOTE = (
    "Cells, noisy counts, declarations and the budget only; readings are post-processing. If you "
    "publish more than one release about the same people, their budgets add up. The camera in a "
    "chart's corner saves the picture as it stands, true points included while they are shown."
)


def numbers(page: MapPage, _: Values) -> CellsNumbers:
    """What leaves with the first method."""
    one = page.shown[0]
    return page.once("taken", lambda: cells.answer(one.asked(one.height)), page.key)


def say(_: MapPage, found: CellsNumbers) -> Said:
    """How much leaves, and how good it is."""
    said = cells_said.to_take_away(found, words.names())
    second = Line("The private map, and the Python that makes it again.")
    return Said(Line(said), second, [], unmarked(said))


def below(view: Shown[MapPage, CellsNumbers]) -> None:
    """Buttons for everything that may leave, method by method, then the Python lines."""
    page, shown = view.asked, view.asked.shown
    lines = map_lines(shown, page.points, page.choice, page.draw)
    download_panel(NOTE, [_group(one, page.draw) for one in shown], lines)


def file_of(one: Drawn) -> str:
    """The name of a method's files."""
    return re.sub(r"[^a-z0-9]+", "-", one.name.lower()).strip("-")


def _group(one: Drawn, draw: Draw) -> Group:
    """What is offered of a method; nothing of one that is not private."""
    title, exact = plain(one.name), " and ".join(one.release.non_private)
    if exact:
        refusal = (
            f"Not a private release: its {exact} {'is' if exact == 'structure' else 'are'} exact. "
        )
        return Group(
            (),
            title,
            refusal + "It is here to show what privacy costs, and is not offered for download.",
        )
    if draw.is_teaching(one.release):
        return Group((), title, REFUSAL)
    file = file_of(one)
    cells = Offer(
        "Cells as CSV",
        lambda: map_csv(one.reading),
        f"{file}.csv",
        "text/csv",
        "One row a cell of every level, as the map reads them: after estimation and pruning.",
    )
    side = private_side(one)  # now: a download is made when nobody's session is at hand
    picture = figure_offer(
        lambda: private_figure(side),
        f"{file}.html",
        "An interactive page without true points and without a rectangle; its camera saves a PNG.",
    )
    release = Offer("Release as JSON", one.release.to_json, f"{file}.json", "application/json")
    told = Told(f"{session.words().people.many} by {' and '.join(session.point_units())}")
    return Group((release, cells, *report_offers(one.release, told, file), picture), title)


def private_side(one: Drawn) -> Side:
    """The leaves by density, from the release alone."""
    return plain_side(f"{html_safe(one.name)}, private", one.asked(one.height), Reading())


def private_figure(side: Side) -> go.Figure:
    """A private map by itself, on a white page."""
    return go.Figure(private_picture(side, Look())).update_layout(height=760)


def map_lines(shown: list[Drawn], points: Plane, choice: MapChoice, draw: Draw) -> str:
    """A script whose `releases` and `readings` are by name those on screen.

    For a file they are others of the same law.
    """
    # references that protect nobody are not on the public face
    private = {one.name: not one.release.non_private for one in shown}
    apart = {type(one.mechanism) for one in shown if not private[one.name]}
    imports = sorted(f"from {kind.__module__} import {kind.__name__}" for kind in apart)
    script = Script(points_text(points), choice.budget, draw, tuple(imports))
    rows = {
        one.name: Row(
            one.mechanism,
            one.release,
            purpose_of(one.mechanism, points, choice.budget),
            FACE if private[one.name] else "",
        )
        for one in shown
    }
    readings = {one.name: _reading(one, choice.prune) for one in shown}
    return script.text(f"""\
{script.releases(rows, "points")}
readings = {mapping(readings)}
rectangle = [box.x.low, box.x.high, box.y.low, box.y.high]  # any other as well
for name, reading in readings.items():
    counts, variances = dp.range_counts(reading, rectangle)
    print(name, counts[0], "±", variances[0] ** 0.5)
""")


def _reading(one: Drawn, threshold: float | None) -> str:
    release = f"releases[{one.name!r}]"
    if not isinstance(one.reading, SpatialEstimate):
        return release
    estimate = f"dp.estimate({release})"
    return estimate if threshold is None else f"dp.prune({estimate}, {threshold!r})"
