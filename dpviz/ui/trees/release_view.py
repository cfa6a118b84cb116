"""What an outsider gets of a tree, with errors from theory, and what may be taken away of it."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from dpviz.answers.number_text import counted
from dpviz.answers.privacy.promise import promised
from dpviz.answers.said import Line, Said
from dpviz.answers.trees import outsider, outsider_said
from dpviz.answers.trees.names import NOISE_NAMES, value
from dpviz.answers.trees.outsider import OutsiderNumbers
from dpviz.core.budgets import Neighbours
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.curve import Curve
from dpviz.figures.trees.icicle import Side
from dpviz.figures.trees.released import released_tree
from dpviz.reports.tables import tree_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.offers import REFUSAL, Group, Offer, download_panel, figure_offer
from dpviz.ui.kit.script import Row, Script, column_text
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

TAKEN = "trees_private"
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
HERO = "release"
WRITTEN = 50_000  # counts whose JSON is written at every run; taller trees: under Reading


def instead(_: TreePage, now: Visit, __: Values) -> View[TreePage, Any] | None:
    """With the truth hidden what an outsider gets; a room is not shown the card."""
    if now.truth:
        return None
    return replace(VIEW, beside=None) if now.presenting else VIEW


def numbers(page: TreePage, values: Values) -> OutsiderNumbers:
    """The numbers of the chosen reading."""
    return outsider_of(page, values["t_reading"])


def say(page: TreePage, found: OutsiderNumbers) -> Said:
    """What an outsider reads."""
    return outsider_said.say(found, names(), str(page.release.spent))


def draw(page: TreePage, _: OutsiderNumbers, values: Values, look: Look) -> Picture:
    """The rows and the CDF with its exact band."""
    return private_picture(page, values["t_reading"], look)


def _card(shown: Shown[TreePage, OutsiderNumbers]) -> None:
    """The card of the release."""
    page, found = shown.asked, shown.numbers
    taken = Taken(page.release.to_json, "tree.json") if found.counts <= WRITTEN else None
    release_card("Release", card_rows(page, found), taken)


def outsider_of(page: TreePage, reading: TreeEstimator) -> OutsiderNumbers:
    """The numbers of one reading, worked out once, of the release alone."""
    return page.once("outsider", lambda: outsider.answer(page.outside(reading)), reading)


def private_picture(page: TreePage, reading: TreeEstimator, look: Look) -> Picture:
    """Rows and CDF of one reading, made from the release alone."""
    found, nouns = outsider_of(page, reading), names()
    title = (
        f"<b>{counted(found.counts, 'count')} combined</b>"
        if found.combined
        else "<b>As measured</b>"
    )
    side = Side(title + look.said("; ± one standard error", ""), found.rows)
    sure = look.said(outsider_said.band_text(found, nouns.safe().axis), "")
    running = found.running
    curve = Curve(running.edges, running.counts, running.band)
    return released_tree(side, curve, page.ends, nouns, look, noisiest=found.noisiest, sure=sure)


def card_rows(page: TreePage, found: OutsiderNumbers) -> list[tuple[str, str]]:
    """Everything about the release that may be known, in words; texts are plain."""
    release, nouns = page.release, names()
    low, high = (value(one) for one in page.ends)
    steps = f", in steps of {value(release.resolution)}" if release.resolution else ""
    one = "someone" if release.neighbours is Neighbours.ADD_REMOVE else "one person"
    moves = "joins or leaves" if release.neighbours is Neighbours.ADD_REMOVE else "changes a value"
    rows = [
        ("What", f"{counted(found.counts, 'count')} of {nouns.people}, in all and in nested parts"),
        ("Promise", promised(release.spent, release.neighbours, session.protected())),
        ("Neighbours", which_rows(f"{one} {moves}")),
    ]
    if release.total is not None:
        rows.append(
            ("Public besides", f"{release.total:,.0f} {nouns.noun(f'{release.total:,.0f}')}")
        )
    shape = release.shape
    tree = f"{shape.fanout} parts each, {counted(shape.height, 'level')} deep"
    return [
        *rows,
        ("Method", f"noisy tree, {tree}, {NOISE_NAMES[release.noise]} noise"),
        ("Declared", f"{nouns.axis} {low} to {high}{steps}"),
        ("How exact", outsider_said.how_exact(found, nouns)),
        ("Spent", f"{release.spent}, for good"),
        (DRAWN, DRAWN_FROM[release.randomness]),
    ]


VIEW: View[TreePage, OutsiderNumbers] = View(
    "release", "", numbers, say=say, draw=draw, hero=HERO, file="private-tree", beside=_card,
    widths=(66, 34), kept="run",
)  # fmt: skip


def say_to_take(page: TreePage, found: OutsiderNumbers) -> Said:
    """What the picture shows, and that it is all that leaves."""
    return Said(
        Line(outsider_said.to_take_away(found, names())),
        Line("Whatever leaves from here is made of the release alone."),
        [("spent", str(page.release.spent))],
        "The noisy counts by level and the running counts that they give",
    )


def below_to_take(shown: Shown[TreePage, OutsiderNumbers]) -> None:
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
