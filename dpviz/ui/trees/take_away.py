"""What may be taken away of a tree: the release, a reading, the private picture, Python lines."""

from __future__ import annotations

import plotly.graph_objects as go

from dpviz.answers.said import Line, Said
from dpviz.answers.trees import outsider_said
from dpviz.answers.trees.outsider import OutsiderNumbers
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.reports.tables import tree_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.offers import REFUSAL, Group, Offer, download_panel, figure_offer
from dpviz.ui.kit.script import Row, Script, column_text
from dpviz.ui.model.render import Shown
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.release_view import private_picture

HERO = "trees_private"
NOTE = (
    "Noisy counts, declarations and the budget only; readings are post-processing. If you publish "
    "more than one release about the same people, their budgets add up."
)
READ = {
    TreeEstimator.RAW: "release",
    TreeEstimator.FROM_BELOW: "dp.from_below(release)",
    TreeEstimator.FROM_ABOVE: "dp.from_above(release)",
    TreeEstimator.EFFICIENT: "dp.efficient(release)",
}


def say(page: TreePage, found: OutsiderNumbers) -> Said:
    """What the picture shows, and that it is all that leaves."""
    return Said(
        Line(outsider_said.to_take_away(found, names())),
        Line("Whatever leaves from here is made of the release alone."),
        [("spent", str(page.release.spent))],
        "The noisy counts by level and the running counts that they give",
    )


def below(shown: Shown[TreePage, OutsiderNumbers]) -> None:
    """Buttons for everything that may leave, then the Python lines."""
    page, reading = shown.asked, shown.chosen["t_reading"]
    release, question = page.release, page.outside(reading)
    taken = private_picture(page, reading, Look())  # now: a download knows no session
    offers = (
        Offer("Release as JSON", release.to_json, "tree.json", "application/json"),
        Offer(
            "Chosen reading as CSV",
            lambda: tree_csv(release, question.read(reading)),
            "tree.csv",
            "text/csv",
        ),
        *report_offers(release, Told(f"{names().people} by {names().axis}"), "tree"),
        figure_offer(
            lambda: private_figure(taken),
            "private-tree.html",
            "An interactive page of the chosen reading without true counts; its camera saves a PNG.",
        ),
    )
    refusal = REFUSAL if page.draw.is_teaching(release) else ""
    download_panel(NOTE, [Group(offers, refusal=refusal)], tree_lines(page, reading))


def private_figure(picture: Picture) -> go.Figure:
    """A picture as a page of its own."""
    return go.Figure(picture).update_layout(height=620)


def tree_lines(page: TreePage, reading: TreeEstimator) -> str:
    """A script with a `release` as on screen, for a file another one of its law, and its `read`."""
    tree, budget, column = page.choice.tree, page.choice.budget, page.column
    draw, release = page.draw, page.release
    script = Script(column_text(column), budget, draw)
    row = Row(tree, release, purpose_of(tree, column, budget))
    return script.text(f"""\
{script.release("tree", row, "column")}
read = {READ[reading]}
for level, counts in enumerate(read.counts):
    print(level, counts.round(1))
""")
