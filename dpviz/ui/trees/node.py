"""One node: what it is estimated as under each reading, and which noisy counts that listens to."""

from dpviz.answers.trees import node, node_said
from dpviz.answers.trees.node import NodeNumbers, NodeWeights
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.weights import weights_picture
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit import state
from dpviz.ui.visitor import clicked

WEIGHTS = "trees_weights"
CHOSEN = "t_framed"  # in the visit
Both = tuple[NodeNumbers, NodeWeights]


def take_click(chart: str) -> None:
    """Take over the cell that was clicked: it carries level and number; none clears the choice."""
    found = clicked(chart)
    state.put(CHOSEN, found)
    if found is not None:
        state.store().update(zip(("t_level", "t_node"), found, strict=True))


def chosen(shape: TreeShape) -> tuple[int, int] | None:
    """The node that was clicked, if this tree has it."""
    found: tuple[int, int] | None = state.store().get(CHOSEN)
    if found is None or found[0] > shape.height or found[1] >= shape.nodes(found[0]):
        return None
    return found


def key(page: TreePage, values: Values) -> tuple[int, int]:
    """The chosen node, brought into the tree of the release."""
    shape = page.release.shape
    level = min(values["t_level"], shape.height)
    return level, min(values["t_node"], shape.nodes(level) - 1)


def numbers(page: TreePage, values: Values) -> Both:
    """The node under every reading, and the weights of its efficient estimate."""
    at, asked = key(page, values), page.question(TreeEstimator.EFFICIENT)
    return node.answer(asked, at, tuple(TreeEstimator)), node.weigh(asked, at)


def draw(page: TreePage, both: Both, _: Values, look: Look) -> Picture:
    """Every measurement's weight in the estimate."""
    found, made = both
    of = look.said(f" in the estimate for {node_said.part_text(found)}", "")
    title = f"<b>Weight of every noisy count</b>{of}"
    return weights_picture(made.weights, page.ends, names(), look, path=found.path, title=title)


def beside(shown: Shown[TreePage, Both]) -> None:
    """Its level and number, and its readings."""
    shown.group("t_level", tallest=shown.asked.release.shape.height)
    for table in shown.said.tables:
        said_table(table)
