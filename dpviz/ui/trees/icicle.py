"""The picture of the Trees page: a release as measured, and after its levels are combined."""

from __future__ import annotations

from functools import partial

from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelRule
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.icicle import Side, icicle, largest_error
from dpviz.figures.trees.names import value
from dpviz.figures.trees.rows import MOST_ROWS
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees import node, sentences
from dpviz.ui.trees.choice import NOISE_NAMES
from dpviz.ui.trees.page import Shown, TreePage, names
from dpviz.ui.visit.page import Visit

HERO = "trees"


def picture_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """The finding, both readings side by side, and the numbers of the release or of one node."""
    shown, nouns = Shown.of(page, reading), names()
    short = now.presenting or now.look.phone
    narrow = short or now.look.screen == "narrow"
    finding = sentences.headline(shown.errors, reading, nouns, short=narrow)
    second = sentences.second_line(shown.errors, shown.worst, nouns, short=short)
    headline("Trees", finding, second)
    chosen = node.chosen(page.release.shape)
    sides = _sides(shown, reading, now)
    hero(
        icicle(
            sides[-1:] if now.look.phone else sides,
            page.ends,
            nouns,
            now.look,
            noisiest=largest_error(shown.before.rows),
            path=page.release.shape.path(*chosen) if chosen else (),
        ),
        HERO,
        sentences.alternative(shown.errors, shown.worst, nouns),
        slides="noisy-tree",
        on_select=partial(node.take_click, HERO),
        selection_mode="points",
    )
    items = release_items(page, shown)
    if chosen is not None:
        items = page.once("node", lambda: node_items(page, chosen, reading), chosen, reading)
    strip(now, items, chips(page, reading), ledger=True)
    if now.look.phone and len(sides) > 1 and not now.presenting:
        _measured(sides[0], page, now)
    return HERO, finding


def _sides(shown: Shown, reading: TreeEstimator, now: Visit) -> list[Side]:
    raw = TreeEstimator.RAW
    before = Side(f"<b>{sentences.TITLES[raw]}</b>", shown.before.rows, shown.before.off)
    if reading is raw:
        return [before]
    title = f"<b>{sentences.TITLES[reading]}</b>"
    if not (now.presenting or now.look.phone):
        title += ", from the same release"
    return [before, Side(title, shown.after.rows, shown.after.off)]


def _measured(side: Side, page: TreePage, now: Visit) -> None:
    """On a phone the counts as measured stand below the numbers."""
    picture = icicle([side], page.ends, names(), now.look)
    hero(picture, "trees_measured", "The same counts as measured, before they are combined")


def release_items(page: TreePage, shown: Shown) -> list[tuple[str, str]]:
    """The numbers of the whole release; the true total only where it is shown."""
    release = page.release
    root = sentences.with_error(shown.after.root, shown.errors.after[0])
    if page.truth is not None:
        root += f", true {page.column.n:,}"
    return [
        ("root", root),
        ("levels", levels_text(page)),
        ("noise scale", _scales(release.tree.scales)),
    ]


def levels_text(page: TreePage) -> str:
    """How many levels there are, and how they share: 7, ε/7 each."""
    tree, symbol = page.choice.tree, page.choice.budget.symbol
    shares = [share for share in tree.shares() if share > 0]
    count = len(page.release.counts)
    if tree.levels.rule is LevelRule.UNIFORM or max(shares) - min(shares) < 1e-9:
        return (
            f"{count}, {symbol}/{len(shares)} each" if len(shares) > 1 else f"{count}, one noised"
        )
    return f"{count}, {100 * min(shares):.2g} to {100 * max(shares):.2g} % each"


def _scales(scales: tuple[float, ...]) -> str:
    known = [one for one in scales if one < float("inf")]
    if not known:
        return "none"
    least, most = significant(min(known), 2), significant(max(known), 2)
    return least if least == most else f"{least} to {most}"


def node_items(
    page: TreePage, chosen: tuple[int, int], reading: TreeEstimator
) -> list[tuple[str, str]]:
    """The numbers of one node in place of those of the release."""
    level, index = chosen
    low, high = page.release.edges(level)[index : index + 2]
    found = [("part", f"{value(low)} to {value(high)}")]
    for one in dict.fromkeys((TreeEstimator.RAW, reading)):
        levels = page.read(one)
        error = float(levels.node_variances(level)[index]) ** 0.5
        said = sentences.with_error(float(levels.counts[level][index]), error)
        found.append((sentences.TITLES[one].lower(), said))
    if page.truth is not None:
        found.append(("true", f"{page.truth[level][index]:,.0f}"))
    return found


def chips(page: TreePage, reading: TreeEstimator) -> list[str]:
    """The page's settings that are not as at first."""
    tree, found = page.choice.tree, []
    levels = len(page.release.counts)
    if levels > MOST_ROWS:
        found.append(f"{MOST_ROWS} of {levels} levels drawn")
    if tree.fanout != 2:
        found.append(f"fanout {tree.fanout}")
    noise = tree.law(page.choice.budget)
    if noise is not Noise.for_budget(page.choice.budget):
        found.append(f"{NOISE_NAMES[noise]} noise")
    if tree.root.value != "released":
        found.append(f"N {'public' if tree.total is not None else 'summed'}")
    if reading is not TreeEstimator.EFFICIENT:
        found.append(sentences.TITLES[reading].lower())
    return found
