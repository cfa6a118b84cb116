"""The picture of the Trees page: a release as measured, and after its levels are combined."""

from dataclasses import replace

from dpviz.answers.said import Said
from dpviz.answers.trees import levels_said, node_said
from dpviz.answers.trees import node as one_node
from dpviz.answers.trees.levels import LevelsNumbers
from dpviz.answers.trees.levels_said import TITLES
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.panels import sheets
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.icicle import Side, icicle
from dpviz.ui.bench.hero import hero
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.trees import node
from dpviz.ui.trees.page import TreePage, names

HERO = "trees"


def say(page: TreePage, found: LevelsNumbers) -> Said:
    """What both readings tell; under a node that was clicked stand its numbers."""
    said, chosen = levels_said.say(found, names()), node.chosen(page.release.shape)
    if chosen is None:
        return said
    reading = found.reading
    readings = tuple(dict.fromkeys((TreeEstimator.RAW, reading)))
    one = page.once(
        "node", lambda: one_node.answer(page.question(reading), chosen, readings), chosen, readings
    )
    return replace(said, strip=node_said.strip(one))


def draw(page: TreePage, found: LevelsNumbers, _: Values, look: Look) -> Picture:
    """Both readings side by side; a phone has room for the second."""
    chosen = node.chosen(page.release.shape)
    path = page.release.shape.path(*chosen) if chosen else ()
    sides = _sides(found, look)
    return icicle(
        sheets(look, sides)[-1], page.ends, names(), look, noisiest=found.noisiest, path=path
    )


def below(shown: Shown[TreePage, LevelsNumbers]) -> None:
    """On a phone the counts as measured stand below the numbers."""
    look = shown.now.look
    for measured in sheets(look, _sides(shown.numbers, look))[:-1]:
        picture = icicle(measured, shown.asked.ends, names(), look)
        hero(picture, "trees_measured", "The same counts as measured, before they are combined")


def _sides(found: LevelsNumbers, look: Look) -> list[Side]:
    raw, reading = TreeEstimator.RAW, found.reading
    before = Side(f"<b>{TITLES[raw]}</b>", found.before.rows, found.before.off)
    if reading is raw:
        return [before]
    same = look.said(", from the same release", "", presenting=True)
    title = f"<b>{TITLES[reading]}</b>{same}"
    return [before, Side(title, found.after.rows, found.after.off)]
