"""The Trees page: noisy counts of nested intervals, before and after their levels are combined."""

from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.trees import (
    buckets_said,
    budgets_said,
    cdf_said,
    fanouts_said,
    levels,
    node_said,
    online_said,
    running_said,
    theory,
)
from dpviz.answers.trees.names import READING_NAMES
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import MAX_LEAVES
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.prefix_fanout import best_fanout, prefix_variance
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.runs import simulation_picture
from dpviz.ui.beforehand import frame
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt
from dpviz.ui.model.fields import Field, Number, OneOf, SomeOf, Switch, Text, Values, Whole, same
from dpviz.ui.model.render import Page, View
from dpviz.ui.trees import buckets, cdf, icicle, node, prefixes, release_view, studies
from dpviz.ui.trees.choice import BY_BUDGET, NOISES, exact_cost, tree_choice
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.splits import (
    OPTIMAL,
    OWN_RANGES,
    SPLITS,
    WORKLOADS,
    adapted,
    even_weights,
    first_range,
    ranges_of,
    weights_of,
)
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

FANOUTS = (2, 4096)  # least and most
LOWEST = 3  # of the height's slider, while the tree is not flatter already
ROOTS = {Root.RELEASED: "noised", Root.SUM: "summed", Root.PUBLIC: "public"}
# by name: what goes into the visit, and the view that opens
PRESETS: dict[str, tuple[dict[str, Any], str]] = {
    "own choices": ({}, ""),
    "poster: ε = .01, β = .05": (
        {
            "notion": "pure", "eps": 0.01, "neighbours": Neighbours.ADD_REMOVE,
            "t_fanout": 2, "t_height": 7, "t_split": "uniform", "t_noise": "Laplace",
            "t_root": Root.SUM,  # as on Papers: Lap(7/ε) on every node below the root
            "t_reading": TreeEstimator.RAW, "t_beta": 0.05, "t_poster": True,
        },
        "cdf",
    ),
    "Honaker's tree: 16 leaves": (
        {"t_fanout": 2, "t_height": 4, "t_split": "uniform", "t_root": Root.RELEASED},
        "levels",
    ),
}  # fmt: skip


def highest(fanout: int) -> int:
    """The greatest height that a tree of this fanout may have.

    Raises: InvalidParameter for a fanout below 2, whose trees never have too many leaves.
    """
    if fanout < FANOUTS[0]:
        raise InvalidParameter(f"A tree needs a fanout of 2 or more, got {fanout}.")
    height = 0
    while fanout ** (height + 1) <= MAX_LEAVES:
        height += 1
    return height


def stops(fanout: int) -> range:
    """The stops of the height's slider."""
    top = highest(fanout)
    return range(LOWEST if top > LOWEST + 2 else 0, top + 1)


def _is(key: str, *wanted: object) -> Callable[[Values], bool]:
    return lambda values: values[key] in wanted


def _judged(values: Values) -> bool:
    """Whether the queries that matter change something."""
    return bool(values["view"] == "budgets" or values["t_split"] == OPTIMAL)


def _leaves(values: Values) -> int:
    return int(values["t_fanout"] ** values["t_height"])


def _nodes(values: Values) -> int:
    """Of the chosen level."""
    return int(values["t_fanout"] ** values["t_level"])


def _suggested(place: DeltaGenerator, values: Values) -> None:
    """The fanout that suits the CDF of as many parts, with its reason, and a way to take it."""
    fanout, height, leaves = values["t_fanout"], values["t_height"], _leaves(values)
    if leaves < 2:
        return
    unit = "rho" if state.get("notion") != "pure" else "eps"
    reading = "raw" if values["t_reading"] is TreeEstimator.RAW else "efficient"
    found = best_fanout(leaves, unit, reading)
    if found == (fanout, height):
        place.caption("Suits the CDF best")
        return
    own, other = (prefix_variance(leaves, one, unit, reading) for one in (fanout, found[0]))
    place.button(
        f"For the CDF: {found[0]}",
        key="t_suggested",
        on_click=lambda: state.store().update(t_fanout=found[0], t_height=found[1]),
        help=f"Fanout {found[0]} with height {found[1]} has the least mean variance over all "
        f"running counts of {leaves:,} parts, for equal shares in {'ρ' if unit == 'rho' else 'ε'} "
        f"and the {reading} reading: {100 * (1 - other / own):.0f} % less than fanout {fanout}.",
    )


def _preset(name: str) -> None:
    """Settings of the papers, put into the visit."""
    chosen, view = PRESETS[name]
    state.store().update(chosen)
    if view:
        visits.show_view("trees", view)


def _middle(_: Values) -> float | None:
    low, high = session.declared("low"), session.declared("high")
    return None if low is None or high is None else (low + high) / 2


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    (
        Field("t_fanout", "Fanout", Whole(*FANOUTS), 2, "expert", "Children of each node.",
              under=_suggested),
        Field("t_noise", "Noise", OneOf(same(BY_BUDGET, *NOISES)), BY_BUDGET, "expert",
              "By budget: Laplace for pure ε, Gaussian for zCDP and (ε, δ)."),
    ),
    (Field("t_height", "Height of the tree",
           Whole(0, lambda values: highest(values["t_fanout"]),
                 lambda values: stops(values["t_fanout"])), 6, "dock"),),
    (Field("t_split", "Level budgets", OneOf(same(*SPLITS)), "uniform", "question",
           "How the levels share the budget: evenly; growing by a ratio towards the leaves; all for "
           "the leaves; your own weights; or workload-optimal, the split that answers a workload "
           "best."),),
    (Field("t_ratio", "Ratio from level to level", Number(0.01, 100.0, "%.4f", is_needed=True), 1.2599, "question",
           "Above 1 the leaves get more. 2^(1/3) suits a quadtree in ε (Cormode et al. 2012).",
           when=_is("t_split", "geometric")),),
    (Field("t_weights", "Weights, root first",
           Text(weights_of, adapts=lambda text, values: adapted(text, values["t_height"])),
           lambda values: even_weights(values["t_height"]), "question",
           "One number a level, h + 1 in all; 0 leaves a level out.",
           when=_is("t_split", "own weights")),),
    (Field("t_workload", "Workload", OneOf(same(*WORKLOADS)), "all ranges", "question",
           "The queries that the tree is judged by, and that the workload-optimal split is made "
           "for.", when=_judged),),
    (Field("t_ranges", "Ranges, one a line: low, high", Text(ranges_of, lines=True),
           lambda _: first_range(), "question",
           "In the column's units, from public interest in them, not from the data.",
           when=lambda values: _judged(values) and values["t_workload"] == OWN_RANGES),),
    (Field("t_reading", "Counts are read",
           OneOf({one: READING_NAMES[one] for one in TreeEstimator}, "segments", {"wrap": True}),
           TreeEstimator.EFFICIENT, "reading",
           "As they are (raw), combined with those below, with those above and beside, or with all "
           "(efficient: least squares). Post-processing: costs nothing."),),
    (Field("t_root", "Total N", OneOf(ROOTS, "segments"), Root.RELEASED, "expert",
           "N is private and noised like any node, or private and summed from the level below, or "
           "public, which means replace-one neighbours."),),
    (Field("t_records", "Declared N", Number(0.0, format="%.0f", is_whole=True), None, "expert",
           "How many people the data is about, from public knowledge; it is released as it stands. "
           "It may differ from the number of values in the column.",
           when=_is("t_root", Root.PUBLIC), linked=lambda: session.link() is not None),),
    (Field("t_preset", "Settings of a paper", OneOf(same(*PRESETS)), "own choices", "expert",
           "Puts a paper's settings into the widgets, on the data in use: the tree of Manohar's "
           "poster as Papers shows it, of one row a person, who joins or leaves: noise Lap(7/ε) on "
           "every node below the root, smoothed as he does, counts below 0 cut; or a tree of the "
           "shape that Honaker simulates, whose number of people is noised here and known there.",
           linked=lambda: False, then=_preset),),
    (
        Field("t_step", "Step, in leaves", Whole(1, _leaves), 1, "below",
              "Running counts at every step-th leaf edge, as the poster does for large domains."),
        Field("t_beta", "β", Number(0.001, 0.5, "%.3f", is_needed=True), 0.05, "below",
              "The bands hold with probability 1 − β."),
        Field("t_curves", "Curve", SomeOf(same(*cdf.CURVES)), cdf.CURVES, "below",
              "Smoothed: the closest monotone curve in squares (isotonic regression). It is biased "
              "where the curve is flat: too low where a flat stretch begins, too high where it "
              "ends, by about .6 standard deviations of the noise. Standard errors belong to the "
              "raw curve."),
        Field("t_poster", "Smooth as the poster", Switch(), False, "below",
              "In Manohar's poster the last count, of all people, takes part in smoothing. Without "
              "it that count is held, and the others end at it. (Below 0 counts are cut in both.)"),
    ),
    (
        Field("t_level", "Level", Whole(0, lambda values: values.get("tallest", values["t_height"])),
              lambda values: values["t_height"] // 2, "below", "0 is the root.",
              linked=lambda: False),
        Field("t_node", "Node", Whole(0, lambda values: _nodes(values) - 1),
              lambda values: _nodes(values) // 2, "below", "From 0 on the left. Or click a cell.",
              linked=lambda: False),
    ),
    (
        Field("t_from", "Range from", Number(format="%.6g"), lambda _: session.declared("low"),
              "below", linked=lambda: False),
        Field("t_to", "to", Number(format="%.6g"), _middle, "below", linked=lambda: False),
    ),
)  # fmt: skip


VIEWS: tuple[View[TreePage, Any], ...] = (
    View(
        "picture", "Tree", lambda page, values: levels.answer(page.question(values["t_reading"])),
        lambda _, values: values["t_reading"], icicle.say, icicle.draw, icicle.HERO, "noisy-tree",
        selects=partial(node.take_click, icicle.HERO), instead=release_view.instead,
        below=icicle.below, waits=False,
    ),
    View(
        "node", "One node", node.numbers, node.key, lambda _, both: node_said.say(*both),
        node.draw, node.WEIGHTS, "node-weights", selects=partial(node.take_click, node.WEIGHTS),
        beside=node.beside, widths=(64, 36),
    ),
    View(
        "cdf", "CDF", cdf.numbers, lambda _, values: cdf.chosen(values),
        lambda _, found: cdf_said.say(found, names()), cdf.draw, cdf.HERO, "tree-cdf",
        below=cdf.below,
    ),
    View(
        "running", "Running counts", prefixes.numbers, prefixes.key,
        lambda _, found: running_said.say(found, names()), prefixes.draw, prefixes.HERO,
        "running-counts", instead=prefixes.instead, below=prefixes.below, kept="public",
        draws=lambda values: values["notion"] != "pure",
    ),
    View(
        "online", "Step by step", studies.online_of, studies.online_key,
        lambda _, found: online_said.say(found, names()), studies.draw_online, "trees_online",
        "step-by-step", instead=studies.online_instead, below=studies.below_online, kept="public",
        draws=False,
    ),
    View(
        "fanouts", "Fanouts", studies.fanouts_of, studies.fanouts_key,
        lambda _, found: fanouts_said.say(found, names()), studies.draw_fanouts, "trees_fanouts",
        "fanouts", kept="public", draws=False,
    ),
    View(
        "buckets", "Buckets", buckets.numbers,
        say=lambda _, known: buckets_said.say(known.found, names()), draw=buckets.draw,
        hero=buckets.HERO, file="buckets", instead=buckets.instead, below=buckets.below, kept="run",
        draws=_is("notion", "pure"),
    ),
    View(
        "levels", "Errors by level", studies.levels_of, studies.levels_key,
        lambda _, found: theory.say_by_level(found), studies.draw_levels, "trees_levels",
        "tree-levels", below=studies.below_levels, kept="public",
    ),
    View(
        "budgets", "Budgets", studies.budgets_of, studies.budgets_key,
        lambda page, found: budgets_said.say(
            found, names(), str(page.draw.spent(page.choice.budget))
        ),
        studies.draw_budgets, "trees_budgets", "tree-budgets", below=studies.below_budgets,
        kept="public", draws=False,
    ),
    View(
        "honaker", "Honaker", studies.honakers, say=lambda _, found: theory.say_honaker(found),
        draw=lambda _, found, __, look: simulation_picture(found.errors, look),
        hero="trees_simulation", file="honaker-figure-4", kept="public", draws=False,
        badge=lambda _: False,
    ),
    View(
        "take", "Downloads", release_view.numbers, say=release_view.say_to_take,
        draw=release_view.draw, hero=release_view.TAKEN, file="private-tree",
        below=release_view.below_to_take, waits=False, kept="run",
    ),
)  # fmt: skip


def _ask(values: Values, now: Visit) -> TreePage | None:
    column = attempt(session.column)
    choice = attempt(lambda: tree_choice(values, session.each(now.budget)))
    if column is None or choice is None:
        return None
    return TreePage(choice, column, draw_of_visit())


def _before(now: Visit, waits: NotAsked, page: TreePage, values: Values) -> None:
    frame.trees_before(now, waits, page.choice, page.column, values["t_reading"])


PAGE = Page(
    name="trees",
    title="Trees",
    fields=FIELDS,
    views=VIEWS,
    ask=_ask,
    once=lambda page, what, compute, key: page.once(what, compute, key),
    before=_before,
    label=lambda values: f"Budgets: {values['t_split']}",
    remark=lambda page: exact_cost(page.choice),
    known=lambda _: {"notion": state.get("notion")},
    missing="This tree cannot be drawn yet.",
    slides="dpviz-tree",
    question_tab="Data, tree",
    reading_icon=":material/account_tree:",
)
